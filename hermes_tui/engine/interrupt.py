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

BY_USER = "interrupted by the user"
"""The reason of a token that a person set."""


class Token:
    """A one-way switch that can be waited for together with futures."""

    def __init__(self, parent: Token | None = None) -> None:
        self.lock: threading.RLock = parent.lock if parent else threading.RLock()
        """Held while something irrevocable happens that must not happen after the interrupt."""
        self.future: Future[str] = Future()
        """Done, with the reason, once the token is set: put it into `concurrent.futures.wait`."""
        self.hurry: Future[None] = Future()
        """Done once the token is forced: whoever is stopping politely may wait for this one."""
        # plain references, pruned under the lock: a WeakSet drops its members in whatever thread the
        # last owner dies, which may be while another thread walks over it
        self._children: list[weakref.ref[Token]] = []
        self._prune_at = 16
        if parent is not None:
            with self.lock:
                parent._adopt(self)
                if parent.is_set:
                    self.set(parent.reason)
                if parent.forced:
                    self.force()

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
        return self.hurry.done()

    def set(self, reason: str = BY_USER) -> None:
        """Stop everything that listens to this token or to a child of it."""
        with self.lock:
            if not self.future.done():
                self.future.set_result(reason)
            for child in self._living():
                child.set(reason)

    def force(self, reason: str = BY_USER) -> None:
        """Set it, and tell whoever is stopping politely to kill now."""
        with self.lock:
            if not self.hurry.done():
                self.hurry.set_result(None)
            for child in self._living():
                child.force(reason)
            self.set(reason)

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

    def _adopt(self, child: Token) -> None:
        if len(self._children) >= self._prune_at:
            self._children = [ref for ref in self._children if ref() is not None]
            self._prune_at = max(16, 2 * len(self._children))
        self._children.append(weakref.ref(child))

    def _living(self) -> list[Token]:
        return [child for ref in self._children if (child := ref()) is not None]
