"""Replaces files so that a reader, a full disk or a kill never meets half of one.

The new content is written and fsynced in a hidden file beside the old one, then renamed over it. A file
with several names (hard links) is the exception: a rename would part them, so it is rewritten in place,
in one go under the caller's commit, with the space reserved first and the old content put back if a
write fails; only a kill in the middle of that can leave a mix, and the checkpoint holds the old one.

The one place that writes the user's files. Decides nothing: no permission, no stale check.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from hermes_tui.engine.errors import ToolError
from hermes_tui.files.folder import Moved, is_still, open_folder, opened_folder
from hermes_tui.files.open import NotAFile, chunks, explain, hash_file, kind_of
from hermes_tui.files.paths import nearest
from hermes_tui.files.temporary import clean, temporary_beside

_TRIES: Final = 5


class _Prepared(Protocol):
    """A change that is ready: `commit` makes it real, `discard` removes what was prepared."""

    def commit(self) -> None: ...
    def discard(self) -> None: ...


class SafeDisk:
    """Implements `engine.protocols.Disk` on the real file system. Thread-safe."""

    def __init__(self) -> None:
        self._cleaned: set[Path] = set()

    def hash(self, path: Path) -> str:
        """Return the content hash of the file that `path` leads to, or `ABSENT`."""
        return hash_file(Path(os.path.realpath(path)))

    @contextmanager
    def stage(self, path: Path, data: bytes | None, mode: int | None = None) -> Iterator[Callable[[], None]]:
        """Prepare `path` to hold `data` (None: to be gone); the callable given makes it real.

        `path` is canonical (when removing: its folder is): no link in it is followed, so that it cannot be
        made to lead elsewhere. Missing folders are made, and removed again if nothing was committed.
        `mode`: permission bits for a file that is new; None: those of the umask. Raises `ToolError` with
        nothing changed.
        """
        prepared = self._prepare(path, data, mode)

        def commit() -> None:
            try:
                prepared.commit()
            except OSError as error:
                raise explain(error, path, "write" if data is not None else "remove") from None

        try:
            yield commit
        finally:
            prepared.discard()

    def _prepare(self, path: Path, data: bytes | None, mode: int | None) -> _Prepared:
        """Return the change, with everything done that can fail beforehand."""
        try:
            if data is None:
                return _Removal(path)
            status = _status(path)
            if status is not None and status.st_nlink > 1:
                return _InPlace(path, data)
            if path.parent not in self._cleaned:
                self._cleaned.add(path.parent)
                clean(path.parent)
            return _Renamed(path, data, status, mode)
        except OSError as error:
            raise explain(error, path, "write" if data is not None else "remove") from None


class _Removal:
    """Takes one name away."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = open_folder(path.parent)
        with ExitStack() as undo:
            undo.callback(self.discard)
            self._check()
            undo.pop_all()

    def _check(self) -> None:
        status = os.lstat(self._path.name, dir_fd=self._folder)
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
            raise NotAFile(f"cannot remove {self._path}: it is {kind_of(status)}, not a file")
        if not os.access(self._path.parent, os.W_OK | os.X_OK):
            raise ToolError(f"cannot remove {self._path}: its folder is read-only")

    def commit(self) -> None:
        if not is_still(self._folder, self._path.parent):
            raise Moved(f"cannot remove {self._path}: the path leads elsewhere now; nothing was removed")
        os.unlink(self._path.name, dir_fd=self._folder)
        _sync_folder(self._path.parent)

    def discard(self) -> None:
        os.close(self._folder)


