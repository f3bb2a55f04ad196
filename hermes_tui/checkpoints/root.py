"""Looks at paths below the project's folder, step by step, so that no link leads outside.

Paths are relative to the project, joined by `/`, odd bytes as surrogate escapes. Writes nothing.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hermes_tui.checkpoints.states import ABSENT, Signature, State, amount, bits, signature, unknown

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_TRIES: Final = 3
OTHER_SYSTEM: Final = "on another file system"


@dataclass(frozen=True, slots=True)
class Sight:
    """What one look at a path found."""

    state: State
    """A file's blob id is empty here: who looks decides whether to hash or to keep the bytes."""
    data: bytes | None = None
    """A file's bytes; None for everything else."""
    signature: Signature | None = None
    """None when nothing is there."""


class Root:
    """The project's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.device = os.lstat(path).st_dev

    @contextmanager
    def folder(self, path: str) -> Iterator[int]:
        """Open the folder `path` ("" is the project itself) without following any link below the project.

        Raises `FileNotFoundError`, or `NotADirectoryError` when a link or a file stands in the way.
        """
        here = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in filter(None, path.split("/")):
                below = _step(name, here)
                os.close(here)
                here = below
            yield here
        finally:
            os.close(here)

    def status(self, path: str) -> os.stat_result | None:
        """Return lstat of `path`, None when nothing is there, also for want of a real folder above it.

        Any other failure is an `OSError`.
        """
        above, _, name = path.rpartition("/")
        try:
            with self.folder(above) as folder:
                return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def look(self, path: str, cap: int) -> Sight:
        """Return what stands at `path`; a file of more than `cap` bytes is unknown. Never raises."""
        above, _, name = path.rpartition("/")
        try:
            with self.folder(above) as folder:
                return self._see(folder, name, cap)
        except (FileNotFoundError, NotADirectoryError):
            return Sight(ABSENT)
        except PermissionError:
            return Sight(unknown("unreadable"))
        except OSError as error:
            return Sight(unknown(f"unreadable ({error.strerror})"))

    def stand(self, path: str, cap: int, name: Callable[[bytes], str]) -> tuple[State, Signature | None]:
        """Return the state at `path`, where `name` makes the blob id of a file's bytes, and its signature."""
        sight = self.look(path, cap)
        if sight.data is None:
            return sight.state, sight.signature
        return replace(sight.state, content=name(sight.data)), sight.signature

    def _see(self, folder: int, name: str, cap: int) -> Sight:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        mark = signature(status)
        if stat.S_ISLNK(status.st_mode):
            return Sight(State("link", 0, os.readlink(name, dir_fd=folder)), None, mark)
        if status.st_dev != self.device:
            return Sight(unknown(OTHER_SYSTEM), None, mark)
        if stat.S_ISDIR(status.st_mode):
            return Sight(State("folder", bits(status)), None, mark)
        if not stat.S_ISREG(status.st_mode):
            return Sight(unknown("no ordinary file"), None, mark)
        if status.st_size > cap:
            return Sight(too_large(status.st_size, cap), None, mark)
        return read(name, folder, cap)


def _step(name: str, folder: int) -> int:
    """Open a folder in an open folder. A link in its place is ELOOP on one system, ENOTDIR on another."""
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotADirectoryError(errno.ENOTDIR, "a link stands in the way", name) from None
        raise


def too_large(size: int, cap: int) -> State:
    """Return the state of a file over the cap."""
    return unknown(f"{amount(size)}, more than the {amount(cap)} that are kept")


def read(name: str, folder: int | None, cap: int) -> Sight:
    """Return the bytes of a regular file as they stood at one moment, or unknown while it keeps changing.

    `name` counts from the open `folder`, or from the working folder when that is None.
    """
    for _ in range(_TRIES):
        file = os.open(name, _FILE, dir_fd=folder)
        try:
            before = os.fstat(file)
            if not stat.S_ISREG(before.st_mode):
                return Sight(unknown("no ordinary file"), None, signature(before))
            data = _all(file, min(before.st_size, cap) + 1)
            after = os.fstat(file)
        finally:
            os.close(file)
        if signature(before) == signature(after) and len(data) == after.st_size:
            return Sight(State("file", bits(after)), data, signature(after))
    return Sight(unknown("changing while it was read"), None, signature(after))


def _all(file: int, size: int) -> bytes:
    """Read up to `size` bytes."""
    parts, left = [], size
    while left > 0 and (part := os.read(file, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
