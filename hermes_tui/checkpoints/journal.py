"""The append-only file behind the ledger: one JSON object a line. Knows nothing of what the lines mean.

A torn last line is what a crash leaves and is ignored; a damaged line before it is counted, so that
it can be said, and never stops the reading.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import CheckpointError

Record = dict[str, Any]


class Journal:
    """One journal. The caller holds the store's lock around every call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._offset = 0
        self.damaged = 0
        """How many whole lines could not be read."""

    def read(self) -> tuple[bool, list[Record]]:
        """Return (whether this starts over, the records that came since the last read).

        It starts over at first and when another session has replaced the file.
        """
        fresh = self._open()
        size = os.fstat(self._opened).st_size
        if size < self._offset:
            fresh, self._offset, self.damaged = True, 0, 0
        data = os.pread(self._opened, size - self._offset, self._offset) if size > self._offset else b""
        whole = data.rfind(b"\n") + 1
        self._offset += whole
        records = [record for line in data[:whole].splitlines() if (record := self._parse(line)) is not None]
        return fresh, records

    def append(self, records: Sequence[Record], durable: bool) -> None:
        """Write whole lines, or nothing; with `durable` they are on the disk on return."""
        self._open()
        data = b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)
        start = self._end_of_lines()
        try:
            os.ftruncate(self._opened, start)
            written = os.write(self._opened, data)
            if written < len(data):
                raise OSError(28, "No space left on device")
            if durable:
                os.fsync(self._opened)
        except OSError as error:
            os.ftruncate(self._opened, start)
            raise CheckpointError(f"the checkpoint could not be saved: {error.strerror}") from None

    def replace(self, records: Sequence[Record]) -> None:
        """Put `records` in place of everything, atomically."""
        temporary = self._path.with_suffix(".new")
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            for record in records:
                stream.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        os.rename(temporary, self._path)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    @property
    def _opened(self) -> int:
        if (file := self._file) is None:
            raise CheckpointError("the checkpoints were closed")
        return file

    def _end_of_lines(self) -> int:
        """Return where the last whole line ends: a crash may have left half a line behind it."""
        size = os.fstat(self._opened).st_size
        start = min(self._offset, size)
        tail = os.pread(self._opened, size - start, start)
        return start + tail.rfind(b"\n") + 1

    def _open(self) -> bool:
        """Open the file, again if it was replaced; return whether it is another one than before."""
        if (file := self._file) is not None:  # the program may close it in the middle of this
            try:
                if os.path.samestat(os.stat(self._path), os.fstat(file)):
                    return False
            except FileNotFoundError:
                pass
            self.close()
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._offset = self.damaged = 0
        return True

    def _parse(self, line: bytes) -> Record | None:
        """Return one line's record; None for a line that is none."""
        if not line:
            return None
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            return record
        self.damaged += 1
        return None
