"""Contents on their way into the store: one synced line now, the object's own sync behind the edit.

Making and syncing a file for each content costs twice what one more line in an open file does. What
a crash leaves here is put into the store at the next start, so a content is durable as soon as `add`
returns. Knows bytes only.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_HEAD: Final = b"%d %d\n"
"""Length and checksum of what follows."""
_HEAD_AT_MOST: Final = 32


class Wal:
    """One process's file of contents. The caller lets one thread in at a time."""

    def __init__(self, folder: Path, owner: str) -> None:
        self._path = folder / owner
        self._file: int | None = None
        self._end = 0

    def add(self, packed: bytes) -> None:
        """Write these bytes, durably; `OSError` when the disk refuses, and then nothing is there."""
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        data = _HEAD % (len(packed), zlib.crc32(packed)) + packed
        try:
            if os.pwrite(self._file, data, self._end) < len(data):
                raise OSError(28, "No space left on device")
            os.fdatasync(self._file)
        except OSError:
            os.ftruncate(self._file, self._end)
            raise
        self._end += len(data)

    def clear(self) -> None:
        """Forget everything: it is durable elsewhere."""
        if self._file is not None and self._end:
            os.ftruncate(self._file, 0)
            self._end = 0

    def close(self) -> None:
        """Let go of the file; when it is empty it goes too."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            if not self._end:
                with contextlib.suppress(OSError):
                    self._path.unlink()


def left(file: Path) -> Iterator[bytes]:
    """Give what stands in such a file, up to where a crash cut it."""
    data = file.read_bytes()
    at = 0
    while (line := data.find(b"\n", at, at + _HEAD_AT_MOST)) >= 0:
        with contextlib.suppress(ValueError):
            size, check = map(int, data[at:line].split())
            packed = data[line + 1 : line + 1 + size]
            if len(packed) == size and zlib.crc32(packed) == check:
                yield packed
                at = line + 1 + size
                continue
        return
