"""Reads a sed script and says what it would do besides printing. Must not know the command line around it.

Only the part of the language is read that GNU sed and the sed of BSD and macOS take the same way; where
they differ (a delimiter inside `[…]`), the script is not proven.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 5_000
_SPACE: Final = " \t\n;"
_ADDRESS: Final = re.compile(r"\d+(?:~\d+)?|\$")
_RANGE: Final = re.compile(r"\s*,\s*")
_OFFSET: Final = re.compile(r"[+~]\d+")
_PLAIN: Final = frozenset("=dDgGhHnNpPxzF")
_NUMBERED: Final = frozenset("lqQL")
_LABELLED: Final = frozenset("btT:")
_TEXT: Final = frozenset("aic")
_RUNS: Final = "runs a program"
_WRITES: Final = "writes a file"
_UNKNOWN: Final = "is not understood"


class Script:
    """A sed script. `trouble` is why it is not known to be harmless; `reads` the files it reads."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.reads: list[str] = []
        self.trouble = self._read()

    def _read(self) -> str:
        """Return the first trouble, in words that go on from "the script"; empty: none."""
        if len(self.text) > _LONGEST:
            return "is too long to be read"
        while True:
            self._skip(_SPACE)
            if self.at >= len(self.text):
                return ""
            trouble = self._addresses() or self._command()
            if trouble:
                return trouble

    def _skip(self, characters: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in characters:
            self.at += 1

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _addresses(self) -> str:
        trouble = self._address()
        comma = _RANGE.match(self.text, self.at)
        if not trouble and comma is not None:
            self.at = comma.end()
            offset = _OFFSET.match(self.text, self.at)
            if offset is not None:
                self.at = offset.end()
            else:
                trouble = self._address()
        self._skip(" \t!")
        return trouble

    def _address(self) -> str:
        match = _ADDRESS.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            return ""
        if self._peek() == "/":
            self.at += 1
            trouble = self._delimited("/", True)
        elif self._peek() == "\\":
            delimiter = self.text[self.at + 1 : self.at + 2]
            self.at += 2
            trouble = self._delimited(delimiter, True)
        else:
            return ""
        while self._peek() in ("I", "M"):
            self.at += 1
        return trouble

    def _delimited(self, delimiter: str, regex: bool) -> str:
        """Read up to the delimiter and past it."""
        if not delimiter or delimiter in "\\\n[]":
            return _UNKNOWN
        start = self.at
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == delimiter:
                if regex and "[" in self.text[start : self.at] and _open_bracket(self.text[start : self.at]):
                    return "reads differently in two versions of sed"
                self.at += 1
                return ""
            if char == "\n" and regex:
                return _UNKNOWN
            self.at += 2 if char == "\\" else 1
        return _UNKNOWN

    def _command(self) -> str:
        name = self._peek()
        self.at += 1
        if name in _PLAIN:
            return self._end()
        if name in ("{", "}", "#"):
            if name == "#":
                self._line()
            return ""
        if name in _NUMBERED:
            self._skip(" \t0123456789")
            return self._end()
        if name in _LABELLED:
            return self._label()
        if name in _TEXT:
            return self._inserted()
        if name in ("r", "R"):
            self.reads.append(self._line().strip())
            return ""
        if name == "s":
            return self._substitute()
        if name == "y":
            delimiter = self._peek()
            self.at += 1
            return self._delimited(delimiter, False) or self._delimited(delimiter, False) or self._end()
        return {"e": _RUNS, "w": _WRITES, "W": _WRITES}.get(name, _UNKNOWN)

    def _end(self) -> str:
        """A command ends with its line, a semicolon, a brace or a comment."""
        self._skip(" \t")
        return "" if self._peek() in ("", "\n", ";", "}", "#") else _UNKNOWN

    def _line(self) -> str:
        """Take the rest of the line."""
        stop = self.text.find("\n", self.at)
        stop = len(self.text) if stop < 0 else stop
        start, self.at = self.at, stop
        return self.text[start:stop]

    def _label(self) -> str:
        """A label ends with its line, or at a blank or semicolon: then the rest is read as commands."""
        self._skip(" \t")
        while self._peek() not in ("", " ", "\t", "\n", ";", "}"):
            self.at += 1
        self._skip(" \t")
        return "" if self._peek() in ("", "\n") or "\n" not in self.text else _UNKNOWN

    def _inserted(self) -> str:
        """Text of a, i or c: to the end of the line, on while lines end in one backslash."""
        while True:
            row = self._line()
            slashes = len(row) - len(row.rstrip("\\"))
            if not slashes or self.at >= len(self.text):
                return ""
            if slashes % 2 == 0:
                return _UNKNOWN
            self.at += 1

    def _substitute(self) -> str:
        delimiter = self._peek()
        self.at += 1
        trouble = self._delimited(delimiter, True) or self._delimited(delimiter, False)
        while not trouble and self._peek() and self._peek() in "gpiIMm0123456789":
            self.at += 1
        flag = self._peek()
        if not trouble and flag in ("e", "w") and flag:
            return _RUNS if flag == "e" else _WRITES
        return trouble or self._end()


def _open_bracket(regex: str) -> bool:
    """Whether the text ends inside `[…]`."""
    at = 0
    while at < len(regex):
        if regex[at] == "\\":
            at += 2
            continue
        if regex[at] == "[":
            close = re.compile(r"\[\^?\]?(?:\[[:.=][^]]*[:.=]\]|[^]])*\]").match(regex, at)
            if close is None:
                return True
            at = close.end()
            continue
        at += 1
    return False
