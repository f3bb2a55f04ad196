"""Keeps a session as it happens: `engine.protocols.Recorder`. Makes the rows; `writer.py` writes them.

Streamed text is kept once a second until its message is there, which then stands for it.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine import events as ev
from hermes_tui.engine.messages import Message
from hermes_tui.sessions import library
from hermes_tui.sessions.database import Work
from hermes_tui.sessions.owner import me, release
from hermes_tui.sessions.rows import row_of, to_json
from hermes_tui.sessions.title import title_of
from hermes_tui.sessions.writer import Notice, Writer

AWAITED: Final = (
    ev.TurnStarted,
    ev.MessageDone,
    ev.BatchPlanned,
    ev.CheckpointMade,
    ev.CallStarted,
    ev.CallFinished,
    ev.BatchFinished,
    ev.QuestionAsked,
    ev.TurnFinished,
)
"""Events that are safe before they are shown. All come from the engine's own threads; a notice may come
from the writer itself, and an answer from the screen: those wait for nothing."""
PASSING: Final = (ev.CallOutput, ev.Heartbeat, ev.CallWaiting)
"""Events that are only a live view."""
EARLY: Final = 100
"""Events before the first turn that are kept."""

INSERT_MESSAGE: Final = (
    "INSERT INTO messages (session, number, time, role, kind, content, call_id, extra, live, shown)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?)"
)
INSERT_EVENT: Final = "INSERT INTO events (session, number, type, body) VALUES (?, ?, ?, ?)"


@dataclass(slots=True)
class Position:
    """Where a session stands: what the next row of it needs to know."""

    session: str
    project: str
    folder: str
    parent: str | None = None
    number: int = 0
    """Of its newest row."""
    live: list[int] = field(default_factory=list)
    """The numbers of the messages that the model gets, in order."""
    asked: int = 0
    """The number of the newest message with calls: what a batch may know of the session ends before it."""
    partial: int | None = None
    """The number of the first kept part of an answer whose message is not there."""


class SessionRecorder:
    """Records one session after another. Thread-safe."""

    def __init__(self, path: Path, position: Position, notice: Notice) -> None:
        self._lock = threading.Lock()
        self._position = position
        self._streamed: dict[str, list[str]] = {}
        """Pieces that are not kept yet, by the type of their events."""
        self._early: list[ev.Event] = []
        self._last = 0.0
        """The newest event's time."""
        self.writer = Writer(path, notice, self._take_streamed)

    @property
    def position(self) -> Position:
        """Where the session stands."""
        return self._position

    def begin(self, position: Position) -> None:
        """Let go of the session and record another from now on."""
        if self._position.number:
            self.writer.put(self._released())
        with self._lock:
            self._streamed.clear()
            self._early.clear()
            self._position = position

    def close(self, timeout: float) -> bool:
        """Write what is left; False when that takes longer."""
        return self.writer.close(self._released(), timeout)

    # -- engine.protocols.Recorder --------------------------------------------------------------------

    def message(self, message: Message) -> None:
        """Keep a message that joins the conversation."""
        with self._lock:
            number = self._next()
            self._position.live.append(number)
            if message.calls:
                self._position.asked = number
        self.writer.put(self._works(_kept(self._position.session, number, message)))

    def event(self, event: ev.Event) -> None:
        """Keep an event; return when it is safe, if a front end must not show it before."""
        if isinstance(event, PASSING):
            return
        if isinstance(event, ev.TextDelta | ev.ThinkingDelta):
            if event.agent is None:
                with self._lock:
                    self._streamed.setdefault(event.type, []).append(event.text)
                self.writer.soon()
            return
        if self._position.number == 0 and not isinstance(event, ev.TurnStarted):
            self._early.append(event)
            return
        for early in self._take_early():
            self.event(early)
        if event.agent is None and isinstance(event, ev.MessageDone | ev.TurnFinished):
            self._end_streaming(is_told=isinstance(event, ev.MessageDone))
        with self._lock:
            number, now = self._next(), self._now()
        work = _told(self._position.session, number, now, event)
        self.writer.put(self._works(work), isinstance(event, AWAITED))

    def _take_early(self) -> list[ev.Event]:
        """Return the events that came before the first turn: without one there is no session."""
        with self._lock:
            early, self._early = self._early[:EARLY], []
            if early:
                self._next()
            return early

    def cut(self, keep: int) -> None:
        """Note that the model gets only the first `keep` messages from now on."""
        with self._lock:
            gone, self._position.live = self._position.live[keep:], self._position.live[:keep]
        if gone:
            self.writer.put(self._works(_dead(self._position.session, gone)))

    def replaced(self, messages: Sequence[Message]) -> None:
        """Note that the model gets these from now on: copies that are sent, not shown."""
        with self._lock:
            gone = self._position.live
            numbers = [self._next() for _ in messages]
            self._position.live = numbers
        session = self._position.session
        copies = [_kept(session, *pair, shown=False) for pair in zip(numbers, messages, strict=True)]
        self.writer.put(self._works(_dead(session, gone), *copies))

    # -- more that is kept ----------------------------------------------------------------------------

    def rename(self, title: str) -> None:
        """Give the session another title."""
        session = self._position.session
        self.writer.put(self._works(lambda connection: library.rename(connection, session, title)))

    def state(self, value: dict[str, Any]) -> None:
        """Keep what else belongs to the session (its todo list), in place of what was there."""
        body, session = to_json(value).decode("utf-8", "replace"), self._position.session

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE sessions SET state = ? WHERE id = ?", (body, session))

        self.writer.put(self._works(work))

    # -- how ------------------------------------------------------------------------------------------

    def _next(self) -> int:
        self._position.number += 1
        return self._position.number

    def _now(self) -> float:
        """Return the time of an event; it never goes back."""
        self._last = max(self._last, time.time())
        return self._last

    def _end_streaming(self, is_told: bool) -> None:
        """The answer is over: a message that tells its text stands for it; thinking is kept as it is."""
        with self._lock:
            if is_told:
                self._streamed.pop("text_delta", None)
            partial, self._position.partial = self._position.partial, None
        session = self._position.session
        if is_told and partial is not None:
            self.writer.put(lambda connection: _forget_partial(connection, session, partial))
        if (work := self._take_streamed()) is not None:
            self.writer.put(work)

    def _take_streamed(self) -> Work[None] | None:
        """Return how to keep the pieces that came since the last time."""
        with self._lock:
            pieces, self._streamed = self._streamed, {}
            numbers, now = [self._next() for _ in pieces], self._now()
            if "text_delta" in pieces and self._position.partial is None:
                self._position.partial = numbers[0]
        if not pieces:
            return None
        rows = [
            _row(self._position.session, number, kind, {"time": now, "agent": None, "text": "".join(texts)})
            for number, (kind, texts) in zip(numbers, pieces.items(), strict=True)
        ]
        return self._works(lambda connection: connection.executemany(INSERT_EVENT, rows))

    def _works(self, *works: Work[Any]) -> Work[None]:
        """Return the works as one, behind what makes sure that the session has a row."""
        position, now = self._position, time.time()
        row = (position.session, position.project, position.folder, now, now, position.parent, me())

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO sessions (id, project, folder, created, updated, parent, owner)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                row,
            )
            for each in works:
                each(connection)

        return work

    def _released(self) -> Work[None]:
        session = self._position.session
        return lambda connection: release(connection, session)


