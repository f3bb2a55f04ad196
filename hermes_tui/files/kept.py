"""Keeps what is too long for the conversation in files of the program's own: one private folder a session.

Written by the program, read back by the model. Everything here can be removed at any time; the oldest goes
first, by age and by size. Must never raise towards a call: what cannot be kept is not promised.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from hermes_tui.config.paths import private_folder

LONGEST: Final = 10_000_000
"""Bytes kept of one text; of a longer one the start."""
SHORT: Final = 30_000
"""Characters of an output that its result shows whole."""
MOST: Final = 500_000_000
"""Bytes of all sessions together."""
OLDEST: Final = 30 * 86_400
"""Seconds that a session's texts stay after the newest of them was written."""


class KeptTexts:
    """The texts of all sessions below one folder; this session's are the readable ones. Thread-safe."""

    def __init__(self, root: Path, session: Callable[[], str]) -> None:
        self._root = root
        self._session = session
        self._parents: list[str] = []

    @property
    def folder(self) -> Path:
        """This session's folder, canonical; it exists once something is in it."""
        return self._folder(self._session())

    def readable(self) -> tuple[Path, ...]:
        """Return the folders that the model may read in: this session's, and those it was forked from."""
        return (self.folder, *(self._folder(session) for session in self._parents))

    def forked_from(self, *sessions: str) -> None:
        """Let the model read what these sessions kept: its conversation names their files."""
        self._parents = list(sessions)

    def keep(self, name: str, text: str) -> str:
        """Keep a text; return where and how it can be read, or nothing when the disk refuses."""
        body = text.encode("utf-8", "replace")
        try:
            path = self.put(name, ".txt", body[:LONGEST])
        except OSError:
            return ""
        return _where(path, len(body) > LONGEST)

    def put(self, name: str, ending: str, body: bytes) -> Path:
        """Write a file whose name tells its content apart; return its path. Raises `OSError`."""
        digest = hashlib.sha256(body).hexdigest()[:12]
        path = private_folder(self.folder) / f"{_plain(name)}-{digest}{ending}"
        if not path.exists():
            _write(path, body)
        return path

    def spool(self, name: str) -> Spool:
        """Return what keeps one output while it comes; a short one makes no file."""
        return Spool(lambda: self._opened(name))

    def _opened(self, name: str) -> tuple[Path, BinaryIO]:
        """Open a new file for an output. Raises `OSError`."""
        folder = private_folder(self.folder)
        for number in itertools.count(1):
            path = folder / f"{_plain(name)}{'' if number == 1 else f'-{number}'}.txt"
            with suppress(FileExistsError):
                return path, os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        raise AssertionError("the numbers do not end")

    def sweep(self) -> None:
        """Remove the sessions that are too old, then the oldest until all fit; never this one."""
        sessions = sorted(_sessions(self._root))
        kept = sum(size for _, size, _ in sessions)
        for newest, size, folder in sessions:
            too_old = time.time() - newest > OLDEST
            if folder.name != self._session() and (too_old or kept > MOST):
                shutil.rmtree(folder, ignore_errors=True)
                kept -= size

    def _folder(self, session: str) -> Path:
        return Path(os.path.realpath(self._root)) / re.sub(r"[^A-Za-z0-9_-]", "_", session)


class Spool:
    """Implements `engine.state.Spool`. Belongs to one call."""

    def __init__(self, opened: Callable[[], tuple[Path, BinaryIO]]) -> None:
        self._opened = opened
        self._waiting: list[str] = []
        self._length = 0
        """Characters that wait for the file; it is made when they are more than a result shows."""
        self._path: Path | None = None
        self._file: BinaryIO | None = None
        self._left = LONGEST
        self._failed = False

    def write(self, text: str) -> None:
        """Take the next piece."""
        if self._failed or self._left <= 0:
            return
        try:
            if self._file is None:
                self._waiting.append(text)
                self._length += len(text)
                if self._length > SHORT:
                    self._path, self._file = self._opened()
                    self._put("".join(self._waiting))
                    self._waiting.clear()
            else:
                self._put(text)
        except OSError:
            self._failed = True

    def end(self) -> str:
        """Return where all of it can be read."""
        if self._file is None or self._path is None:
            return ""
        with suppress(OSError):
            self._file.close()
        return "" if self._failed else _where(self._path, self._left <= 0)

    def _put(self, text: str) -> None:
        assert self._file is not None
        body = text.replace("\0", "\ufffd").encode("utf-8", "replace")
        self._file.write(body[: self._left])
        self._left -= len(body)


def _where(path: Path, is_cut: bool) -> str:
    part = f"; its first {LONGEST} bytes" if is_cut else ""
    return f"{path}{part} (read_file it with offset and limit)"


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:40] or "text"


def _write(path: Path, body: bytes) -> None:
    """Make a file that the user alone can read, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
        file.write(body)
    temporary.replace(path)


def _sessions(root: Path) -> Iterator[tuple[float, int, Path]]:
    """Yield (when the newest file was written, bytes, folder) of each session."""
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                with suppress(OSError):
                    files = [file.stat(follow_symlinks=False) for file in os.scandir(entry.path)]
                    newest = max((file.st_mtime for file in files), default=entry.stat().st_mtime)
                    yield newest, sum(file.st_size for file in files), Path(entry.path)
