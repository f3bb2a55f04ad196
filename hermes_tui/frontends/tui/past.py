"""What was shown before: a stored session's events, made into what the transcript loads in one go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine import events as ev
from hermes_tui.frontends.replay.read import event_of
from hermes_tui.frontends.runs import Batch, Call, Runs
from hermes_tui.frontends.tui.present import unified_diff
from hermes_tui.frontends.tui.widgets.transcript import (
    AnswerEntry,
    BatchEntry,
    CallEntry,
    Entry,
    NoteEntry,
    ThinkingEntry,
    UserEntry,
)

FIRST: Final = 300
"""Events that are shown at once; their turn is shown whole."""
TURN: Final = b'\n{"type": "turn_started"'
"""How the line of a turn's first event begins, as sessions store it."""


def entries(lines: bytes, folder: Path) -> list[Entry]:
    """Return the conversation of these events, with its calls folded. Takes a while: not on the loop."""
    past = _Past(folder)
    for event in events(lines):
        past.take(event)
    return past.entries()


def newest(lines: bytes) -> int:
    """Return where the newest turns begin that fill a screen or more: they are shown first."""
    place = len(lines)
    for _ in range(FIRST):
        place = lines.rfind(b"\n", 0, place)
        if place < 0:
            return 0
    return lines.rfind(TURN, 0, place) + 1


def prompts(found: list[Entry]) -> list[str]:
    """Return what the user wrote, oldest first."""
    return [entry.text for entry in found if isinstance(entry, UserEntry)]


def events(lines: bytes) -> Iterator[ev.Event]:
    """Yield the events that can be read. Line by line: a list of them all would take as much room again."""
    start = 0
    while start < len(lines):
        end = lines.find(b"\n", start)
        end = len(lines) if end < 0 else end
        if end > start and isinstance(event := event_of(lines[start:end]), ev.Event):
            yield event
        start = end + 1


class _Past:
    """Takes events in their order."""

    def __init__(self, folder: Path) -> None:
        self._runs = Runs(folder)
        self._shown: list[Entry | Batch] = []
        self._diffs: dict[tuple[str | None, int, str], str] = {}
        self._asked: dict[str, str] = {}
        self._take: dict[type[ev.Event], Any] = {
            ev.TurnStarted: lambda event: self._show(event, UserEntry(event.prompt)),
            ev.ThinkingDelta: lambda event: self._show(event, ThinkingEntry(event.text)),
            ev.MessageDone: self._message_done,
            ev.BatchPlanned: lambda event: self._shown.append(self._runs.planned(event)),
            ev.CallStarted: self._runs.started,
            ev.CallFinished: self._call_finished,
            ev.BatchFinished: self._runs.batch_finished,
            ev.QuestionAsked: self._question_asked,
            ev.CheckpointMade: self._runs.checkpoint,
            ev.Notice: self._notice,
            ev.TurnFinished: self._turn_finished,
        }

    def take(self, event: ev.Event) -> None:
        """Take one event."""
        if (take := self._take.get(type(event))) is not None:
            take(event)

    def entries(self) -> list[Entry]:
        """Return all as the transcript takes it."""
        return [self._batch(shown) if isinstance(shown, Batch) else shown for shown in self._shown]

    def _show(self, event: ev.Event, entry: Entry) -> None:
        """Show what the session's own agent said or was told."""
        if event.agent is not None:
            return
        last = self._shown[-1] if self._shown else None
        if isinstance(entry, ThinkingEntry) and isinstance(last, ThinkingEntry):
            self._shown[-1] = ThinkingEntry(last.text + entry.text)  # it was kept once a second
        else:
            self._shown.append(entry)

    def _message_done(self, event: ev.MessageDone) -> None:
        self._runs.message(event)
        if text := str(event.message.get("content") or ""):
            self._show(event, AnswerEntry(text))
        if event.message.get("broken"):
            self._show(event, NoteEntry("the answer broke off here", "warning"))

    def _notice(self, event: ev.Notice) -> None:
        steered = event.level == ev.STEERED and event.agent is None
        self._shown.append(UserEntry(event.text) if steered else NoteEntry(event.text, event.level))

    def _question_asked(self, event: ev.QuestionAsked) -> None:
        self._asked[event.call] = unified_diff(event.preview)

    def _call_finished(self, event: ev.CallFinished) -> None:
        asked = self._asked.pop(event.id, "")
        self._runs.finished(event)
        if event.status == "ok" and (diff := unified_diff(event.content) or asked):
            self._diffs[event.agent, event.batch, event.id] = diff

    def _turn_finished(self, event: ev.TurnFinished) -> None:
        if event.agent is None and event.reason == "interrupted":
            self._shown.append(NoteEntry(f"interrupted{f': {event.error}' if event.error else ''}"))
        elif event.agent is None and event.error:
            level = "warning" if event.reason == "limit" else "error"
            self._shown.append(NoteEntry(event.error, level))

    def _batch(self, batch: Batch) -> BatchEntry:
        calls = (self._call(batch, call) for call in batch.calls.values())
        return BatchEntry(batch.number, batch.title, tuple(calls))

    def _call(self, batch: Batch, call: Call) -> CallEntry:
        diff = self._diffs.get((batch.agent, batch.number, call.id), "")
        return CallEntry(call.id, call.name, call.main, call.state, call.display, call.text, diff)
