"""The output of a background process as numbered lines, the newest million characters of it."""

from __future__ import annotations

import codecs
import threading
from collections import deque
from typing import Final

KEPT: Final = 1_000_000
"""Characters kept; older lines are dropped, and whoever asks for them is told."""
LONGEST: Final = 4_000
"""Characters of one line; a longer one goes on in the next."""


class Log:
    """Lines with numbers that never change, counting from 0. Thread-safe."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._lock = threading.Lock()
        self._lines: deque[str] = deque()
        self._open = ""
        self._dropped = 0
        self._size = 0

    def feed(self, block: bytes) -> None:
        """Take the next bytes."""
        with self._lock:
            *full, self._open = (self._open + self._decode(block)).split("\n")
            for line in full:
                self._add(line)
            while len(self._open) > LONGEST:
                self._add(self._open[:LONGEST])
                self._open = self._open[LONGEST:]
            while self._size > KEPT:
                self._size -= len(self._lines.popleft()) + 1
                self._dropped += 1

    def lines(self, offset: int, limit: int) -> tuple[int, list[str], int]:
        """Return the number of the first line given, up to `limit` lines, and how many there are in all.

        `offset` counts from 0; a negative one from the end. The last line may not be complete yet.
        """
        with self._lock:
            kept = [*self._lines, self._open] if self._open else list(self._lines)
            total = self._dropped + len(kept)
            first = max(offset if offset >= 0 else total + offset, self._dropped)
            start = first - self._dropped
            return first, kept[start : start + max(limit, 0)], total

    def _add(self, line: str) -> None:
        """Append one whole line, in pieces if it is too long."""
        for start in range(0, max(len(line), 1), LONGEST):
            piece = line[start : start + LONGEST]
            self._lines.append(piece)
            self._size += len(piece) + 1
