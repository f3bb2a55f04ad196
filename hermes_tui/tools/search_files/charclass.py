"""Bracketed classes of a ripgrep pattern: nested ones, POSIX names, and the set operators.

Each comes out as an expression that matches exactly one character, and never a line end or a byte
that is no text (a lone surrogate, in the way files are decoded).
"""

from __future__ import annotations

import re
from typing import Final

from hermes_tui.tools.search_files.scanner import PatternError, Scanner

_NEVER: Final = "\r\n\udc80-\udcff"
_SPACE: Final = "\t\v\f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

_POSIX: Final = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\x00-\x7f", "blank": "\t ", "cntrl": "\x00-\x1f\x7f",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~",
    "space": "\t\v\f ", "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


def class_escape(scanner: Scanner) -> str | None:
    """Return the inside of a class for `d`, `s`, `w` and their opposites; None when something else comes."""
    for letter, inner in (("d", r"\d"), ("w", r"\w"), ("s", _SPACE)):
        if scanner.take(letter):
            return inner
    for letter, inner in (("D", rf"^\d{_NEVER}"), ("W", rf"^\w{_NEVER}"), ("S", f"^{_SPACE}{_NEVER}")):
        if scanner.take(letter):
            return inner
    return None


class ClassParser:
    """Reads one class, its opening bracket being read."""

    def __init__(self, scanner: Scanner, depth: int = 0) -> None:
        if depth > 50:
            raise PatternError("too many classes in one another")
        self._scanner = scanner
        self._depth = depth
        self._items: list[str] = []
        """What the union so far is made of, each an expression for one character."""

    def parse(self) -> str:
        """Return the class as an expression for one character."""
        scanner = self._scanner
        negated = scanner.take("^")
        while scanner.take("-"):
            self._items.append(r"[\-]")
        if not self._items and scanner.take("]"):
            self._items.append(r"[\]]")
        result: str | None = None
        operator = ""
        while not scanner.take("]"):
            if scanner.at_end:
                raise PatternError("unclosed character class")
            sign = next((sign for sign in ("&&", "--", "~~") if scanner.take(sign)), "")
            if sign:
                result, operator = self._combined(result, operator), sign
            else:
                self._item()
        result = self._combined(result, operator)
        return f"(?:(?!{result})[^{_NEVER}])" if negated else f"(?:(?![{_NEVER}]){result})"

    def _combined(self, left: str | None, operator: str) -> str:
        """Return the union so far, joined to what stands before its operator; start a new union."""
        right = f"(?:{'|'.join(self._items)})" if self._items else r"(?:(?!))"
        self._items = []
        if left is None:
            return right
        if operator == "&&":
            return f"(?:(?={left}){right})"
        if operator == "--":
            return f"(?:(?!{right}){left})"
        return f"(?:(?!{right}){left}|(?!{left}){right})"

    def _item(self) -> None:
        """Read a nested class, a POSIX name, an escape, a character or a range."""
        scanner = self._scanner
        if scanner.take("["):
            self._items.append(self._posix() or ClassParser(scanner, self._depth + 1).parse())
            return
        first = self._member()
        if len(first) > 1:
            if scanner.next == "-" and not scanner.next_are("-]", "--"):
                raise PatternError("invalid range boundary, must be a literal")
            self._items.append(first)
        elif scanner.next == "-" and not scanner.next_are("-]", "--"):
            scanner.take("-")
            self._items.append(_range(first, self._member()))
        else:
            self._items.append(f"[{re.escape(first)}]")

    def _member(self) -> str:
        """Return one character, or an expression for one when it is an escape such as `\\d`."""
        scanner = self._scanner
        if scanner.at_end:
            raise PatternError("unclosed character class")
        if not scanner.take("\\"):
            return scanner.pop()
        if inner := class_escape(scanner):
            return f"[{inner}]"
        if scanner.next_are("b", "B", "A", "z", "<", ">"):
            raise PatternError("invalid escape sequence found in character class")
        return scanner.escaped()

    def _posix(self) -> str | None:
        """Return `[:alpha:]` and its like, their first bracket being read; None if it is something else."""
        match = re.match(r":(\^?)([a-z]+):\]", self._scanner.rest)
        if match is None or match[2] not in _POSIX:
            return None
        self._scanner.take(match[0])
        return f"[^{_POSIX[match[2]]}{_NEVER}]" if match[1] else f"[{_POSIX[match[2]]}]"


def _range(first: str, last: str) -> str:
    """Return the class from one character to another."""
    if len(last) > 1:
        raise PatternError("invalid range boundary, must be a literal")
    if first > last:
        raise PatternError("invalid character class range, the start must be <= the end")
    return f"[{re.escape(first)}-{re.escape(last)}]"
