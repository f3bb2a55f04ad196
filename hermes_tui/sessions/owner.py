"""Who writes a session: one process at a time, known by its number and its start: a crash frees it."""

from __future__ import annotations

import os
import socket
import sqlite3
from functools import lru_cache

from hermes_tui.processes.alive import birth, is_the_same


@lru_cache(maxsize=1)
def me() -> str:
    """Return how this process signs: machine, process, start."""
    return f"{socket.gethostname()} {os.getpid()} {birth(os.getpid())}"


def is_running(owner: str | None) -> bool:
    """Whether another living process signed so. Of another machine's processes nobody knows: they count."""
    if not owner or owner == me():
        return False
    try:
        host, pid, began = owner.split(" ")
        return host != socket.gethostname() or is_the_same(int(pid), float(began))
    except ValueError:
        return False


def claim(connection: sqlite3.Connection, session: str) -> bool:
    """Sign a session; False when a running process has it. Needs a transaction."""
    row = connection.execute("SELECT owner FROM sessions WHERE id = ?", (session,)).fetchone()
    if row is None or is_running(row[0]):
        return False
    connection.execute("UPDATE sessions SET owner = ? WHERE id = ?", (me(), session))
    return True


def release(connection: sqlite3.Connection, session: str) -> None:
    """Free a session that this process signed."""
    connection.execute("UPDATE sessions SET owner = NULL WHERE id = ? AND owner = ?", (session, me()))
