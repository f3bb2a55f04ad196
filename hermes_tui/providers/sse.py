"""Server-sent events: bytes as they arrive to the data of each event. Pure.

Stricter parsers lose answers of real servers: comments and events without data before the first chunk, lone
CR as line end, no blank line behind the last event. All of that is taken here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LINE_END = re.compile(rb"\r\n|\r|\n")


class EventReader:
    """Feed it bytes cut anywhere; it gives the data of each complete event."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[str] = []

    def feed(self, data: bytes) -> Iterator[str]:
        """Take the next bytes and yield the data of every event that they complete."""
        searched = max(0, len(self._rest) - 1)
        self._rest += data
        start = 0
        for match in LINE_END.finditer(self._rest, searched):
            if match.group() == b"\r" and match.end() == len(self._rest):
                break  # perhaps the first half of \r\n
            line = bytes(self._rest[start : match.start()])
            start = match.end()
            yield from self._line(line)
        del self._rest[:start]

    def finish(self) -> Iterator[str]:
        """Yield what the end of the stream completes."""
        line = bytes(self._rest).rstrip(b"\r")
        self._rest.clear()
        yield from self._line(line)
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[str]:
        if not line:
            if self._data:
                yield "\n".join(self._data)
            self._data.clear()
        elif line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" ").decode("utf-8", "replace"))
