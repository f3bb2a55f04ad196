"""The table of held footprints: what running and abandoned calls touch, across batches and agents.

An abandoned call has not ended. Until it does, what conflicts with it is not started.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any, Final

from hermes_tui.engine.footprint import Footprint, Touch
from hermes_tui.engine.interrupt import Token

MOST_ABANDONED: Final = 8
"""With more calls than this that did not stop, no further call is started."""


class Holder:
    """A call that holds its footprint."""

    def __init__(self, number: str, who: str, footprint: Footprint, within: Holder | None = None) -> None:
        self.within = within
        """The call that this one is a part of: it does not stand in its own way."""
        self.number = number
        """How people call it in its batch: "#1"."""
        self.who = who
        """Which one that is: "patch, batch 3"."""
        self.touch = Touch(footprint)
        self.abandoned = False

    @property
    def doing(self) -> str:
        """What it may still do."""
        return "writing" if self.touch.writes else "running"


class Held:
    """All footprints that are held. Thread-safe."""

    def __init__(self) -> None:
        self._holders: list[Holder] = []
        self._changed = threading.Condition()

    def enter(self, holder: Holder) -> Holder | None:
        """Hold a footprint; if another call's stands against it, return that one and hold nothing."""
        with self._changed:
            for other in self._holders:
                if other is not holder.within and other.touch.conflict(holder.touch) is not None:
                    return other
            self._holders.append(holder)
            return None

    def leave(self, holder: Holder) -> None:
        """The call has ended."""
        with self._changed:
            if holder in self._holders:
                self._holders.remove(holder)
            self._changed.notify_all()

    def abandon(self, holder: Holder) -> None:
        """Nobody waits for this call any longer; it goes on holding until it ends."""
        with self._changed:
            holder.abandoned = True
            self._changed.notify_all()

    def abandoned(self) -> list[Holder]:
        """Return those that were abandoned and have not ended, oldest first."""
        with self._changed:
            return [holder for holder in self._holders if holder.abandoned]

    def wait(self, holder: Holder, token: Token) -> None:
        """Return when `holder` has ended or was abandoned, or the token is set."""
        token.future.add_done_callback(self._poke)
        with self._changed:
            self._changed.wait_for(lambda: holder not in self._holders or holder.abandoned or token.is_set)

    def _poke(self, _: Future[Any]) -> None:
        with self._changed:
            self._changed.notify_all()
