"""Carries events from the engine's threads to the screen's: one drain at a time, at most 30 a second.

Knows no widget and no event type. The outbox calls `wake` from any thread; everything else happens on
the screen's event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from hermes_tui.engine.events import Event
from hermes_tui.frontends.host import Outbox

PAUSE: Final = 1 / 30
"""Seconds between two drains."""


class Bridge:
    """The way of events to the screen."""

    def __init__(
        self,
        outbox: Outbox,
        take: Callable[[list[Event]], None],
        post: Callable[[Callable[[], None]], object],
    ) -> None:
        """`take` gets the events in order; `post` runs a callable as a message of the screen, so that
        its errors are the screen's errors."""
        self._outbox = outbox
        self._take = take
        self._post = post
        self._loop: asyncio.AbstractEventLoop | None = None
        self._armed = False
        self._last = float("-inf")

    def start(self) -> None:
        """Begin; called on the screen's event loop."""
        self._loop = asyncio.get_running_loop()
        self._outbox.listen(self._wake)
        self._arm()

    def _wake(self) -> None:
        """Called from the engine's threads."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the screen has gone
                self._loop.call_soon_threadsafe(self._arm)

    def _arm(self) -> None:
        if self._armed or self._loop is None:
            return
        self._armed = True
        wait = max(0.0, self._last + PAUSE - self._loop.time())
        self._loop.call_later(wait, self._post, self._drain)

    def _drain(self) -> None:
        assert self._loop is not None
        self._armed = False  # before reading: what comes from now on arms the next drain
        self._last = self._loop.time()
        self._take(self._outbox.drain())
