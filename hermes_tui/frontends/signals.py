"""Signals, handled outside the handler: it only puts into a SimpleQueue that a daemon thread reads.

A queue.Queue takes a lock that the interrupted thread may hold: it deadlocked after two signals.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType


@contextmanager
def signals(numbers: Iterable[signal.Signals], act: Callable[[signal.Signals], None]) -> Iterator[None]:
    """Call `act` in a thread of its own for each signal that arrives; restore the old handlers at the end."""
    queue: SimpleQueue[signal.Signals | None] = SimpleQueue()

    def handler(number: int, frame: FrameType | None) -> None:
        queue.put(signal.Signals(number))

    def reader() -> None:
        while (arrived := queue.get()) is not None:
            act(arrived)

    before = {number: signal.signal(number, handler) for number in numbers}
    threading.Thread(target=reader, name="signals", daemon=True).start()
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
        queue.put(None)
