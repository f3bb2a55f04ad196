"""The interrupt token: told once, seen by everyone who waits, never forgotten.

A turn has one token, each of its calls a child, so that one call can be stopped alone. Setting a
parent sets its children. All tokens of a turn share one lock: it makes "the call started" and
"the file was renamed" either before the interrupt or never.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from hermes_tui.engine.errors import Interrupted


class Token:
    """A one-way switch that can be waited for together with futures."""

    def __init__(self, parent: Token | None = None) -> None:
        self.lock: threading.RLock = parent.lock if parent else threading.RLock()
        """Held while something irrevocable happens that must not happen after the interrupt."""
        self.future: Future[str] = Future()
        """Done, with the reason, once the token is set: put it into `concurrent.futures.wait`."""
        self._children: weakref.WeakSet[Token] = weakref.WeakSet()
        self._forced = False
        if parent is not None:
            with self.lock:
                parent._children.add(self)
                if parent.is_set:
                    self.set(parent.reason)

    @property
    def is_set(self) -> bool:
        """Whether the interrupt has come."""
        return self.future.done()

    @property
    def reason(self) -> str:
        """Who stopped it, in words; empty while it is not set."""
        return self.future.result() if self.future.done() else ""

    @property
    def forced(self) -> bool:
        """Whether to kill now, without the polite steps."""
        return self._forced

    def set(self, reason: str = "interrupted by the user") -> None:
        """Stop everything that listens to this token or to a child of it."""
        with self.lock:
            if not self.future.done():
                self.future.set_result(reason)
            for child in list(self._children):
                child.set(reason)

    def force(self) -> None:
        """Set it, and tell whoever is stopping politely to kill now."""
        with self.lock:
            self._forced = True
            for child in list(self._children):
                child.force()
            self.set()

    def child(self) -> Token:
        """Return a token that this one sets, and that can be set alone."""
        return Token(self)

    def raise_if_set(self, content: str = "") -> None:
        """Raise `Interrupted`, with the output so far, if the interrupt has come."""
        if self.is_set:
            raise Interrupted(content)

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Hold the lock for one irrevocable step; raise `Interrupted` instead of entering it too late."""
        with self.lock:
            self.raise_if_set()
            yield
