"""Opens files for reading, safely: regular files only, never one that would block or never end.

Also the content hash, and the one place where an OSError about a file becomes a sentence. Writes nothing.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.protocols import ABSENT
from hermes_tui.files.folder import Moved, open_folder

MAX_BYTES: Final = 64_000_000
"""The most that is read into memory as one file."""
CHUNK: Final = 1 << 18

_WORDS: Final = {
    errno.ENOENT: "no such file or folder",
    errno.EACCES: "permission denied",
    errno.EPERM: "not permitted",
    errno.EROFS: "the file system is read-only",
    errno.ENOSPC: "no space is left on the disk",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would grow over the limit for files here",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "symbolic links lead round in a circle",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.EISDIR: "it is a folder, not a file",
    errno.EAGAIN: "it has nothing to read and would block",
}

_KINDS: Final = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NoSuchFile(ToolError):
    """There is nothing at this path."""


class TooLarge(ToolError):
    """The file is larger than what is taken into memory."""


class NotAFile(ToolError):
    """There is something else than a regular file at this path."""


def explain(error: OSError, path: Path | str, doing: str = "open") -> ToolError:
    """Return an OSError as one line: what could not be done with which path, and why."""
    why = _WORDS.get(error.errno or 0) or error.strerror or str(error)
    kind = NoSuchFile if error.errno == errno.ENOENT else ToolError
    return kind(f"cannot {doing} {path}: {why}")


def kind_of(status: os.stat_result) -> str:
    """Return what a stat result describes, in words: "a file", "a named pipe"."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "a special file")


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Open a regular file by its canonical path and give its descriptor; no link on the way is followed.

    Raises `NoSuchFile`, `NotAFile` (a folder, pipe, socket or device, at once), `Moved` (a link stands
    in the path by now) or `ToolError`.
    """
    try:
        folder = open_folder(path.parent)
        try:
            descriptor = open_in(folder, path)
        finally:
            os.close(folder)
    except OSError as error:
        raise explain(error, path) from None
    try:
        _only_regular(os.fstat(descriptor), path)  # and what was opened, not what stood there before
        yield descriptor
    finally:
        os.close(descriptor)


def open_in(folder: int, path: Path) -> int:
    """Return a descriptor of the regular file of this name in an open folder. May raise `OSError` too."""
    name = path.name or "."
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        raise _linked(path)
    _only_regular(status, path)  # before opening: opening a device may do something
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    return os.open(name, flags, dir_fd=folder)


def _linked(path: Path) -> ToolError:
    """Return why a link is not opened: a path that was resolved has none, except one that leads round."""
    if os.path.realpath(path) == str(path):
        return explain(OSError(errno.ELOOP, ""), path)
    return Moved(f"{path} is a link now and leads elsewhere; it was not opened")


def chunks(descriptor: int, path: Path) -> Iterator[bytes]:
    """Read an open file piece by piece, to its end."""
    while True:
        try:
            piece = os.read(descriptor, CHUNK)
        except OSError as error:
            raise explain(error, path, "read") from None
        if not piece:
            return
        yield piece


def read(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the content of a regular file, named by its canonical path; `TooLarge` over `limit` bytes."""
    parts: list[bytes] = []
    size = 0
    with opened(path) as descriptor:
        for piece in chunks(descriptor, path):
            size += len(piece)
            if size > limit:
                raise TooLarge(f"{path} is larger than {limit / 1e6:g} MB: too large to take as a whole")
            parts.append(piece)
    return b"".join(parts)


def hash_bytes(data: bytes) -> str:
    """Return the content hash of `data`: SHA-256, as `sha256sum` prints it."""
    return hashlib.sha256(data).hexdigest()


def hash_of(data: bytes | None) -> str:
    """Return the content hash of what stands at a path; `ABSENT` for None, no file."""
    return ABSENT if data is None else hash_bytes(data)


def hash_file(path: Path) -> str:
    """Return the content hash of a regular file of any size, named by its canonical path, or `ABSENT`."""
    digest = hashlib.sha256()
    try:
        with opened(path) as descriptor:
            for piece in chunks(descriptor, path):
                digest.update(piece)
    except NoSuchFile:
        return ABSENT
    return digest.hexdigest()


def _only_regular(status: os.stat_result, path: Path) -> None:
    """Raise `NotAFile` for everything that is no regular file."""
    if not stat.S_ISREG(status.st_mode):
        raise NotAFile(f"{path} is {kind_of(status)}, not a file")