def _kept(session: str, number: int, message: Message, shown: bool = True) -> Work[None]:
    """Return how to keep a message."""
    now = time.time()
    row = (session, number, now, *row_of(message), shown)
    is_prompt = shown and message.role == "user" and not message.kind
    title = title_of(message.content) if is_prompt else ""

    def work(connection: sqlite3.Connection) -> None:
        connection.execute(INSERT_MESSAGE, row)
        connection.execute("UPDATE sessions SET updated = ? WHERE id = ?", (now, session))
        if title:
            connection.execute("UPDATE sessions SET title = ? WHERE id = ? AND title = ''", (title, session))

    return work


def _told(session: str, number: int, now: float, event: ev.Event) -> Work[None]:
    """Return how to keep an event."""
    row = _row(session, number, event.type, {**event.as_dict(), "time": now})
    model = event.model if isinstance(event, ev.TurnStarted) else ""

    def work(connection: sqlite3.Connection) -> None:
        connection.execute(INSERT_EVENT, row)
        if model:
            connection.execute("UPDATE sessions SET model = ? WHERE id = ?", (model, session))

    return work


def _dead(session: str, numbers: Sequence[int]) -> Work[None]:
    """Return how to note that the model no longer gets some messages."""
    rows = [(session, number) for number in numbers]

    def work(connection: sqlite3.Connection) -> None:
        connection.executemany("UPDATE messages SET live = 0 WHERE session = ? AND number = ?", rows)

    return work


def _forget_partial(connection: sqlite3.Connection, session: str, first: int) -> None:
    """Drop the kept parts of an answer whose message is there."""
    connection.execute(
        "DELETE FROM events WHERE session = ? AND number >= ? AND type = 'text_delta'", (session, first)
    )


def _row(session: str, number: int, kind: str, body: dict[str, Any]) -> tuple[str, int, str, bytes]:
    """Return a row of `events`: its body is a line of stream-json."""
    return session, number, kind, to_json({"type": kind, **body})
