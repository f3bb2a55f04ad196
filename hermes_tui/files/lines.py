"""A window of lines out of a file of any size, read once in pieces and never held whole.

Lines end at `\\n` only, whatever else Unicode calls a line end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MAX_LINE: Final = 2000
"""Characters of one line that are shown."""
_KEPT: Final = 4 * MAX_LINE
"""Bytes of one line that are kept for them."""


@dataclass(slots=True)
class Line:
    """The start of one line, without its line end, and how long all of it is."""

    start: bytes = b""
    size: int = 0

    def add(self, piece: bytes) -> None:
        """Take the next piece of the line."""
        if len(self.start) < _KEPT:
            self.start += piece[: _KEPT - len(self.start)]
        self.size += len(piece)

    @property
    def shown(self) -> str:
        """The line for a reader: clipped with a notice, undecodable bytes as U+FFFD."""
        text = self.start.decode("utf-8", "replace")
        if len(text) <= MAX_LINE and self.size <= _KEPT:
            return text.removesuffix("\r")
        return f"{text[:MAX_LINE]}… [line clipped: it has {self.size} bytes]"

    @property
    def is_damaged(self) -> bool:
        """Whether `shown` stands for bytes that are no UTF-8."""
        return self.shown.count("\ufffd") > self.start.count("\ufffd".encode())


@dataclass(slots=True)
class LineWindow:
    """Collects the lines `first` to `first + limit - 1` (from 1) of what it is fed."""

    first: int
    limit: int
    lines: list[Line] = field(default_factory=list)
    _newlines: int = 0
    _open: bool = False
    """Whether the last line has begun and not ended."""

    @property
    def total(self) -> int:
        """How many lines there were."""
        return self._newlines + self._open

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the file."""
        if not piece:
            return
        count = piece.count(b"\n")
        if self._newlines + count + 1 >= self.first and self._newlines + 1 < self.first + self.limit:
            self._collect(piece)
        self._newlines += count
        self._open = not piece.endswith(b"\n")

    def _collect(self, piece: bytes) -> None:
        """Take those lines of the piece that lie in the window."""
        skip = max(0, self.first - 1 - self._newlines)
        parts = piece.split(b"\n", skip + self.limit)
        for number, part in enumerate(parts[: skip + self.limit], start=self._newlines + 1):
            if number < self.first or number >= self.first + self.limit:
                continue
            if number == self._newlines + len(parts) and not part:
                break  # nothing after the last line end
            if number - self.first == len(self.lines):
                self.lines.append(Line())
            self.lines[number - self.first].add(part)
