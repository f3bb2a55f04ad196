"""Who may write the store, and who is alive: both by locks that the kernel clears when a crash left them.

A lock file names its owner (process and start) for the message only. Never waits without an end.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import CheckpointError

_STARTED: Final = time.strftime("%Y-%m-%d %H:%M:%S")
_PATIENCE: Final = 60.0
"""Seconds to wait for another session; it holds a lock for milliseconds, a large restore for seconds."""
_YOUNG: Final = 60.0
"""Seconds in which an owner's file may not be locked yet."""


class Lock:
    """One writer at a time, among threads and processes. The same thread may take it again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = threading.RLock()
        self._depth = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; `CheckpointError`, naming the owner, when another session does not let go."""
        with self._threads:
            if self._depth:
                yield
                return
            file = self._opened()
            try:
                self._wait(file)
                os.pwrite(file, f"{os.getpid()} since {_STARTED}\n".encode().ljust(64), 0)
                self._depth = 1
                yield
            finally:
                self._depth = 0
                # a forked child may hold a copy of the file: closing ours would not let go
                fcntl.flock(file, fcntl.LOCK_UN)
                os.close(file)

    def _opened(self) -> int:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise CheckpointError(
                f"the checkpoint store cannot be used ({self._path}: {error.strerror}): start anew"
            ) from None

    def _wait(self, file: int) -> None:
        """Take the flock, politely polling: Python has no flock with a timeout."""
        end, pause = time.monotonic() + _PATIENCE, 0.0005
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > end:
                    owner = os.pread(file, 64, 0).decode(errors="replace").strip()
                    raise CheckpointError(
                        f"the checkpoint store is held by process {owner}: end it or wait, then try again"
                    ) from None
            time.sleep(pause)
            pause = min(pause * 2, 0.05)


_LIVING: Final[set[tuple[int, str]]] = set()
"""The owners of this process: it must not open the files of its own, as closing one lets go of its lock."""


class Owners:
    """The processes that have this store open: one file each, locked for as long as it lives.

    The lock is POSIX's, which no child inherits: one that was just forked outlives a killed session.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None
        self.mine = f"{os.getpid()}-{secrets.token_hex(6)}"
        """This store object's own name, written beside whatever it starts."""

    def enter(self) -> None:
        """Show that this one is alive."""
        if self._file is None:
            file = os.open(self._folder / self.mine, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.lockf(file, fcntl.LOCK_EX)
            _LIVING.add((os.getpid(), self.mine))
            self._file = file

    def leave(self) -> None:
        """Show that this one has ended."""
        if self._file is not None:
            self._unlink(self.mine)
            _LIVING.discard((os.getpid(), self.mine))
            os.close(self._file)
            self._file = None

    def alive(self, owner: str) -> bool:
        """Whether that owner's process still runs."""
        if (os.getpid(), owner) in _LIVING:
            return True
        try:
            file = os.open(self._folder / owner, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
        except (BlockingIOError, PermissionError):
            return True
        finally:
            os.close(file)

    def others(self) -> list[str]:
        """Return the other owners that are alive, and clear away those that are not."""
        living = []
        for owner in sorted(os.listdir(self._folder)):
            if owner == self.mine:
                continue
            if self.alive(owner):
                living.append(owner)
            elif self._age(owner) > _YOUNG:
                self._unlink(owner)
        return living

    def _age(self, owner: str) -> float:
        try:
            return time.time() - (self._folder / owner).stat().st_mtime
        except OSError:
            return 0.0

    def _unlink(self, owner: str) -> None:
        with contextlib.suppress(OSError):
            (self._folder / owner).unlink()


def process(owner: str) -> str:
    """Return the process number in an owner's name."""
    return owner.partition("-")[0]
