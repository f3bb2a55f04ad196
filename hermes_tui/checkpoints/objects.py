"""The contents of files as git blobs: written one by one in well under a millisecond, or as one pack.

Knows bytes and ids only. An object is durable when `put` returns, unless it was asked not to be.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import secrets
import threading
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hermes_tui.engine.errors import CheckpointError

if TYPE_CHECKING:
    from git.cmd import Git

    from hermes_tui.checkpoints.gitenv import Shadow
    from hermes_tui.checkpoints.wal import Wal

Named = tuple[str, bytes]
"""A blob's id and its bytes."""

_MANY: Final = 64
"""From here on new objects become one pack instead of a file each."""

_SMALL: Final = 1_000_000
"""Bytes up to which a content goes through the log."""

_REMEMBERED: Final = 8_000_000
"""Bytes of packed contents that are held in memory."""


def blob_id(data: bytes) -> str:
    """Return the id that git gives these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class Objects:
    """The object store of one shadow repository. Thread-safe."""

    def __init__(self, shadow: Shadow, wal: Wal) -> None:
        self._shadow = shadow
        self._wal = wal
        self._behind: set[str] = set()
        """Loose objects that are durable only because the log has them too."""
        self._writing = threading.Lock()
        self._folder = shadow.folder / "objects"
        self._durable: set[str] = set()
        self._fresh: set[str] = set()
        """Loose objects that this process wrote whole."""
        self._reader: Git.AutoInterrupt | None = None
        self._lock = threading.Lock()
        self._read: dict[str, bytes] = {}
        """Packed contents that were read lately."""
        self._room = _REMEMBERED

    def put(self, data: bytes, durable: bool = True) -> str:
        """Keep these bytes and return their id; `CheckpointError` when the disk refuses."""
        name = blob_id(data)
        if name in self._durable:
            self._freshen(name)
            if self._loose(name).exists() or self._packed(name) is not None:
                return name
        try:
            self._write(name, data, durable)
        except OSError as error:
            raise CheckpointError(f"the checkpoint could not be saved: {error.strerror}") from None
        if durable:
            self._durable.add(name)
        return name

    def put_many(self, contents: Iterable[Named]) -> None:
        """Keep many contents with their ids, not held in memory together; durable on return."""
        source = iter(contents)
        waiting = list(itertools.islice(source, _MANY))
        if len(waiting) == _MANY:
            self._pack(itertools.chain(waiting, source))
        else:
            for _, data in waiting:
                self.put(data)

    def settle(self) -> None:
        """Sync the objects that the log vouches for, and empty the log. Too slow for an edit's path."""
        with self._writing:
            names = set(self._behind)
        for path in (*map(self._loose, names), *{self._folder / name[:2] for name in names}):
            with contextlib.suppress(FileNotFoundError):  # packed meanwhile, and synced with the pack
                _sync(path)
        with self._writing:
            self._behind -= names
            if not self._behind:
                self._wal.clear()

    def recover(self, packed: bytes) -> None:
        """Keep a content that a crash left in a log."""
        raw = zlib.decompress(packed)
        self.put(raw[raw.find(b"\0") + 1 :])

    def get(self, name: str) -> bytes | None:
        """Return the bytes of a blob, None when the store does not hold it (any more)."""
        try:
            raw = zlib.decompress(self._loose(name).read_bytes())
        except (OSError, zlib.error):
            return self._unpacked(name)
        data = raw[raw.find(b"\0") + 1 :]
        return data if blob_id(data) == name else self._unpacked(name)

    def has(self, name: str) -> bool:
        """Whether the blob can be read back."""
        return self.get(name) is not None

    def missing(self, names: Iterable[str]) -> set[str]:
        """Return those of these blobs that the store does not hold, as git sees it; contents are not read."""
        lines = b"".join(name.encode() + b"\n" for name in names)
        answer = self._shadow.ask(lines, "cat-file", "--batch-check=%(objectname)") if lines else b""
        return {line.split()[0] for line in answer.decode().splitlines() if line.endswith(" missing")}

    def doubt(self) -> None:
        """Take nothing for granted any more: unneeded objects were removed."""
        self._durable.clear()
        self._fresh.clear()

    def close(self) -> None:
        """End the reader process, if there is one."""
        with self._lock:
            self._end_reader()
        with self._writing:
            self._wal.close()

    def _loose(self, name: str) -> Path:
        return self._folder / name[:2] / name[2:]

    def _freshen(self, name: str) -> None:
        """Make an object young again, so that a prune that runs now spares it, as git itself does."""
        with contextlib.suppress(OSError):
            os.utime(self._loose(name))

    def _write(self, name: str, data: bytes, durable: bool) -> None:
        """Write one loose object, unless this process did: one that a crash left may be half an object."""
        target = self._loose(name)
        packed = zlib.compress(b"blob %d\0" % len(data) + data, 1)
        with self._writing:
            if durable and len(packed) <= _SMALL:
                self._wal.add(packed)
                self._behind.add(name)
            if name in self._fresh and target.exists():
                return
            sync = durable and len(packed) > _SMALL
            self._place(target, packed, sync)
            if not sync:
                self._fresh.add(name)

    @staticmethod
    def _place(target: Path, packed: bytes, sync: bool) -> None:
        target.parent.mkdir(mode=0o700, exist_ok=True)
        temporary = target.parent / f"tmp_obj_{secrets.token_hex(8)}"
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o400)
        try:
            with open(file, "wb", buffering=0) as stream:
                stream.write(packed)
                if sync:
                    os.fsync(file)
            os.rename(temporary, target)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise

    def _pack(self, contents: Iterable[Named]) -> None:
        """Let git write one pack of all of them; it syncs that before it ends."""
        names: set[str] = set()

        def commands() -> Iterator[bytes]:
            for name, data in contents:
                if name not in self._durable and name not in names:
                    names.add(name)
                    yield b"blob\ndata %d\n%b\n" % (len(data), data)
            yield b"done\n"

        self._shadow.stream(commands(), "fast-import", "--quiet", "--done")
        self._durable |= names

    def _unpacked(self, name: str) -> bytes | None:
        """Read a packed object; a preview and its restore ask for the same ones, a round trip to git each."""
        data = self._read.get(name)
        if data is None and (data := self._packed(name)) is not None:
            self._room -= len(data)
            if self._room < 0:
                self._read.clear()
                self._room = _REMEMBERED - len(data)
            self._read[name] = data
        return data

    def _packed(self, name: str) -> bytes | None:
        """Read an object that is packed, through one git process that stays."""
        if not any(entry.endswith(".idx") for entry in os.listdir(self._folder / "pack")):
            return None
        with self._lock:
            for _ in range(2):
                try:
                    return self._ask(name)
                except (OSError, ValueError, IndexError):
                    self._end_reader()
            return None

    def _ask(self, name: str) -> bytes | None:
        if self._reader is None:
            self._reader = self._shadow.start("cat-file", "--batch")
        self._reader.stdin.write(name.encode() + b"\n")
        self._reader.stdin.flush()
        header = self._reader.stdout.readline().split()
        if header[1:] == [b"missing"]:
            return None
        data: bytes = self._reader.stdout.read(int(header[2]) + 1)[:-1]
        return data if blob_id(data) == name else None

    def _end_reader(self) -> None:
        if self._reader is not None:
            self._shadow.stop(self._reader)
            self._reader = None
