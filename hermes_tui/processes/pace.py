"""Spaces the reads of all commands out, so that a flood of output leaves the machine to others.

Whoever prints more than is read waits in its own pipe. Knows neither pipe nor command.
"""

from __future__ import annotations

import threading
import time
from typing import Final

EVERY: Final = 0.0005
"""Seconds between two reads, over all commands: 128 MB a second with reads of 64 kB."""

BURST: Final = 32
"""Reads that may come at once after a silence: an ordinary command never waits."""


class Pace:
    """Gives out turns, in order. Thread-safe."""

    def __init__(self, every: float = EVERY, burst: int = BURST) -> None:
        self._every = every
        self._saved = every * burst
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        """Sleep until it is the caller's turn."""
        if (seconds := self.take(time.monotonic())) > 0:
            time.sleep(seconds)

    def take(self, now: float) -> float:
        """Take the next turn; return the seconds from `now` until it comes, 0 or less: it is there."""
        with self._lock:
            self._next = max(self._next, now - self._saved) + self._every
            return self._next - now
