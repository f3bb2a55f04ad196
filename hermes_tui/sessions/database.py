"""One connection to sessions.db, for one thread: private files, WAL, patience with a lock, errors in words.

Never waits longer than it was told to. A damaged file is `salvage.py`'s business.
"""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from hermes_tui.config.paths import private_folder
from hermes_tui.engine.errors import SessionError
from hermes_tui.sessions import schema

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
"""What is done with the connection; it may be done again if it failed, so it touches nothing else."""

PATIENCE: Final = 10.0
"""Seconds that somebody who asked for something waits for a lock."""
PAUSE: Final = (0.005, 0.04)
"""Seconds between two tries, drawn anew each time: two that wait for each other do not meet again."""
WAL_BYTES: Final = 16_777_216
"""What is left of the write-ahead log after a checkpoint."""

BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Database:
    """Opens the file at its first use, and again when somebody put another in its place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def read(self, work: Work[T]) -> T:
        """Return what `work` finds. Raises `sqlite3.Error` as it comes."""
        return work(self._opened())

    def write(self, work: Work[T]) -> T:
        """Do `work` in a transaction of its own: all of it or nothing. Raises `sqlite3.Error` at once."""
        connection = self._opened()
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            return work(connection)

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None and self._inode != inode(self.path):
            self.close()
        if self._connection is None:
            self._connection = connect(self.path)
            self._inode = inode(self.path)
        return self._connection


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, making or migrating it as needed. Raises `sqlite3.Error` and `SessionError`."""
    make_private(path)
    connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        schema.migrate(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    except (sqlite3.Error, SessionError):
        connection.close()
        raise
    return connection


def make_private(path: Path) -> None:
    """Make the file, readable by the user alone: SQLite gives its log the same permissions."""
    try:
        private_folder(path.parent)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise unusable(path, error.strerror or str(error)) from None
    try:
        if os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def inode(path: Path) -> int:
    """Return what tells this file from another of its name; 0 when there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def patiently(act: Callable[[], T], patience: float = PATIENCE) -> T:
    """Return what `act` returns, tried again while the database is locked; then the last error."""
    end = time.monotonic() + patience
    while True:
        try:
            return act()
        except sqlite3.OperationalError as error:
            if code(error) not in BUSY or time.monotonic() >= end:
                raise
        time.sleep(random.uniform(*PAUSE))


def code(error: sqlite3.Error) -> int:
    """Return SQLite's primary error code; 0 for an error of the Python module."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def reason(error: Exception) -> str:
    """Return in words why the store cannot be used."""
    if not isinstance(error, sqlite3.Error):
        return str(error)
    words = {
        sqlite3.SQLITE_BUSY: "another program holds the lock of sessions.db",
        sqlite3.SQLITE_LOCKED: "another program holds the lock of sessions.db",
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_READONLY: "sessions.db or its folder is read-only",
        sqlite3.SQLITE_CANTOPEN: "sessions.db cannot be opened",
        sqlite3.SQLITE_CORRUPT: "sessions.db is damaged",
        sqlite3.SQLITE_NOTADB: "sessions.db is damaged",
        sqlite3.SQLITE_IOERR: "the disk reports an error",
    }
    return words.get(code(error), str(error))


def unusable(path: Path, why: str) -> SessionError:
    """Return the error of somebody who needs the store."""
    return SessionError(f"{path} cannot be used: {why}")
