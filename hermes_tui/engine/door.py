"""What a running tool has: its folder, its token, its output, its state, and the one door to the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hermes_tui.engine.errors import StaleFile, ToolError
from hermes_tui.engine.footprint import ANYTHING, Footprint
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import ABSENT, Disk, OpenCheckpoint

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Door:
    """Implements `protocols.Call` for one call."""

    id: str
    folder: Path
    token: Token
    footprint: Footprint
    """As computed when the call started: nothing else may be written."""
    disk: Disk
    checkpoint: OpenCheckpoint | None
    """None: no rollback here, or a call that declared no writes."""
    find: Callable[[type[Any]], Any]
    """Finds the session's implementation of a state protocol, or None."""
    show: Callable[[str], None]
    weigh: Callable[[int], None] = lambda size: None
    """Told how many bytes are about to be written; raises `ToolError` when they are too many."""

    def output(self, text: str) -> None:
        """Show live output; never blocks."""
        self.show(text)

    def state(self, protocol: type[T]) -> T:
        """Return the session's implementation of a state protocol; `ToolError` if there is none."""
        found: T | None = self.find(protocol)
        if found is None:
            raise ToolError(f"this session has no {protocol.__name__.lower()}; do without this tool here.")
        return found

    def declared(self, path: Path) -> Path:
        """Return a canonical path if it is one of those that were judged; `ToolError` if it is not."""
        footprint = self.footprint
        named = [subject.text for subject in footprint.subjects if subject.kind == "path"]
        for judged in named or (*footprint.reads, *footprint.writes):
            if judged == ANYTHING or within(str(path), judged):
                return path
        raise ToolError(f"{path} is not what was asked for: a link leads there by now. Nothing was read.")

    def replace(self, path: Path, data: bytes | None, expected: str | None, mode: int | None = None) -> None:
        """Make `path` hold `data` (None: remove it), atomically, inside the open checkpoint.

        `mode`: permission bits for a file that is new; None: those of the umask.
        `StaleFile` when it is not what `expected` says, `Interrupted` when the token is set, `ToolError`
        when the call did not declare the path: each time nothing was written.
        """
        real = self._writable(path, data)
        self.token.raise_if_set()
        self._check_fresh(path, expected)
        self.weigh(len(data or b""))
        # what was judged is what is written: the disk follows no link from here on
        with self._journalled(path, data), self.disk.stage(real, data, mode) as rename:
            # staging waits for the disk, so look again at the last moment
            self._check_fresh(path, expected)
            with self.token.commit():
                rename()

    def _journalled(self, path: Path, data: bytes | None) -> AbstractContextManager[None]:
        return nullcontext() if self.checkpoint is None else self.checkpoint.change(path, data)

    def _check_fresh(self, path: Path, expected: str | None) -> None:
        if expected is None:
            return
        found = self.disk.hash(path)
        if found == expected:
            return
        if found == ABSENT:
            raise StaleFile(f"{path} is gone since you read it; nothing was written.")
        if expected == ABSENT:
            raise StaleFile(f"{path} exists by now; nothing was written. Read it first.")
        raise StaleFile(f"{path} changed since you read it; nothing was written. Read it again.")

    def _writable(self, path: Path, data: bytes | None) -> Path:
        """Return the path as it really is; `ToolError` when the call did not declare it."""
        real = canonical(path, follow=data is not None)
        if not any(allowed == ANYTHING or within(real, allowed) for allowed in self.footprint.writes):
            raise ToolError(f"{path} is not among the paths this call declared; nothing was written.")
        return Path(real)


def canonical(path: Path, follow: bool) -> str:
    """Return the path with its links resolved; the last one only if `follow`: removing removes the link."""
    if follow:
        return os.path.realpath(path)
    return os.path.join(os.path.realpath(path.parent), path.name)


def within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
