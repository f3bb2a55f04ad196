"""Gives recorded events out at the pace at which they came, or at once. Knows no front end.

The times in the events stay those of the recording: who shows how long something has run asks `Player.now`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes_tui.engine import events as ev

PAUSE: Final = 2.0
"""Seconds of the recording that are waited at most between two turns: somebody thought, or had lunch."""
DRAINED: Final = 500
"""Events that one drain takes at most."""


def completed(events: Sequence[ev.Event]) -> Iterator[ev.Event]:
    """Yield the events, after each answered question what was answered, and an end where there is none."""
    asked: dict[str, str] = {}
    running, last = False, 0.0
    for event in events:
        yield event
        last = event.time
        match event:
            case ev.TurnStarted(agent=None):
                running = True
            case ev.TurnFinished(agent=None):
                running = False
            case ev.QuestionAsked():
                asked[event.id] = event.text
            case ev.QuestionAnswered() if event.id in asked:
                said = ", ".join(filter(None, (event.answer, event.scope)))
                text = f"{asked.pop(event.id)} — {event.how}" + (f": {said}" if said else "")
                yield ev.Notice(level="info", text=text, time=last, agent=event.agent)
            case _:
                pass
    if running:
        yield ev.TurnFinished(reason="error", error="the recording ends before the turn does", time=last)


class Player:
    """A recording as an outbox: somebody listens and drains."""

    def __init__(self, events: Sequence[ev.Event], speed: float) -> None:
        """`speed`: how many recorded seconds pass in one; 0: no time passes at all."""
        self._events = list(completed(events))
        self._speed = speed
        self._lock = threading.Lock()
        self._ready: deque[ev.Event] = deque()
        self._wake: Callable[[], None] | None = None
        self._rush = threading.Event()
        if not speed:
            self._rush.set()
        self._at = (time.monotonic(), self._events[0].time if self._events else 0.0)
        """When the newest event was given out, on our clock and on the recording's."""
        self._running = False
        self.busy = False
        """Whether a turn is being played."""

    def now(self) -> float:
        """Return the recording's time."""
        since, recorded = self._at
        if self._rush.is_set() or not self._running:
            return recorded
        return recorded + (time.monotonic() - since) * self._speed

    def start(self, over: Callable[[], None]) -> None:
        """Begin to play, in a thread; `over` is called there when nothing is left."""
        self._running = True

        def play() -> None:
            for event in self.paced():
                self.put(event)
            self._running = False
            over()

        threading.Thread(target=play, name="replay", daemon=True).start()

    def paced(self) -> Iterator[ev.Event]:
        """Yield the events, each when it is due."""
        turn, last = False, self._events[0].time if self._events else 0.0
        for event in self._events:
            gap = max(0.0, event.time - last)
            if not self._rush.is_set():
                self._rush.wait((gap if turn else min(gap, PAUSE)) / self._speed)
            last = event.time
            self._at = (time.monotonic(), last)
            if event.agent is None and isinstance(event, ev.TurnStarted | ev.TurnFinished):
                turn = self.busy = isinstance(event, ev.TurnStarted)
            yield event

    def rush(self) -> bool:
        """Give out all the rest at once; False when nothing is left."""
        left = self.busy or self._running
        self._rush.set()
        return left

    # -- as an outbox ---------------------------------------------------------------------------------

    def put(self, event: ev.Event) -> None:
        """Hand an event to the listener."""
        with self._lock:
            self._ready.append(event)
            wake = self._wake
        if wake is not None:
            wake()

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake`, from any thread, when there is something to drain."""
        with self._lock:
            self._wake = wake
        wake()

    def drain(self) -> list[ev.Event]:
        """Return what is due, not more than a screen takes in one go."""
        with self._lock:
            taken = [self._ready.popleft() for _ in range(min(DRAINED, len(self._ready)))]
            wake = self._wake if self._ready else None
        if wake is not None:
            wake()
        return taken
