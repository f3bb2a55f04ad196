"""The tables, as numbered migrations: number n brings a file of version n - 1 to version n. Never edit one.

A session's messages and events share one row of numbers, so that their order is known.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from hermes_tui.engine.errors import SessionError

_FIRST: Final = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,          -- canonical path that sessions go by
    folder TEXT NOT NULL,           -- where relative paths started
    title TEXT NOT NULL DEFAULT '',
    created REAL NOT NULL,          -- Unix seconds, like every time here
    updated REAL NOT NULL,          -- its newest message
    model TEXT NOT NULL DEFAULT '',
    parent TEXT,                    -- the session it was forked from
    owner TEXT,                     -- the process that writes it
    state TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX sessions_by_time ON sessions (updated);

CREATE TABLE messages (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    number INTEGER NOT NULL,
    time REAL NOT NULL,
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    content BLOB NOT NULL,          -- UTF-8; half surrogates and NUL as they came
    call_id TEXT,
    extra BLOB,                     -- calls, reasoning, images: JSON
    live INTEGER NOT NULL,          -- whether the model still gets it
    shown INTEGER NOT NULL          -- whether it was said; 0: only sent in place of what was said
);
CREATE UNIQUE INDEX messages_in_order ON messages (session, number);

CREATE TABLE events (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    number INTEGER NOT NULL,
    type TEXT NOT NULL,
    body BLOB NOT NULL              -- one line of stream-json
);
CREATE UNIQUE INDEX events_in_order ON events (session, number);

CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT INTO marks VALUES ('indexed', 0);
"""

INDEX: Final = """
CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE pieces USING fts5(text, content='', tokenize='trigram');
"""
"""Both hold every message up to the mark `indexed`: by words for the ranking, by three characters each for
languages without blanks and for pieces of code. Their texts are made by `index.text_of`."""

MIGRATIONS: Final = (_FIRST + INDEX,)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to this program's version; `SessionError` for a file of a later one, left as it is."""
    if _version(connection) < len(MIGRATIONS):
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            for number in range(_version(connection), len(MIGRATIONS)):
                run(connection, MIGRATIONS[number])
                connection.execute(f"PRAGMA user_version = {number + 1}")
    if (found := _version(connection)) > len(MIGRATIONS):
        raise SessionError(
            f"the sessions were written by a later version of hermes-tui (format {found}, "
            f"this one knows {len(MIGRATIONS)}): update hermes-tui, nothing was changed"
        )


def run(connection: sqlite3.Connection, script: str) -> None:
    """Run statements inside the open transaction, which `executescript` would end."""
    for statement in script.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
