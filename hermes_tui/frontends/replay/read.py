"""Reads a recording: lines of stream-json to events. A damaged line costs only itself, and is named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from hermes_tui.engine import events as ev
from hermes_tui.engine.errors import UsageError
from hermes_tui.text import one_line

TYPES: Final[Mapping[str, type[ev.Event]]] = MappingProxyType(
    {
        kind.type: kind
        for kind in vars(ev).values()
        if isinstance(kind, type) and issubclass(kind, ev.Event) and kind.type
    }
)
"""Event classes by the name that stands in their lines."""

NAMED: Final = 20
"""Damaged lines that are named one by one; the rest are counted."""


class PlannedCall(msgspec.Struct):
    """What front ends need of a call in a plan."""

    id: str
    name: str
    reason: str
    after: list[int]
    reads: list[str] = []
    writes: list[str] = []


class Plan(msgspec.Struct):
    """What they need of a plan."""

    schedule: str
    parallel: bool
    reason: str
    calls: list[PlannedCall]


class Asked(msgspec.Struct):
    """What they need of a call in a message."""

    id: str


class Said(msgspec.Struct):
    """What they need of a message."""

    calls: list[Asked] | None = None


def read(file: Path) -> list[ev.Event]:
    """Return the events of a recording, each damaged line as a notice in its place.

    Raises `UsageError` when the file cannot be read or holds no event.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    events = list(events_of(data))
    if all(isinstance(event, ev.Notice) for event in events):
        raise UsageError(f"{file} is no recording: make one with --record FILE, or with --output stream-json")
    return events


def events_of(data: bytes) -> Iterator[ev.Event]:
    """Yield the events in the order of their lines; time never goes back."""
    damaged, last = 0, 0.0
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        event = event_of(line)
        if isinstance(event, ev.Event):
            last = event.time = max(last, event.time)
            yield event
            continue
        damaged += 1
        if damaged <= NAMED:
            yield ev.Notice(level="warning", text=f"line {number} is left out: {event}", time=last)
    if damaged > NAMED:
        yield ev.Notice(level="warning", text=f"{damaged - NAMED} more lines are left out", time=last)


def event_of(line: bytes) -> ev.Event | str:
    """Return the event that a line holds, or why it holds none."""
    try:
        value = json.loads(line)
        if not isinstance(value, dict) or not isinstance(kind := value.get("type"), str):
            return "no event"
        if kind not in TYPES:
            return f"no event is called {one_line(kind, 40)!r}"
        return checked(msgspec.convert(value, TYPES[kind]))
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        return one_line(str(error), 160)


def checked(event: Any) -> ev.Event:
    """Return an event whose free parts have the form that front ends rely on; `ValidationError` if not."""
    if isinstance(event, ev.BatchPlanned):
        msgspec.convert(event.plan, Plan)
    if isinstance(event, ev.MessageDone):
        msgspec.convert(event.message, Said)
    assert isinstance(event, ev.Event)
    return event
