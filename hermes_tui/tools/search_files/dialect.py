"""Turns a ripgrep pattern into one for Python's `re` that finds the same lines, or says why it cannot.

The grammar is that of Rust's regex crate, with ripgrep's rule that nothing matches across lines: no
class ever contains a carriage return or a newline. Differences that remain: `\\w` and `\\b` take
superscript digits for letters and combining marks for none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from hermes_tui.tools.search_files.charclass import ClassParser, class_escape
from hermes_tui.tools.search_files.scanner import PatternError, Scanner

__all__ = ["PatternError", "compiled"]


def compiled(pattern: str) -> re.Pattern[str]:
    """Return an expression to search a whole text with, whose line ends are `\\n`.

    Raises `PatternError` when the pattern is wrong, or is one that only ripgrep understands.
    """
    # ripgrep wraps it the same way, and shows that in its errors
    scanner = Scanner(f"(?:{pattern})")
    translated = _Translator(scanner).alternation(_Flags())
    if not scanner.at_end:
        raise PatternError("unopened group")
    try:
        return re.compile(translated)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"this needs ripgrep: {error}") from None


@dataclass(frozen=True, slots=True)
class _Flags:
    """What inline flags such as `(?i)` have set."""

    ignore_case: bool = False
    lines: bool = True
    """`^` and `$` at every line end, a lone carriage return too."""
    swap: bool = False
    """`a+` is lazy, `a+?` greedy."""


_ESCAPES: Final = {
    "b": r"\b", "B": r"\B", "A": r"(?<![^\n])", "z": r"(?![^\n])",
    "<": r"\b(?=\w)", ">": r"\b(?<=\w)",
    "b{start}": r"\b(?=\w)", "b{end}": r"\b(?<=\w)", "b{start-half}": r"(?<!\w)", "b{end-half}": r"(?!\w)",
}  # fmt: skip


class _Translator:
    """Reads the pattern once, from left to right; every atom comes out with its flags around it."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._depth = 0

    def alternation(self, flags: _Flags) -> str:
        """Return everything up to the end of the group or of the pattern."""
        self._depth += 1
        if self._depth > 100:
            raise PatternError("too many groups in one another")
        pieces: list[str] = []
        start = 0
        while not self._scanner.at_end and self._scanner.next != ")":
            if self._scanner.take("|"):
                pieces.append("|")
                start = len(pieces)
            elif (changed := self._flag_group(flags)) is not None:
                flags = changed
                start = len(pieces)
            elif self._scanner.next in "*+?{":
                if len(pieces) == start:
                    raise PatternError("repetition operator missing expression")
                pieces[-1] += self._quantifier(flags)
                pieces[-1] = f"(?:{pieces[-1]})"  # else `a++` would be possessive
            else:
                pieces.append(self._atom(flags))
        self._depth -= 1
        return "".join(pieces)

    def _atom(self, flags: _Flags) -> str:
        """Return the next thing that a quantifier could follow, as one group."""
        scanner = self._scanner
        if scanner.take("("):
            return self._group(flags)
        if scanner.take("["):
            return _cased(ClassParser(scanner).parse(), flags)
        if scanner.take("."):
            return "[^\r\n\udc80-\udcff]"
        if scanner.take("^"):
            return r"(?:(?<![^\r\n]))" if flags.lines else f"(?:{_ESCAPES['A']})"
        if scanner.take("$"):
            return r"(?:(?![^\r\n]))" if flags.lines else f"(?:{_ESCAPES['z']})"
        if scanner.take("\\"):
            return self._escape(flags)
        return _cased(_literal(scanner.pop()), flags)

    def _escape(self, flags: _Flags) -> str:
        """Return what follows a backslash."""
        for name in sorted(_ESCAPES, key=len, reverse=True):
            if self._scanner.take(name):
                return f"(?:{_ESCAPES[name]})"
        if inner := class_escape(self._scanner):
            return _cased(f"[{inner}]", flags)
        return _cased(_literal(self._scanner.escaped()), flags)

    def _group(self, flags: _Flags) -> str:
        """Return a group, its opening bracket being read."""
        scanner = self._scanner
        if scanner.take("?P<") or (scanner.next_are("?<") and not scanner.next_are("?<=", "?<!")):
            scanner.take("?<")
            scanner.through(">")
        elif scanner.next_are("?=", "?!", "?<=", "?<!"):
            raise PatternError("look-around, including look-ahead and look-behind, is not supported")
        elif scanner.take("?"):
            flags = _changed(flags, scanner.through(":"))
        inner = self.alternation(flags)
        if not scanner.take(")"):
            raise PatternError("unclosed group")
        return f"(?:{inner})"

    def _flag_group(self, flags: _Flags) -> _Flags | None:
        """Return the flags after `(?i)`, or None when something else comes."""
        match = re.match(r"\(\?([a-zA-Z-]+)\)", self._scanner.rest)
        if match is None:
            return None
        self._scanner.take(match[0])
        return _changed(flags, match[1])

    def _quantifier(self, flags: _Flags) -> str:
        """Return `*`, `+`, `?` or `{n,m}`, lazy or not."""
        scanner = self._scanner
        sign = scanner.pop()
        if sign == "{":
            match = re.match(r"\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\}", scanner.rest)
            if match is None:
                raise PatternError("repetition quantifier expects a valid decimal")
            if match[3] and int(match[3]) < int(match[1]):
                raise PatternError("invalid repetition count range, the start must be <= the end")
            scanner.take(match[0])
            sign = f"{{{match[1]}{match[2] or ''}{match[3] or ''}}}"
        lazy = scanner.take("?")
        return sign + ("?" if lazy != flags.swap else "")


def _changed(flags: _Flags, letters: str) -> _Flags:
    """Return the flags that `(?i-m)` and its like leave."""
    on, dash, off = letters.partition("-")
    if (dash and not off) or "-" in off:
        raise PatternError("dangling flag negation operator")
    for letter, value in [*((each, True) for each in on), *((each, False) for each in off)]:
        if letter == "i":
            flags = replace(flags, ignore_case=value)
        elif letter == "m":
            flags = replace(flags, lines=value)
        elif letter == "U":
            flags = replace(flags, swap=value)
        elif letter not in "sxuR":
            raise PatternError("unrecognized flag")
        elif letter == "x" if value else letter in "uR":
            raise PatternError(f"the flag {letter} in (?{letters}) needs ripgrep, which is not installed")
    return flags


def _literal(character: str) -> str:
    """Return one character that stands for itself."""
    if character in "\r\n":
        raise PatternError(f"the literal {character!r} is not allowed: a pattern cannot match across lines")
    return re.escape(character)


def _cased(atom: str, flags: _Flags) -> str:
    """Return an atom that ignores case if the flags say so."""
    return f"(?i:{atom})" if flags.ignore_case else atom
