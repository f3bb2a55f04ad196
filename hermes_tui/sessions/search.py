"""Search over what was said: words for the ranking, pieces of three characters for everything else.

A query is text: quotes, hyphens, stars and operators in it are searched for. Every blank-separated term must
be there; when no message has all of them, those that have most come first. Writes nothing: messages that are
not indexed yet are read as they are.
"""

from __future__ import annotations

import math
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hermes_tui.engine.errors import SessionError
from hermes_tui.engine.messages import Message
from hermes_tui.sessions import index, library
from hermes_tui.sessions.rows import COLUMNS, decode, message_of
from hermes_tui.sessions.snippet import snippet

PIECE: Final = 3
"""Characters of the shortest term that the table of pieces finds."""
RANKED: Final = 300
"""Of more matches than these only the newest are looked at."""
READ: Final = 20_000
"""Newest messages that are read one by one for terms too short for the index."""
HALF_LIFE: Final = 30 * 86_400.0
"""Seconds in which half of a match's bonus for being new is gone."""
MOST_TERMS: Final = 12


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for, and where."""

    text: str
    limit: int = 10
    session: str | None = None
    """Only in this session."""
    project: str | None = None
    """Only in sessions of this project."""
    roles: tuple[str, ...] = ()
    """Only messages of these roles; empty: of all."""
    bound: tuple[str, int] | None = None
    """A session, and the number from which on its messages are not seen."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One message that matches."""

    key: int
    """The message's number over all sessions."""
    session: str
    title: str
    time: float
    role: str
    snippet: str
    """Its text around the first match, on one line."""
    score: float
    """Higher is better; comparable within one answer only."""


@dataclass(frozen=True, slots=True)
class _Row:
    key: int
    score: float
    number: int
    session: str
    title: str
    time: float
    role: str
    text: str


def search(connection: sqlite3.Connection, query: Query) -> list[Hit]:
    """Return the best matches, best first. A broken index is an error, never "nothing found"."""
    terms = index.plain(query.text).split()[:MOST_TERMS]
    if not terms or query.limit < 1:
        return []
    rows = list(_matches(connection, query, terms, "AND"))
    if not rows and len(terms) > 1:
        rows = list(_matches(connection, query, terms, "OR"))
    found: dict[tuple[str, str], Hit] = {}
    for row in sorted(rows, key=lambda row: (row.score, row.key), reverse=True):
        hit = Hit(row.key, row.session, row.title, row.time, row.role, snippet(row.text, terms), row.score)
        found.setdefault((row.role, row.text), hit)  # a fork holds the same message again
        if len(found) == query.limit:
            break
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Near:
    """One message of a window around another."""

    key: int
    time: float
    message: Message


def around(
    connection: sqlite3.Connection,
    session: str,
    key: int | None,
    window: int,
    bound: tuple[str, int] | None = None,
) -> list[Near]:
    """Return one message with up to `window` on each side; without a key the newest of the session."""
    end = bound[1] if bound is not None and bound[0] == session else None
    values = {"session": session, "key": key, "window": window, "end": end}
    select = (
        f"SELECT {COLUMNS}, key, time FROM messages WHERE session = :session AND shown"
        " AND (:end IS NULL OR number < :end)"
    )
    if key is None:
        rows = connection.execute(f"{select} ORDER BY number DESC LIMIT :window", values).fetchall()[::-1]
        return [_near(row) for row in rows]
    before = f"{select} AND key <= :key ORDER BY key DESC LIMIT :window + 1"
    rows = connection.execute(before, values).fetchall()[::-1]
    if not rows or rows[-1][5] != key:
        raise SessionError(f"no message {key} in the session {session[: library.SHORT]}")
    rows += connection.execute(f"{select} AND key > :key ORDER BY key LIMIT :window", values).fetchall()
    return [_near(row) for row in rows]


def _near(row: Sequence[Any]) -> Near:
    return Near(row[5], row[6], message_of(tuple(row)))


# -- how ----------------------------------------------------------------------------------------------


def _matches(connection: sqlite3.Connection, query: Query, terms: Sequence[str], how: str) -> Iterator[_Row]:
    """Yield what matches all (`AND`) or some (`OR`) of the terms."""
    mark, now = index.mark(connection), time.time()
    scores = dict.fromkeys(_newest(connection, query, mark), 1.0)
    if how == "AND":
        scores |= _with_all(connection, query, terms, mark)
    else:
        for term in terms:
            scores |= _with_all(connection, query, [term], mark)
    for row in _rows(connection, scores):
        share = _share(row.text, terms)
        if share == 1.0 or (how == "OR" and share):
            yield replace(row, score=row.score * share * _bonus(now - row.time))


