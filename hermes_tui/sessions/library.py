"""Which sessions there are: list, find, rename, delete, fork, and what one of them holds.

Functions on a connection; who calls them decides on the thread and on how long to wait.
"""

from __future__ import annotations

import json
import sqlite3
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hermes_tui.engine.errors import SessionError
from hermes_tui.engine.messages import Message
from hermes_tui.sessions import index, owner
from hermes_tui.sessions.rows import COLUMNS, from_json, message_of

SHORT: Final = 8
"""Digits of an id that are shown; as many of them as tell it apart are enough to name it."""


@dataclass(frozen=True, slots=True)
class Session:
    """What a list shows of a session."""

    id: str
    project: str
    folder: str
    title: str
    created: float
    updated: float
    model: str
    parent: str | None
    messages: int
    """How many were said."""
    running: bool
    """Whether another process writes it."""

    @property
    def short(self) -> str:
        """The id as it is shown."""
        return self.id[:SHORT]


@dataclass(frozen=True, slots=True)
class Stored:
    """One message as it is stored."""

    key: int
    """Its number over all sessions: the `message_id` of searches."""
    number: int
    time: float
    live: bool
    """Whether the model still gets it."""
    message: Message


_LIST: Final = """
SELECT id, project, folder, title, created, updated, model, parent,
       (SELECT count(*) FROM messages WHERE session = sessions.id AND shown), owner
FROM sessions
"""
_SAID: Final = "EXISTS (SELECT 1 FROM messages WHERE session = sessions.id)"


def sessions(connection: sqlite3.Connection, project: str | None, limit: int) -> list[Session]:
    """Return the sessions of a project (None: of all), that with the newest message first."""
    where = "AND project = :project" if project is not None else ""
    rows = connection.execute(
        f"{_LIST} WHERE {_SAID} {where} ORDER BY updated DESC LIMIT :limit",
        {"project": project, "limit": limit},
    )
    return [_session(row) for row in rows]


def find(connection: sqlite3.Connection, wanted: str) -> Session:
    """Return the session whose id is, or alone begins with, `wanted`; `SessionError` if there is none."""
    rows = connection.execute(
        f"{_LIST} WHERE substr(id, 1, ?) = ? ORDER BY id = ? DESC LIMIT 2", (len(wanted), wanted, wanted)
    ).fetchall()
    if not rows or not wanted:
        raise SessionError(f"no session {wanted!r}; hermes-tui sessions list shows them")
    if len(rows) > 1 and rows[0][0] != wanted:
        raise SessionError(f"several sessions begin with {wanted!r}; give more of the id")
    return _session(rows[0])


def newest(connection: sqlite3.Connection, project: str) -> Session:
    """Return the project's session with the newest message; `SessionError` when there is none."""
    rows = connection.execute(
        f"{_LIST} WHERE project = ? AND {_SAID} ORDER BY updated DESC LIMIT 1", (project,)
    ).fetchall()
    if not rows:
        raise SessionError("no session of this project yet; start one without --continue")
    return _session(rows[0])


def conversation(connection: sqlite3.Connection, session: str) -> list[Stored]:
    """Return what was said in a session, in order, also what the model no longer gets."""
    rows = connection.execute(
        f"SELECT {COLUMNS}, key, number, time, live FROM messages WHERE session = ? AND shown"
        " ORDER BY number",
        (session,),
    )
    return [Stored(row[5], row[6], row[7], bool(row[8]), message_of(row)) for row in rows]


def current(connection: sqlite3.Connection, session: str) -> tuple[list[int], list[Message]]:
    """Return what the model gets, in order: the numbers of the messages, and the messages."""
    rows = connection.execute(
        f"SELECT {COLUMNS}, number FROM messages WHERE session = ? AND live ORDER BY number", (session,)
    ).fetchall()
    return [row[5] for row in rows], [message_of(row) for row in rows]


