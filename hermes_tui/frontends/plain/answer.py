"""An answer while it streams in, as rows to write at once: whole lines, or parts that break no word.

What the model wrote stays as it is: Markdown gets colours, nothing is taken away. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from hermes_tui.frontends.plain.paper import Span
from hermes_tui.text import cells, harmless

LONGEST: Final = 4_000
"""Characters without a place to break that are held back; more are written as they are."""

_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s")
_HANGING: Final = re.compile(r"\s*(?:(?:[-*+]|\d{1,3}[.)])\s+|>\s?)?")
_INLINE: Final = re.compile(r"(?P<code>`[^`]+`)|(?P<strong>\*\*[^*]+\*\*)")

Row = list[Span]


class Answer:
    """Cuts a stream of text into rows, none wider than the terminal where a word ends before its edge."""

    def __init__(self, width: Callable[[], int | None]) -> None:
        """`width` in cells; None: rows are whole lines."""
        self._width = width
        self._pending = ""
        self._fenced = False
        self._kind: str | None = None
        """The style of the line that is partly written; None at the start of a line."""
        self._hanging = 0

    def feed(self, text: str) -> list[Row]:
        """Take a piece, and return the rows that may be written now."""
        *lines, self._pending = (self._pending + text).split("\n")
        rows = [row for line in lines for row in self._whole(line)]
        return [*rows, *self._begun()]

    def close(self) -> list[Row]:
        """Return what is left; the next piece begins a new answer."""
        rest, self._pending = self._pending, ""
        rows = self._whole(rest) if rest else []
        self._fenced, self._kind = False, None
        return rows

    def _whole(self, line: str) -> list[Row]:
        rows = list(self._rows(harmless(line), over=True))
        self._kind = None
        return rows

    def _begun(self) -> list[Row]:
        """Return the full rows of a line that has not ended."""
        width, text = self._width(), self._pending
        if width is None or len(text) * 2 < width or (harmless(text) != text and len(text) < LONGEST):
            return []
        return list(self._rows(harmless(text), over=False))

    def _rows(self, text: str, over: bool) -> Iterator[Row]:
        if self._kind is None:
            self._begin(text)
        width = self._width()
        if width is not None and self._kind != "code" and not text.lstrip().startswith("|"):
            while (at := cut(text, width - self._hanging * (not self._fresh), over)) is not None:
                yield self._row(text[:at].rstrip())
                text = text[at:].lstrip(" ")
                if not over:
                    self._pending = text
        if over:
            yield self._row(text)

    def _begin(self, line: str) -> None:
        """Look at the start of a line: what it is, and how far its later rows are indented."""
        self._fresh = True
        fence = bool(_FENCE.match(line))
        if fence or self._fenced:
            self._kind, self._hanging = "code", 0
            self._fenced ^= fence
            return
        self._kind = "strong" if _HEADING.match(line) else ""
        match = _HANGING.match(line)
        self._hanging = min(match.end() if match else 0, 12)

    def _row(self, text: str) -> Row:
        indent = "" if self._fresh else " " * self._hanging
        self._fresh = False
        if self._kind:
            return [(indent + text, self._kind)]
        return [(indent, ""), *inline(text)] if indent else inline(text)


def cut(text: str, width: int, over: bool) -> int | None:
    """Return where the first row of a harmless `text` ends, in characters; None when it is the last one.

    Between words, or beside a wide character; outside of a code span where that is possible. A word that is
    wider than the row is not broken. `over`: nothing more follows.
    """
    limit = fitting(text, width)
    if limit >= len(text):
        return None
    places = [at for at in range(1, limit + 1) if _breaks(text, at)]
    outside = [at for at in places[-40:] if not (text.count("`", 0, at) % 2 or text.count("**", 0, at) % 2)]
    if best := outside or places:
        return best[-1]
    beyond = next((at for at in range(limit + 1, len(text)) if _breaks(text, at)), None)
    if beyond is None and not over and len(text) > LONGEST:
        return len(text)
    return beyond


def fitting(text: str, width: int) -> int:
    """Return how many characters of a harmless text fit into `width` cells."""
    if text.isascii():
        return max(1, width)
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cells(text[:middle]) <= width else (low, middle - 1)
    return max(1, low)


def _breaks(text: str, at: int) -> bool:
    """Whether a row may end before character `at`."""
    if text[at] == " " or text[at - 1] == " ":
        return True
    return not text[at].isascii() and cells(text[at]) == 2 and text[at].isalnum()


def inline(text: str) -> Row:
    """Return a line with its code and its bold words as pieces of their own."""
    row: Row = []
    position = 0
    for match in _INLINE.finditer(text):
        row += [(text[position : match.start()], ""), (match[0], match.lastgroup or "")]
        position = match.end()
    return [span for span in [*row, (text[position:], "")] if span[0]] or [("", "")]
