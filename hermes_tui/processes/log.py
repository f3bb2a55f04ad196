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
    """Lines with numbers that never change, counting from 0. Thread-safe.

    They are kept as they came, in pieces, and told apart when somebody asks for them: a flood of short
    lines would take all the time there is otherwise.
    """

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._lock = threading.Lock()
        self._pieces: deque[tuple[str, int]] = deque()
        self._open = ""
        self._dropped = 0
        self._whole = 0
        self._size = 0

    def feed(self, block: bytes) -> None:
        """Take the next bytes."""
        with self._lock:
            lines, end, self._open = folded(self._open + self._decode(block)).rpartition("\n")
            if end:
                self._add(lines + end)
            while self._size > KEPT:
                self._drop(self._size - KEPT)

    def lines(self, offset: int, limit: int) -> tuple[int, list[str], int]:
        """Return the number of the first line given, up to `limit` lines, and how many there are in all.

        `offset` counts from 0; a negative one from the end. The last line may not be complete yet.
        """
        with self._lock:
            pieces = [*self._pieces, (self._open + "\n", 1)] if self._open else list(self._pieces)
            number, total = self._dropped, self._whole + bool(self._open)
        first = max(offset if offset >= 0 else total + offset, number)
        found: list[str] = []
        for text, count in pieces:
            if number + count > first and len(found) < limit:
                found += text[:-1].split("\n")[max(0, first - number) :]
            number += count
        return first, found[: max(limit, 0)], total

    def _add(self, text: str) -> None:
        """Append whole lines."""
        count = text.count("\n")
        self._pieces.append((text, count))
        self._whole += count
        self._size += len(text)

    def _drop(self, over: int) -> None:
        """Drop as many of the oldest lines as hold `over` characters, or the whole oldest piece."""
        text, count = self._pieces.popleft()
        end = text.find("\n", over - 1) + 1 if over <= len(text) else len(text)
        gone = text.count("\n", 0, end)
        if end < len(text):
            self._pieces.appendleft((text[end:], count - gone))
        self._dropped += gone
        self._size -= end


def folded(text: str) -> str:
    """Return `text` with a line end after every `LONGEST` characters of a line that is longer."""
    pieces: list[str] = []
    start = 0
    while len(text) - start > LONGEST:
        end = text.rfind("\n", start, start + LONGEST + 1) + 1
        pieces.append(text[start:end] if end else text[start : start + LONGEST] + "\n")
        start = end or start + LONGEST
    return "".join([*pieces, text[start:]])