def events(connection: sqlite3.Connection, session: str, after: int = 0) -> Iterator[dict[str, Any]]:
    """Yield a session's events behind row `after`, as in stream-json; `row` says which each is."""
    rows = connection.execute(
        "SELECT number, body FROM events WHERE session = ? AND number > ? ORDER BY number", (session, after)
    )
    for number, body in rows:
        if isinstance(event := from_json(body), dict):
            yield {**event, "row": number}


def lines(connection: sqlite3.Connection, session: str) -> bytes:
    """Return a session's events as they are stored, a line each."""
    rows = connection.execute("SELECT body FROM events WHERE session = ? ORDER BY number", (session,))
    return b"\n".join(body for (body,) in rows)


def last_number(connection: sqlite3.Connection, session: str) -> int:
    """Return the number of a session's newest row, 0 if it has none."""
    row = connection.execute(
        "SELECT max(coalesce((SELECT max(number) FROM messages WHERE session = :id), 0),"
        " coalesce((SELECT max(number) FROM events WHERE session = :id), 0))",
        {"id": session},
    ).fetchone()
    return int(row[0])


def ancestors(connection: sqlite3.Connection, session: str) -> list[str]:
    """Return the ids of the sessions that a session was forked from, the nearest first."""
    found: list[str] = []
    while row := connection.execute("SELECT parent FROM sessions WHERE id = ?", (session,)).fetchone():
        session = row[0]
        if session is None or session in found:
            break
        found.append(session)
    return found


def state(connection: sqlite3.Connection, session: str) -> dict[str, Any]:
    """Return what else belongs to a session."""
    row = connection.execute("SELECT state FROM sessions WHERE id = ?", (session,)).fetchone()
    try:
        found = json.loads(row[0]) if row else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


# -- what changes them; each needs a transaction -------------------------------------------------------


def rename(connection: sqlite3.Connection, session: str, title: str) -> None:
    """Give a session another title."""
    connection.execute("UPDATE sessions SET title = ? WHERE id = ?", (title, session))


def move(connection: sqlite3.Connection, session: str, project: str, folder: str) -> None:
    """Let a session belong to another project."""
    connection.execute("UPDATE sessions SET project = ?, folder = ? WHERE id = ?", (project, folder, session))


def delete(connection: sqlite3.Connection, session: str) -> None:
    """Remove a session and all it holds; `SessionError` while a running process writes it."""
    row = connection.execute("SELECT owner FROM sessions WHERE id = ?", (session,)).fetchone()
    if row is not None and owner.is_running(row[0]):
        raise SessionError("this session is open in another window: leave it there first")
    index.remove(connection, session)
    connection.execute("DELETE FROM sessions WHERE id = ?", (session,))


def fork(connection: sqlite3.Connection, session: str, title: str = "") -> str:
    """Copy a session as it is now, owned by this process; return the copy's id."""
    copy = uuid.uuid4().hex
    now = time.time()
    connection.execute(
        "INSERT INTO sessions SELECT ?, project, folder, CASE ? WHEN '' THEN title ELSE ? END,"
        " ?, updated, model, id, ?, state FROM sessions WHERE id = ?",
        (copy, title, title, now, owner.me(), session),
    )
    columns = f"number, time, {COLUMNS}, live, shown"
    connection.execute(
        f"INSERT INTO messages (session, {columns}) SELECT ?, {columns} FROM messages"
        " WHERE session = ? ORDER BY number",
        (copy, session),
    )
    connection.execute(
        "INSERT INTO events (session, number, type, body) SELECT ?, number, type, body FROM events"
        " WHERE session = ? ORDER BY number",
        (copy, session),
    )
    return copy


def _session(row: Sequence[Any]) -> Session:
    session, project, folder, title, created, updated, model, parent, messages, signed = row
    running = owner.is_running(signed)
    return Session(session, project, folder, title, created, updated, model, parent, messages, running)
