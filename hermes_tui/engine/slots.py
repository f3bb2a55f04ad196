"""At most N calls at once, and they start in call order. Knows nothing of what a call does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from hermes_tui.engine.interrupt import Token


class Slots:
    """The places of calls that run. Shared by a session's agents; thread-safe.

    A call gives its place back while a person or another agent is waited for; when it comes back it goes
    before those that have not begun.
    """

    def __init__(self, size: int) -> None:
        self._size = max(1, size)
        self._used = 0
        self._returning = 0
        self._changed = threading.Condition()
        self._listeners: list[Callable[[], None]] = []

    def try_take(self) -> bool:
        """Take a place for a call that begins, if one is free."""
        with self._changed:
            if self._used + self._returning >= self._size:
                return False
            self._used += 1
            return True

    def give(self) -> None:
        """Give a place back, and tell everyone who waits."""
        with self._changed:
            self._used -= 1
        self._tell()

    def retake(self, token: Token) -> bool:
        """Wait for a place; False, without one, when the token is set."""
        token.future.add_done_callback(self._poke)
        with self._changed:
            self._returning += 1
            self._changed.wait_for(lambda: self._used < self._size or token.is_set)
            self._returning -= 1
            taken = not token.is_set
            self._used += taken
        self._tell()
        return taken

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` (from any thread) whenever a place may have become free."""
        with self._changed:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._changed:
                self._listeners.remove(listener)

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def _poke(self, _: Future[Any]) -> None:
        with self._changed:
            self._changed.notify_all()


class Gate:
    """Lets the calls of a batch begin in call order, though each clears its permission in its own thread."""

    def __init__(self) -> None:
        self._coming: set[int] = set()
        self._changed = threading.Condition()

    def join(self, index: int) -> None:
        """A call is on its way."""
        with self._changed:
            self._coming.add(index)

    def leave(self, index: int) -> None:
        """A call is through, or lets the others go first: it waits for a person, or has ended."""
        with self._changed:
            self._coming.discard(index)
            self._changed.notify_all()

    def wait(self, index: int) -> None:
        """Return when no earlier call is on its way, or when this one no longer is."""
        with self._changed:
            self._changed.wait_for(lambda: index not in self._coming or min(self._coming) == index)


class Bell:
    """Wakes the engine thread out of `concurrent.futures.wait`: a future that can be rung again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.future: Future[None] = Future()
        """Done once it was rung; a new one after each `reset`."""

    def ring(self) -> None:
        """Wake whoever waits. Thread-safe."""
        with self._lock:
            if not self.future.done():
                self.future.set_result(None)

    def reset(self) -> None:
        """Be ready to be rung again; call it before looking at what has changed."""
        with self._lock:
            if self.future.done():
                self.future = Future()
