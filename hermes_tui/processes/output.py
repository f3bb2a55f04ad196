"""Keeps the start and the end of a command's output, whatever its length. Memory stays flat."""

from __future__ import annotations

import codecs
import threading
from collections.abc import Callable
from typing import Final

HEAD: Final = 12_000
"""Characters kept from the start."""
TAIL: Final = 18_000
"""Characters kept from the end, where errors and summaries stand."""
NARROW_IT: Final = "narrow it with head, tail or grep to see them"
"""Said of what is left out; whoever kept the whole of it may say behind it where that is."""
_NEAR: Final = 400
"""How far a cut moves to meet a line end."""


class Output:
    """Takes blocks of bytes, shows their text at once, and keeps head and tail for the model. Thread-safe."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._lock = threading.Lock()
        self._head = ""
        self._tail = ""
        self._length = 0

    def feed(self, block: bytes, final: bool = False) -> None:
        """Take the next bytes; `final` ends a character that was cut."""
        text = self._decode(block, final)
        if not text:
            return
        with self._lock:
            self._length += len(text)
            room = HEAD - len(self._head)
            if room > 0:
                self._head += text[:room]
            # what belongs to the head may stand in the tail too: `text` leaves it out
            self._tail = (self._tail + text)[-(HEAD + TAIL) :]
        self._show(text)

    def text(self) -> str:
        """Return everything, or head and tail with a line between them that says what is left out."""
        with self._lock:
            if self._length <= HEAD + TAIL:
                return self._tail
            head, tail = _until_line_end(self._head), _from_line_start(self._tail[-TAIL:])
            left_out = self._length - len(head) - len(tail)
        joint = "" if head.endswith("\n") else "\n"
        note = f"[… {left_out} characters left out; {NARROW_IT} …]"
        return f"{head}{joint}{note}\n{tail}"


def _until_line_end(text: str) -> str:
    """Return `text` without a started line at its end, unless that line is long."""
    end = text.rfind("\n", len(text) - _NEAR)
    return text if end < 0 else text[: end + 1]


def _from_line_start(text: str) -> str:
    """Return `text` without the rest of a line at its start, unless that is long."""
    end = text.find("\n", 0, _NEAR)
    return text if end < 0 else text[end + 1 :]