class _Renamed:
    """A new file beside the old one, renamed over it."""

    def __init__(self, path: Path, data: bytes, old: os.stat_result | None, mode: int | None) -> None:
        self._path = path
        self._mode = mode
        self._made: list[Path] = []
        self._temporary = temporary_beside(path)
        self._folder = -1
        self._done = False
        with ExitStack() as undo:
            undo.callback(self.discard)
            self._prepare(data, old)
            undo.pop_all()

    def _prepare(self, data: bytes, old: os.stat_result | None) -> None:
        """Make the folders and the temporary file; again, if another call that gave up removed a folder."""
        for attempt in range(_TRIES):
            try:
                self._close()
                self._folder = open_folder(self._path.parent, self._made)
                _write_new(self._temporary, data, _Replaced(self._path, self._folder, old, self._mode))
                break
            except FileNotFoundError:
                if attempt == _TRIES - 1:
                    raise

    def commit(self) -> None:
        if os.path.islink(self._path) or not is_still(self._folder, self._path.parent):
            raise Moved(f"cannot write {self._path}: the path leads elsewhere now; nothing was written")
        folder = self._folder
        os.replace(self._temporary.name, self._path.name, src_dir_fd=folder, dst_dir_fd=folder)
        self._done = True
        _sync_folder(self._path.parent)
        for made in self._made:
            _sync_folder(made.parent)

    def discard(self) -> None:
        if not self._done and self._folder >= 0:
            with suppress(OSError):
                os.unlink(self._temporary.name, dir_fd=self._folder)
        self._close()
        if self._done:
            return
        for folder in reversed(self._made):
            # not empty: somebody else uses it by now; moved: it is no longer ours
            with suppress(OSError, Moved), opened_folder(folder.parent) as above:
                os.rmdir(folder.name, dir_fd=above)

    def _close(self) -> None:
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1


class _InPlace:
    """A file with several names, rewritten where it is."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._data = data
        with opened_folder(path.parent) as folder:
            flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
            self._descriptor = os.open(path.name, flags, dir_fd=folder)

    def commit(self) -> None:
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        old = b"".join(chunks(self._descriptor, self._path))
        try:
            if len(self._data) > len(old) and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(self._descriptor, 0, len(self._data))
            _write_all(self._descriptor, self._data)
        except OSError:
            _write_all(self._descriptor, old)
            raise

    def discard(self) -> None:
        os.close(self._descriptor)


def _status(path: Path) -> os.stat_result | None:
    """Return what stands at a path that is to be written, None for nothing; `ToolError` if it must not be."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise NotAFile(f"cannot write {path}: it is {kind_of(status)}, not a file")
    if not os.access(path, os.W_OK):
        mode = stat.S_IMODE(status.st_mode)
        raise ToolError(f"cannot write {path}: the file is read-only (mode {mode:04o}); nothing was changed")
    return status


@dataclass(frozen=True, slots=True)
class _Replaced:
    """What a new file takes the place of."""

    path: Path
    folder: int
    """Descriptor of its folder."""
    old: os.stat_result | None
    """None: nothing is there."""
    mode: int | None
    """Permission bits if it is new; None: those of the umask."""


def _write_new(temporary: Path, data: bytes, place: _Replaced) -> None:
    """Write and fsync the temporary file, with the old file's mode, owner and extended attributes."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    bits = 0o666 if place.old is None else 0o600  # the kernel applies the umask
    descriptor = os.open(temporary.name, flags, bits, dir_fd=place.folder)
    try:
        if place.old is not None:
            _keep_owner(descriptor, place.old)
            _keep_attributes(descriptor, place.path)
            os.fchmod(descriptor, stat.S_IMODE(place.old.st_mode))  # last: changing the owner drops bits
        elif place.mode is not None:
            os.fchmod(descriptor, place.mode)
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _keep_owner(descriptor: int, old: os.stat_result) -> None:
    """Give the new file the old one's owner and group, as far as we may."""
    new = os.fstat(descriptor)
    if new.st_uid != old.st_uid:
        with suppress(OSError):
            os.fchown(descriptor, old.st_uid, -1)
    if new.st_gid != old.st_gid:
        with suppress(OSError):
            os.fchown(descriptor, -1, old.st_gid)


def _keep_attributes(descriptor: int, path: Path) -> None:
    """Copy extended attributes (access lists, labels), where the system has them and lets us."""
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        for name in os.listxattr(path, follow_symlinks=False):
            with suppress(OSError):
                os.setxattr(descriptor, name, os.getxattr(path, name, follow_symlinks=False))


def _write_all(descriptor: int, data: bytes) -> None:
    """Make an open file hold exactly `data`, on the disk."""
    view = memoryview(data)
    done = 0
    while done < len(view):
        done += os.pwrite(descriptor, view[done : done + (1 << 24)], done)
    os.ftruncate(descriptor, len(view))
    os.fsync(descriptor)


def _sync_folder(folder: Path) -> None:
    """Make a rename last; not every file system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_writable(path: Path) -> None:
    """Raise `ToolError` if `path` could not be written or removed now; changes nothing."""
    try:
        if not path.is_symlink():
            _status(path)
        folder = nearest(path.parent)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ToolError(f"cannot write {path}: the folder {folder} is read-only; nothing was changed")
    except OSError as error:
        raise explain(error, path, "write") from None
