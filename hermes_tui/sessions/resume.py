"""Takes a session up again: what the model gets, and an honest end for whatever a crash left open.

A call without a result gets the one that was shown, or a label; half an answer is kept and marked; the events
of the broken turn end as every turn's do. All of that is stored as if the engine had said it.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from hermes_tui.engine import events as ev
from hermes_tui.engine.messages import Message
from hermes_tui.engine.validity import NO_RESULT
from hermes_tui.sessions import library
from hermes_tui.sessions.library import Session
from hermes_tui.sessions.recorder import Position
from hermes_tui.sessions.rows import from_json

Numbered = tuple[int, Message]
"""A message and the number of its row."""

NOT_STARTED: Final = "[not started: the program ended before this call ran. Nothing of it was done]"
NO_PROMPT: Final = "/compact"
"""How the prompt of a turn begins that says nothing to the model."""
ENDED: Final = "the program ended in the middle of this turn"


@dataclass(slots=True)
class Taken:
    """A session that goes on."""

    position: Position
    messages: list[Message] = field(default_factory=list)
    """What the model gets, without what is `missing`."""
    missing: list[Message | ev.Event] = field(default_factory=list)
    """What a crash left out, in order: to be recorded, and messages to be sent too."""
    batches: int = 0
    """The number of its newest batch."""
    state: dict[str, Any] = field(default_factory=dict)
    """What else belongs to it."""
    model: str = ""
    """Who answered last."""
    ancestors: list[str] = field(default_factory=list)
    """The sessions it was forked from, the nearest first: its conversation may name their files."""
    notices: list[str] = field(default_factory=list)
    """What to tell the user of how it was taken up."""


def take(connection: sqlite3.Connection, session: Session) -> Taken:
    """Return a session as it can go on. Reads only."""
    with uncollected():
        live, messages = library.current(connection, session.id)
    stored = list(zip(live, messages, strict=True))
    number = library.last_number(connection, session.id)
    asked = next((number for number, message in reversed(stored) if message.calls), 0)
    position = Position(session.id, session.project, session.folder, session.parent, number, live, asked)
    tail = _Tail(list(library.events(connection, session.id, _turn_begin(connection, session.id) - 1)))
    position.partial = tail.partial
    return Taken(
        position,
        messages,
        tail.missing(stored),
        _batches(connection, session.id),
        library.state(connection, session.id),
        session.model,
        library.ancestors(connection, session.id),
    )


@contextmanager
def uncollected() -> Iterator[None]:
    """Make thousands of objects, none of which is garbage, without looking for garbage among them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _turn_begin(connection: sqlite3.Connection, session: str) -> int:
    """Return the number of the newest turn's first event."""
    row = connection.execute(
        "SELECT max(number) FROM events WHERE session = ? AND type = 'turn_started'", (session,)
    ).fetchone()
    return int(row[0] or 1)


def _batches(connection: sqlite3.Connection, session: str) -> int:
    """Return the number of the newest batch of the session's own agent."""
    rows = connection.execute(
        "SELECT body FROM events WHERE session = ? AND type = 'batch_planned' ORDER BY number DESC LIMIT 50",
        (session,),
    )
    planned = (from_json(body) or {} for (body,) in rows)
    return max((int(event.get("batch", 0)) for event in planned), default=0)


class _Tail:
    """The newest turn's events, and what is missing in them."""

    def __init__(self, events: Sequence[dict[str, Any]]) -> None:
        self._own = [event for event in events if event.get("agent") is None]
        self._all = events

    @property
    def partial(self) -> int | None:
        """The number of the first part of an answer whose message is not there."""
        return next((int(event["row"]) for event in self._pieces()), None)

    def missing(self, stored: Sequence[Numbered]) -> list[Message | ev.Event]:
        """Return what has to be added to the messages and to the events, in order."""
        open_ended = bool(self._own) and self._own[-1]["type"] != "turn_finished"
        if not open_ended:
            return [message for message, _ in self._results(stored)]
        found: list[Message | ev.Event] = [*self._prompt(stored), *self._answer()]
        for message, event in self._results(stored):
            found += [event, message] if event is not None else [message]
        found += self._end_of_batch()
        return [*found, ev.TurnFinished(reason="interrupted", error=ENDED)]

    def _of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self._own if event["type"] == kind]

    def _prompt(self, stored: Sequence[Numbered]) -> list[Message]:
        """Return the prompt, if the turn began and the program ended before it joined the conversation."""
        began = self._of("turn_started")
        if (
            not began
            or began[-1]["prompt"].startswith(NO_PROMPT)
            or any(
                number > began[-1]["row"] and message.role == "user" and not message.kind
                for number, message in stored
            )
        ):
            return []
        return [Message("user", str(began[-1]["prompt"]))]

    def _answer(self) -> list[Message | ev.Event]:
        """Return the part of an answer that was kept, marked."""
        text = "".join(str(event["text"]) for event in self._pieces())
        if not text.strip():
            return []
        message = Message("assistant", text, broken=True)
        body = {"role": "assistant", "content": text, "calls": [], "reasoning": "", "broken": True}
        return [message, ev.MessageDone(message=body)]

    def _pieces(self) -> list[dict[str, Any]]:
        """Return the kept parts of an answer whose message is not there."""
        done = max((event["row"] for event in self._of("message_done")), default=0)
        return [event for event in self._of("text_delta") if event["row"] > done]

    def _results(self, stored: Sequence[Numbered]) -> list[tuple[Message, ev.CallFinished | None]]:
        """Return a result for each call that has none, and the event that tells it if there was none."""
        given: set[str | None] = set()
        for _, message in reversed(stored):
            if message.role != "tool":
                return [self._result(call.id) for call in message.calls if call.id not in given]
            given.add(message.call_id)
        return []

    def _result(self, call_id: str) -> tuple[Message, ev.CallFinished | None]:
        finished = [event for event in self._of("call_finished") if event["id"] == call_id]
        if finished:
            return Message("tool", str(finished[-1]["content"]), call_id=call_id), None
        started = any(event["id"] == call_id for event in self._of("call_started"))
        status, content = ("abandoned", NO_RESULT) if started else ("not_started", NOT_STARTED)
        event = ev.CallFinished(
            batch=self._batch(), id=call_id, status=status, content=content, display="", seconds=0.0
        )
        return Message("tool", content, call_id=call_id), event if self._is_planned(call_id) else None

    def _batch(self) -> int:
        planned = self._of("batch_planned")
        return int(planned[-1]["batch"]) if planned else 0

    def _is_planned(self, call_id: str) -> bool:
        """Whether the newest plan has the call: without one the events never speak of it."""
        planned = self._of("batch_planned")
        return bool(planned) and any(call["id"] == call_id for call in planned[-1]["plan"]["calls"])

    def _end_of_batch(self) -> list[ev.Event]:
        """Return the end of the batch that ran."""
        planned, over = self._of("batch_planned"), self._of("batch_finished")
        if len(planned) == len(over):
            return []
        return [ev.BatchFinished(batch=self._batch(), seconds=0.0, serial_seconds=0.0)]
