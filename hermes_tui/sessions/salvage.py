"""A damaged sessions.db: moved aside, never deleted, and what of it can be read goes into a new one."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from hermes_tui.config.paths import private_folder
from hermes_tui.sessions import index
from hermes_tui.sessions.database import DAMAGED, code, connect
from hermes_tui.sessions.rows import decode

Row = dict[str, Any]
"""A row by its columns' names: an older file has fewer."""

TABLES: Final = ("sessions", "messages", "events")
PARTS: Final = ("", "-wal", "-shm")


def repair(path: Path, error: sqlite3.Error) -> str:
    """Put a sound file in the place of the damaged one; return what to tell the user, or nothing.

    Nothing when only the index was damaged, or another instance was faster. Raises `sqlite3.Error`,
    `SessionError` and `OSError`.
    """
    with _alone(path):
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT_VTAB:
            _rebuild_index(path)
            return ""
        if is_sound(path):
            return ""
        aside = _move_aside(path)
        kept = _copy(aside, path)
    return f"sessions.db was damaged: it is now {aside.name}, and {kept} messages of it could be kept"


def is_sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with the file."""
    try:
        connection = connect(path)
        try:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
        finally:
            connection.close()
    except sqlite3.Error as error:
        if code(error) not in DAMAGED:
            raise
        return False


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let one instance at a time repair."""
    descriptor = os.open(
        private_folder(path.parent) / f"{path.name}.repair", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
    )
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _rebuild_index(path: Path) -> None:
    connection = connect(path)
    try:
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            index.rebuild(connection)
    finally:
        connection.close()


def _move_aside(path: Path) -> Path:
    """Rename the file and its log; return the new name."""
    stem = f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    number = 1
    while (aside := path.with_name(f"{stem}-{number}.db")).exists():
        number += 1
    for part in reversed(PARTS):
        with suppress(FileNotFoundError):
            path.with_name(path.name + part).rename(aside.with_name(aside.name + part))
    return aside


def _copy(old: Path, new: Path) -> int:
    """Copy every row that can be read; return how many messages there were."""
    target = connect(new)
    source = sqlite3.connect(old)
    source.text_factory = decode
    try:
        source.execute("PRAGMA writable_schema = ON")  # else a file that is too short is refused whole
        target.execute("BEGIN IMMEDIATE")
        with target:
            tables = {table: _readable(source, table) for table in TABLES}
            for row in _lost_sessions(tables):
                _insert(target, "sessions", row)
            for table, rows in tables.items():
                known = {column for _, column, *_ in target.execute(f"PRAGMA table_info({table})")}
                for row in rows:
                    _insert(target, table, {name: value for name, value in row.items() if name in known})
        return int(target.execute("SELECT count(*) FROM messages").fetchone()[0])
    finally:
        source.close()
        target.close()


def _readable(source: sqlite3.Connection, table: str) -> list[Row]:
    """Return the rows before the first damage, and those behind the last, read from the end."""
    found: dict[int, Row] = {}
    for order in ("ASC", "DESC"):
        with suppress(sqlite3.DatabaseError):
            cursor = source.execute(f"SELECT rowid AS place, * FROM {table} ORDER BY rowid {order}")
            names = [column[0] for column in cursor.description]
            for values in cursor:
                if values[0] in found:
                    break
                found[values[0]] = dict(zip(names[1:], values[1:], strict=True))
    return [found[place] for place in sorted(found)]


def _lost_sessions(tables: dict[str, list[Row]]) -> Iterator[Row]:
    """Yield a row for each session of which only messages are left."""
    known = {row["id"] for row in tables["sessions"]}
    for row in tables["messages"]:
        if row["session"] not in known:
            known.add(row["session"])
            yield {
                "id": row["session"],
                "project": "",
                "folder": "",
                "title": "(from a damaged file)",
                "created": row["time"],
                "updated": row["time"],
            }


def _insert(target: sqlite3.Connection, table: str, row: Row) -> None:
    """Put one row into the new file, unless what it says cannot be."""
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    with suppress(sqlite3.IntegrityError, sqlite3.DataError):
        target.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))
