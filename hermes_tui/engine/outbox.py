"""The one way out: events from any thread to one listener, which is woken once and then drains.

Stamps the time, which never goes back. Live output is lossy here and nowhere else: the newest 16 kB of a
call, one event a call in 33 ms. Idle, nothing ticks. Must never block a producer.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from hermes_tui.engine.events import CallFinished, CallOutput, Event, TextDelta, ThinkingDelta

OUTPUT_KEPT: Final = 16_384
"""Characters of live output that wait for the listener; older ones are dropped, and that is said."""

OUTPUT_EVERY: Final = 0.033
"""Seconds between two output events of one call."""

Key = tuple[str | None, int, str]
"""Agent, batch, call id."""


class Out(Protocol):
    """Where events go."""

    def put(self, event: Event) -> None:
        """Hand an event on. Thread-safe, never blocks."""


def _forget(event: Event) -> None:
    """Keep no record."""


class Tail:
    """The newest output of one call that nobody has seen."""

    def __init__(self, batch: int, call_id: str, agent: str | None) -> None:
        self._event = CallOutput(batch=batch, id=call_id, agent=agent, text="")
        self._pieces: deque[str] = deque()
        self._size = 0
        self._dropped = 0
        self.due = 0.0
        """Monotonic seconds before which no further event is due."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self._size

    def add(self, text: str) -> None:
        """Take output, and drop what is too old."""
        if len(text) > OUTPUT_KEPT:
            self._dropped += len(text) - OUTPUT_KEPT
            text = text[-OUTPUT_KEPT:]
        self._pieces.append(text)
        self._size += len(text)
        while (over := self._size - OUTPUT_KEPT) > 0:
            oldest = self._pieces.popleft()
            if len(oldest) > over:
                self._pieces.appendleft(oldest[over:])
            gone = min(len(oldest), over)
            self._dropped += gone
            self._size -= gone

    def take(self, now: float) -> CallOutput:
        """Return the event, and begin anew."""
        dropped = f"[… {self._dropped} characters not shown …]\n" if self._dropped else ""
        event = replace(self._event, text=dropped + "".join(self._pieces))
        self._pieces.clear()
        self._size = self._dropped = 0
        self.due = now + OUTPUT_EVERY
        return event


class Outbox:
    """A queue of events. Any thread puts; one listener drains."""

    def __init__(self, record: Callable[[Event], None] = _forget) -> None:
        """`record` is called with each event before the listener can see it, in the producer's thread."""
        self._record = record
        self.tap: Callable[[Event], None] = _forget
        """Called with each event that is drained, live output too, in the listener's thread."""
        self._lock = threading.Lock()
        self._queue: list[Event] = []
        self._tails: dict[Key, Tail] = {}
        self._wake: Callable[[], None] | None = None
        self._armed = False
        self._timer: threading.Timer | None = None
        self._last = 0.0

    def put(self, event: Event) -> None:
        """Record an event and hand it to the listener. Thread-safe, never blocks on the listener."""
        if not isinstance(event, CallOutput):
            self._record(event)
        with self._lock:
            if isinstance(event, CallOutput):
                key = (event.agent, event.batch, event.id)
                tail = self._tails.get(key)
                if tail is None:
                    tail = self._tails[key] = Tail(event.batch, event.id, event.agent)
                tail.add(event.text)
                if self._timer is not None:
                    return  # it is not due yet, and the timer brings it
            else:
                if isinstance(event, CallFinished):
                    tail = self._tails.pop((event.agent, event.batch, event.id), None)
                    if tail is not None and not tail.is_empty:
                        self._append(tail.take(0.0))
                self._append(event)
            wake = self._arm()
        if wake is not None:
            wake()

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` (from any thread; it must not block) when there is something to drain."""
        with self._lock:
            self._wake = wake
            self._armed = False
            call = self._arm() if self._queue or self._tails else None
        if call is not None:
            call()

    def drain(self) -> list[Event]:
        """Return what has come since the last time, neighbouring deltas joined."""
        with self._lock:
            self._armed = False
            queue, self._queue = self._queue, []
            self._take_output(queue)
        events = joined(queue)
        for event in events:
            self.tap(event)
        return events

    def _append(self, event: Event) -> None:
        self._last = event.time = max(self._last, time.time())
        self._queue.append(event)

    def _arm(self) -> Callable[[], None] | None:
        """Return whom to wake, if this producer is the one that finds the outbox unarmed."""
        if self._armed or self._wake is None:
            return None
        self._armed = True
        return self._wake

    def _take_output(self, queue: list[Event]) -> None:
        """Add the output that is due to what is drained; a timer brings the rest."""
        now = time.monotonic()
        next_due: float | None = None
        for tail in self._tails.values():
            if tail.is_empty:
                continue
            if tail.due <= now:
                event = tail.take(now)
                self._last = event.time = max(self._last, time.time())
                queue.append(event)
            elif next_due is None or tail.due < next_due:
                next_due = tail.due
        if next_due is not None and self._timer is None:
            self._timer = threading.Timer(next_due - now, self._due)
            self._timer.daemon = True
            self._timer.start()

    def _due(self) -> None:
        with self._lock:
            self._timer = None
            wake = self._arm()
        if wake is not None:
            wake()


def joined(events: list[Event]) -> list[Event]:
    """Return the events with neighbouring pieces of one text as one event."""
    result: list[Event] = []
    pieces: list[str] = []
    for event in events:
        last = result[-1] if result else None
        if isinstance(event, TextDelta | ThinkingDelta) and _continues(last, event):
            pieces.append(event.text)
            continue
        _close(last, pieces)
        result.append(event)
    _close(result[-1] if result else None, pieces)
    return result


def _continues(last: Event | None, event: Event) -> bool:
    return last is not None and last.type == event.type and last.agent == event.agent


def _close(last: Event | None, pieces: list[str]) -> None:
    if pieces and isinstance(last, TextDelta | ThinkingDelta):
        last.text += "".join(pieces)
        pieces.clear()