def _with_all(
    connection: sqlite3.Connection, query: Query, terms: Sequence[str], mark: int
) -> dict[int, float]:
    """Return the indexed messages that may have all terms, with their scores."""
    long = [term for term in terms if len(term) >= PIECE]
    scores = _indexed(connection, query, "pieces", long) if long else {}
    for key, score in (_indexed(connection, query, "words", long) if scores else {}).items():
        if key in scores:
            scores[key] += score
    if len(long) < len(terms) and (not long or len(scores) >= RANKED):
        short = max((term for term in terms if len(term) < PIECE), key=len)
        scores |= dict.fromkeys(_containing(connection, query, short, mark), 1.0)
    return scores


def _indexed(
    connection: sqlite3.Connection, query: Query, table: str, terms: Sequence[str]
) -> dict[int, float]:
    """Return the newest matches in an index, with their scores; of very many the newest count alike."""
    phrases = " AND ".join('"' + term.replace('"', '""') + '"' for term in terms)
    join, where, values = _where(query, f"{table}.rowid")
    found = f"FROM {table} {join} WHERE {table} MATCH ? {where} ORDER BY {table}.rowid DESC LIMIT {RANKED}"
    keys = [key for (key,) in connection.execute(f"SELECT {table}.rowid {found}", (phrases, *values))]
    if len(keys) == RANKED:
        return dict.fromkeys(keys, 1.0)
    rows = connection.execute(f"SELECT {table}.rowid, bm25({table}) {found}", (phrases, *values))
    return {key: 1.0 - rank for key, rank in rows}


def _containing(connection: sqlite3.Connection, query: Query, term: str, mark: int) -> list[int]:
    """Return the newest indexed messages that hold a term too short for the index."""
    pattern = "%" + re.sub(r"([%_\\])", r"\\\1", term) + "%"
    join, where, values = _where(query, "messages.key")
    rows = connection.execute(
        f"SELECT messages.key FROM messages {join} WHERE messages.shown AND messages.key BETWEEN ? AND ?"
        " AND (CAST(content AS TEXT) LIKE ? ESCAPE '\\' OR CAST(extra AS TEXT) LIKE ? ESCAPE '\\')"
        f" {where} ORDER BY messages.key DESC LIMIT {RANKED}",
        (max(0, mark - READ), mark, pattern, pattern, *values),
    )
    return [key for (key,) in rows]


def _newest(connection: sqlite3.Connection, query: Query, mark: int) -> list[int]:
    """Return the keys of the messages that are not indexed yet."""
    join, where, values = _where(query, "messages.key")
    rows = connection.execute(
        f"SELECT messages.key FROM messages {join} WHERE messages.shown AND messages.key > ? {where}"
        f" ORDER BY messages.key DESC LIMIT {READ}",
        (mark, *values),
    )
    return [key for (key,) in rows]


def _where(query: Query, key: str) -> tuple[str, str, list[Any]]:
    """Return the joins, conditions and values of what the query asks beside the text."""
    conditions: list[tuple[str, list[Any]]] = []
    if query.session is not None:
        conditions.append(("said.session = ?", [query.session]))
    if query.project is not None:
        conditions.append(("said.session IN (SELECT id FROM sessions WHERE project = ?)", [query.project]))
    if query.roles:
        conditions.append((f"said.role IN ({', '.join('?' * len(query.roles))})", list(query.roles)))
    if query.bound is not None:
        conditions.append(("(said.session <> ? OR said.number < ?)", list(query.bound)))
    text = "".join(f" AND {condition}" for condition, _ in conditions)
    join = f"JOIN messages AS said ON said.key = {key}" if conditions else ""
    return join, text, [value for _, values in conditions for value in values]


def _rows(connection: sqlite3.Connection, scores: dict[int, float]) -> Iterator[_Row]:
    """Yield the messages of some keys."""
    keys = list(scores)
    for start in range(0, len(keys), 500):
        part = keys[start : start + 500]
        rows = connection.execute(
            "SELECT key, number, session, title, time, role, content, extra FROM messages"
            f" JOIN sessions ON id = session WHERE key IN ({', '.join('?' * len(part))})",
            part,
        )
        for key, number, session, title, when, role, content, extra in rows:
            text = index.text_of(content, extra)
            yield _Row(key, scores[key], number, session, decode(title), when, role, text)


def _share(text: str, terms: Sequence[str]) -> float:
    """Return the part of the terms that a text holds, whatever their case."""
    folded = text.casefold()
    return sum(term.casefold() in folded for term in terms) / len(terms)


def _bonus(age: float) -> float:
    """Return the factor by which being new helps: 2 now, 1 long ago."""
    return 1.0 + math.pow(0.5, max(0.0, age) / HALF_LIFE)
