"""The session that this program writes: a new one, one that goes on, another one from now on.

Belongs to the thread that has the conversation: before the engine starts the caller's, then the engine's.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import SessionError
from hermes_tui.engine.messages import Message
from hermes_tui.sessions.library import Session
from hermes_tui.sessions.recorder import Position, SessionRecorder
from hermes_tui.sessions.resume import Taken
from hermes_tui.sessions.store import SessionStore
from hermes_tui.sessions.writer import Notice

FLUSH: Final = 10.0
"""Seconds that the writer is waited for before another connection reads what it wrote."""


class CurrentSession:
    """Records into one session, and moves to another on request."""

    def __init__(self, path: Path, place: tuple[Path, Path], notice: Notice) -> None:
        """`place`: the project (or what sessions go by without one), and the folder of relative paths."""
        self._place = place
        self.store = SessionStore(path, notice)
        self.recorder = SessionRecorder(path, self._fresh(), notice)

    @property
    def id(self) -> str:
        """Its id."""
        return self.recorder.position.session

    @property
    def is_stored(self) -> bool:
        """Whether anything was said in it."""
        return self.recorder.position.number > 0

    def new(self) -> Taken:
        """Go on in a session of its own."""
        taken = Taken(self._fresh())
        self.recorder.begin(taken.position)
        return taken

    def resume(self, wanted: str) -> Taken:
        """Go on in the session whose id is, or begins with, `wanted`; `SessionError` when that cannot be."""
        self.flush()
        return self._adopt(self.store.find(wanted))

    def go_on(self, wanted: bool) -> Taken:
        """Go on in the project's session with the newest message, `SessionError` when there is none.

        Not wanted: in the new one.
        """
        if not wanted:
            return Taken(self.recorder.position)
        return self._adopt(self.store.newest(self._place[0]))

    def fork(self, title: str = "") -> Taken:
        """Go on in a copy of the session as it is now."""
        if not self.is_stored:
            raise SessionError("nothing was said in this session yet: there is nothing to fork")
        self.flush()
        return self._adopt(self.store.find(self.store.fork(self.id, title)))

    def lines(self) -> bytes:
        """Return what was shown in it so far: events, a line of JSON each."""
        if not self.is_stored:
            return b""
        self.flush()
        return self.store.lines(self.id)

    def messages(self) -> list[Message]:
        """Return what the model gets of it."""
        if not self.is_stored:
            return []
        self.flush()
        return self.store.messages(self.id)

    def rename(self, title: str) -> None:
        """Give the session another title."""
        self.recorder.rename(title)

    def flush(self) -> None:
        """Wait until everything said so far is stored; `SessionError` when that takes too long."""
        if not self.recorder.writer.flush(FLUSH):
            raise SessionError("this session cannot be saved now: try again when it is")

    def close(self, timeout: float) -> bool:
        """Store what is left and let go; False when that takes longer."""
        return self.recorder.close(timeout)

    def _fresh(self) -> Position:
        project, folder = self._place
        return Position(uuid.uuid4().hex, str(project), str(folder))

    def _adopt(self, found: Session) -> Taken:
        if found.id == self.id:
            raise SessionError("this is the session you are in")
        taken = self.store.take(found)
        project, folder = map(str, self._place)
        if taken.position.project != project:
            taken.notices.append(
                f"this session began in {taken.position.folder}; it goes on here, in {folder}"
            )
            self.store.move(taken.position.session, project, folder)
        taken.position.project, taken.position.folder = project, folder
        self.recorder.begin(taken.position)
        self._mend(taken)
        return taken

    def _mend(self, taken: Taken) -> None:
        """Store what a crash left out; what else the conversation needs to be valid the engine sees to."""
        for each in taken.missing:
            if isinstance(each, Message):
                self.recorder.message(each)
                taken.messages.append(each)
            else:
                self.recorder.event(each)
        taken.missing = []
