"""The search index: which text of a message is found, and bringing the index up to date behind the writing.

It is filled when nobody waits: a message is found before that too (`search.py` reads what is not indexed).
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.messages import parse_arguments
from hermes_tui.sessions import schema
from hermes_tui.sessions.rows import COLUMNS, decode, from_json

ROWS: Final = 200
CHARACTERS: Final = 300_000
"""What one step indexes at most: tens of milliseconds, in which an append may have to wait."""


def text_of(content: bytes, extra: bytes | None) -> str:
    """Return what of a message is found: what it says, and what its calls were given."""
    text = decode(content)
    if extra is not None:
        for call in (from_json(extra) or {}).get("calls", ()):
            text += f"\n{call['name']} {_flat(call['arguments'])}"
    return plain(text)


def mark(connection: sqlite3.Connection) -> int:
    """Return the key of the newest message that is indexed."""
    return int(connection.execute("SELECT value FROM marks WHERE name = 'indexed'").fetchone()[0])


def catch_up(connection: sqlite3.Connection) -> bool:
    """Index the next messages; return whether there are more. Needs a transaction."""
    rows = connection.execute(
        f"SELECT key, shown, {COLUMNS} FROM messages WHERE key > ? ORDER BY key LIMIT {ROWS + 1}",
        (mark(connection),),
    )
    last, size = None, 0
    for place, (key, shown, _, _, content, _, extra) in enumerate(rows):
        if place == ROWS or size > CHARACTERS:
            _move_mark(connection, last)
            return True
        text = text_of(content, extra)
        if shown:
            insert(connection, key, text)
        last, size = key, size + len(text)
    _move_mark(connection, last)
    return False


def insert(connection: sqlite3.Connection, key: int, text: str) -> None:
    """Put one message into both tables."""
    for table in ("words", "pieces"):
        connection.execute(f"INSERT INTO {table} (rowid, text) VALUES (?, ?)", (key, text))


def remove(connection: sqlite3.Connection, session: str) -> None:
    """Take a session's messages out of the index, before they are deleted."""
    rows: list[tuple[Any, ...]] = connection.execute(
        "SELECT key, content, extra FROM messages WHERE session = ? AND shown AND key <= ?",
        (session, mark(connection)),
    ).fetchall()
    for key, content, extra in rows:
        for table in ("words", "pieces"):
            connection.execute(
                f"INSERT INTO {table} ({table}, rowid, text) VALUES ('delete', ?, ?)",
                (key, text_of(content, extra)),
            )


def rebuild(connection: sqlite3.Connection) -> None:
    """Begin the index anew."""
    for table in ("words", "pieces"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    schema.run(connection, schema.INDEX)
    connection.execute("UPDATE marks SET value = 0 WHERE name = 'indexed'")


def _move_mark(connection: sqlite3.Connection, key: int | None) -> None:
    if key is not None:
        connection.execute("UPDATE marks SET value = ? WHERE name = 'indexed'", (key,))


def _flat(raw: str) -> str:
    """Return a call's arguments as text without JSON's escapes."""
    try:
        values = parse_arguments(raw)
    except BadArguments:
        return raw
    return "\n".join(str(value) for value in values.values())


def plain(text: str) -> str:
    """Return the text as SQLite's tokenizers take it: no NUL, at which they stop, no half surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
