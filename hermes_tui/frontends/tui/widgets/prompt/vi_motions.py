"""Where the vi keys move: one function a key, from a text, an offset and a count to an offset. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

Motion = Callable[[str, int, int], int]
"""Text, offset, count (0: none was typed) → offset."""

_WORD: Final = re.compile(r"\w+|[^\w\s]+")
_BIG_WORD: Final = re.compile(r"\S+")


def line_start(text: str, at: int) -> int:
    """Return where the line begins that holds `at`."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return where that line ends, before its new line."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _left(text: str, at: int, count: int) -> int:
    return max(line_start(text, at), at - max(1, count))


def _right(text: str, at: int, count: int) -> int:
    return min(line_end(text, at), at + max(1, count))


def _down(text: str, at: int, count: int) -> int:
    column = at - line_start(text, at)
    for _ in range(max(1, count)):
        if (end := line_end(text, at)) == len(text):
            break
        at = end + 1
    start = line_start(text, at)
    return min(line_end(text, at), start + column)


def _up(text: str, at: int, count: int) -> int:
    column = at - line_start(text, at)
    for _ in range(max(1, count)):
        if (start := line_start(text, at)) == 0:
            break
        at = start - 1
    start = line_start(text, at)
    return min(line_end(text, at), start + column)


def _first_column(text: str, at: int, count: int) -> int:
    return line_start(text, at)


def first_letter(text: str, at: int, count: int = 0) -> int:
    """Return the place of the line's first character that is no blank."""
    start, end = line_start(text, at), line_end(text, at)
    return start + len(text[start:end]) - len(text[start:end].lstrip())


def _last_column(text: str, at: int, count: int) -> int:
    end = line_end(text, at)
    for _ in range(max(1, count) - 1):
        if end == len(text):
            break
        end = line_end(text, end + 1)
    return end


def _line(text: str, number: int) -> int:
    """Return the start of a line, counted from 1; the last one past the end."""
    start = 0
    for _ in range(number - 1):
        if (end := line_end(text, start)) == len(text):
            break
        start = end + 1
    return start


def _first_line(text: str, at: int, count: int) -> int:
    return first_letter(text, _line(text, max(1, count)))


def _last_line(text: str, at: int, count: int) -> int:
    return first_letter(text, _line(text, count) if count else line_start(text, len(text)))


def _stops(text: str, word: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    return (match.span() for match in word.finditer(text))


def _next_word(word: re.Pattern[str]) -> Motion:
    def motion(text: str, at: int, count: int) -> int:
        for _ in range(max(1, count)):
            at = next((start for start, _ in _stops(text, word) if start > at), len(text))
        return at

    return motion


def _word_before(word: re.Pattern[str]) -> Motion:
    def motion(text: str, at: int, count: int) -> int:
        for _ in range(max(1, count)):
            at = max((start for start, _ in _stops(text, word) if start < at), default=0)
        return at

    return motion


def _word_end(word: re.Pattern[str]) -> Motion:
    def motion(text: str, at: int, count: int) -> int:
        for _ in range(max(1, count)):
            at = next((end - 1 for _, end in _stops(text, word) if end - 1 > at), max(0, len(text) - 1))
        return at

    return motion


MOTIONS: Final[Mapping[str, Motion]] = MappingProxyType(
    {
        "h": _left, "left": _left, "backspace": _left,
        "l": _right, "right": _right, "space": _right,
        "j": _down, "down": _down, "k": _up, "up": _up,
        "0": _first_column, "home": _first_column, "^": first_letter,
        "$": _last_column, "end": _last_column,
        "gg": _first_line, "G": _last_line,
        "w": _next_word(_WORD), "W": _next_word(_BIG_WORD),
        "b": _word_before(_WORD), "B": _word_before(_BIG_WORD),
        "e": _word_end(_WORD), "E": _word_end(_BIG_WORD),
    }
)  # fmt: skip

INCLUSIVE: Final = frozenset({"e", "E"})
"""An operator takes the character that these end on, too."""
LINEWISE: Final = frozenset({"j", "k", "down", "up", "gg", "G"})
"""An operator takes whole lines with these."""
VERTICAL: Final = frozenset({"j", "k", "down", "up"})
"""At the first or last line these go on into the history."""
