"""Reads a pattern character by character: what next, is it this, take it. Knows escapes of one character."""

from __future__ import annotations

import re
from typing import Final


class PatternError(ValueError):
    """A pattern that does not compile, in words."""


_NAMED: Final = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
_DIGITS: Final = {"x": 2, "u": 4, "U": 8}


class Scanner:
    """A pattern and a place in it."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._index = 0

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._index >= len(self._pattern)

    @property
    def rest(self) -> str:
        """All that is left."""
        return self._pattern[self._index :]

    @property
    def next(self) -> str:
        """The next character; empty at the end."""
        return self._pattern[self._index : self._index + 1]

    def next_are(self, *texts: str) -> bool:
        """Whether one of these comes next."""
        return self._pattern.startswith(texts, self._index)

    def take(self, text: str) -> bool:
        """Go past `text` if it comes next; return whether it did."""
        found = self._pattern.startswith(text, self._index)
        self._index += len(text) if found else 0
        return found

    def pop(self) -> str:
        """Go past one character and return it."""
        if self.at_end:
            raise PatternError("the pattern ends too early")
        self._index += 1
        return self._pattern[self._index - 1]

    def through(self, end: str) -> str:
        """Go past `end` and return what came before it."""
        text, found, _ = self.rest.partition(end)
        if not found:
            raise PatternError(f"unclosed group: no {end!r}")
        self._index += len(text) + len(end)
        return text

    def escaped(self) -> str:
        """Return the one character that an escape means, its backslash being read."""
        if self.at_end:
            raise PatternError("incomplete escape sequence")
        character = self.pop()
        if character in _NAMED:
            return _NAMED[character]
        if character in _DIGITS:
            return self._code(_DIGITS[character])
        if character in "pP":
            raise PatternError(f"\\{character} needs ripgrep, which is not installed")
        if character.isdigit():
            raise PatternError("backreferences are not supported")
        if not character.isascii() or (character.isalnum()):
            raise PatternError("unrecognized escape sequence")
        return character

    def _code(self, digits: int) -> str:
        """Return the character of `66`, `0066` or `{66}`."""
        match = re.compile(rf"\{{([0-9a-fA-F]+)\}}|([0-9a-fA-F]{{{digits}}})").match(
            self._pattern, self._index
        )
        code = int(match[1] or match[2], 16) if match else -1
        if match is None or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise PatternError("hexadecimal literal is not a Unicode scalar value")
        self._index = match.end()
        return chr(code)
