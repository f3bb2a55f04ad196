"""The sessions as the rest of the program sees them: take one up, record it, look at the others.

Whatever reads or changes other sessions opens the file for itself, in the caller's thread, and waits for a
lock up to `database.PATIENCE`: never call it from the screen's thread. An error is one line.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from hermes_tui.engine.messages import Message
from hermes_tui.sessions import database, export, library, owner, resume
from hermes_tui.sessions import search as searching
from hermes_tui.sessions.database import DAMAGED, Database, Work, code, patiently, unusable
from hermes_tui.sessions.library import Session
from hermes_tui.sessions.resume import Taken
from hermes_tui.sessions.salvage import repair
from hermes_tui.sessions.writer import Notice

T = TypeVar("T")

SHOWN: Final = 200
"""Sessions that a list shows unless told otherwise."""


class SessionStore:
    """All sessions of the user; each method opens the file for itself."""

    def __init__(self, path: Path, notice: Notice) -> None:
        self._path = path
        self._notice = notice

    # -- looking --------------------------------------------------------------------------------------

    def recent(self, project: Path | None = None, limit: int = SHOWN) -> list[Session]:
        """Return the sessions of a project (None: of all), that with the newest message first."""
        where = str(project) if project is not None else None
        return self._read(lambda connection: library.sessions(connection, where, limit))

    def find(self, wanted: str) -> Session:
        """Return the session that an id, or its beginning, names; `SessionError` when none or several."""
        return self._read(lambda connection: library.find(connection, wanted))

    def newest(self, project: Path) -> Session:
        """Return the project's session with the newest message; `SessionError` when there is none."""
        return self._read(lambda connection: library.newest(connection, str(project)))

    def search(self, query: searching.Query) -> list[searching.Hit]:
        """Return the best matches, best first."""
        return self._read(lambda connection: searching.search(connection, query))

    def around(
        self, session: str, message_id: int | None, window: int, bound: tuple[str, int] | None = None
    ) -> list[searching.Near]:
        """Return a message of a session with its neighbours, or the newest ones; `bound` as in `Query`."""
        return self._read(lambda connection: searching.around(connection, session, message_id, window, bound))

    def messages(self, session: str) -> list[Message]:
        """Return what the model gets of a session."""
        return self._read(lambda connection: library.current(connection, session)[1])

    def lines(self, session: str) -> bytes:
        """Return a session's events, a line of JSON each; of an answer only its message is there."""
        return self._read(lambda connection: library.lines(connection, session))

    def export(self, wanted: str, form: str) -> str:
        """Return a session as `markdown`, `json` or `stream-json`."""
        found = self.find(wanted)
        return self._read(lambda connection: export.export(connection, found, form))

    # -- changing -------------------------------------------------------------------------------------

    def rename(self, session: str, title: str) -> None:
        """Give a session another title."""
        self._write(lambda connection: library.rename(connection, session, title))

    def move(self, session: str, project: str, folder: str) -> None:
        """Let a session belong to another project."""
        self._write(lambda connection: library.move(connection, session, project, folder))

    def delete(self, session: str) -> None:
        """Remove a session; `SessionError` while another process writes it."""
        self._write(lambda connection: library.delete(connection, session))

    def fork(self, session: str, title: str = "") -> str:
        """Copy a session; return the copy's id."""
        return self._write(lambda connection: library.fork(connection, session, title))

    def take(self, found: Session) -> Taken:
        """Take a session up, as its only writer; one that a running process writes is forked."""
        notices = []
        if not self._write(lambda connection: owner.claim(connection, found.id)):
            copy = self.fork(found.id)
            notices = [f"session {found.short} is open in another window; this is a fork of it, {copy[:8]}"]
            found = self.find(copy)
        taken = self._read(lambda connection: resume.take(connection, found))
        taken.notices += notices
        return taken

    # -- how ------------------------------------------------------------------------------------------

    def _read(self, work: Work[T]) -> T:
        return self._with(lambda file: file.read(work))

    def _write(self, work: Work[T]) -> T:
        return self._with(lambda file: file.write(work))

    def _with(self, act: Callable[[Database], T]) -> T:
        """Do one thing with the file, once more when it had to be repaired; errors as `SessionError`."""
        file = Database(self._path)
        try:
            try:
                return patiently(lambda: act(file))
            except sqlite3.DatabaseError as error:
                if code(error) not in DAMAGED:
                    raise
                file.close()
                if said := repair(self._path, error):
                    self._notice("warning", said)
                return patiently(lambda: act(file))
        except (sqlite3.Error, OSError) as error:
            raise unusable(self._path, database.reason(error)) from None
        finally:
            file.close()
