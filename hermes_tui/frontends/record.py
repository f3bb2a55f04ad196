"""`--record FILE`: every event that a front end gets, as a line of stream-json, the moment it gets it.

The file is new or empty, readable by the user alone. A disk that fails ends the recording, never the run.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.events import Event, Notice
from hermes_tui.engine.outbox import Outbox
from hermes_tui.frontends.jsonline import json_line


class Recording:
    """An open recording."""

    def __init__(self, file: Path) -> None:
        """Open `file`; `UsageError` when it cannot be written or holds something already."""
        self._name = str(file)
        self._descriptor: int | None = opened(file)

    def follow(self, outbox: Outbox) -> None:
        """Write down all that is drained from now on."""
        outbox.tap = self._writer(outbox)

    def _writer(self, outbox: Outbox) -> Callable[[Event], None]:
        def write(event: Event) -> None:
            if self._descriptor is None:
                return
            try:
                write_whole(self._descriptor, json_line(event.as_dict()).encode("utf-8") + b"\n")
            except OSError as error:
                self._descriptor = None
                text = f"{self._name}: the recording ends here: {error.strerror}"
                outbox.put(Notice(level="warning", text=text))

        return write


def opened(file: Path) -> int:
    """Return a descriptor to write to: a new file, an empty one, or no plain file at all."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
    try:
        try:
            return os.open(file, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            found = os.stat(file)
            if stat.S_ISREG(found.st_mode) and found.st_size:
                raise UsageError(f"{file} holds something already: name a new file with --record") from None
            return os.open(file, flags)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}; name another with --record") from None


def write_whole(descriptor: int, data: bytes) -> None:
    """Write all of it; there is no buffer that an early end could lose."""
    while data:
        data = data[os.write(descriptor, data) :]
