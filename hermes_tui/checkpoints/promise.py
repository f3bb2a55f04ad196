"""What of a call no rollback would bring back, found out before it runs. Only looks, for a moment at most.

Goes by what `scan` would keep of the paths that the call names: what is over a cap, ignored beyond the
part that is kept, special, unreadable, on another file system, outside the project.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hermes_tui.checkpoints import commands
from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.ignores import GIT, Ignores, is_repository
from hermes_tui.checkpoints.root import OTHER_SYSTEM, too_large
from hermes_tui.checkpoints.snapshot import REPOSITORY
from hermes_tui.checkpoints.states import amount, shown, signature
from hermes_tui.engine.errors import CheckpointError
from hermes_tui.engine.footprint import Footprint, Hazard

_MOMENT: Final = 0.3
"""Seconds that a question may wait for this."""
_MOST: Final = 100_000
"""Paths that are looked at."""
_LINES: Final = 4


def uncovered(base: Base, footprint: Footprint) -> list[str]:
    """Return a sentence for each path that the call names and no rollback would bring back."""
    look = _Look(base, footprint.hazard is Hazard.DELETES)
    for text, name in commands.written(base, footprint):
        look.at(text, name)
    lines = [f"{shown(path)} {why}" for path, why in look.found.items()]
    if len(lines) > _LINES:
        lines[_LINES - 1 :] = [f"/rollback will not bring back {len(lines) - _LINES + 1} other paths either"]
    if footprint.needs_scan and base.scanner.refused:
        lines.append(f"{base.scanner.refused} here: /rollback brings back only what the command names")
    return lines


@dataclass(slots=True)
class _Count:
    """What of one folder is ignored, as far as it was counted."""

    ignored: set[str] | None
    """None: git cannot say, then all that is named counts."""
    size: int = 0
    files: int = 0
    whole: bool = True
    """Whether it was counted to its end."""

    def leaves_out(self, path: str, is_folder: bool) -> bool:
        """Whether the ignore rules leave a path out."""
        return self.ignored is None or path in self.ignored or (is_folder and f"{path}/" in self.ignored)


class _Look:
    """One look at the paths that a call names."""

    def __init__(self, base: Base, deletes: bool) -> None:
        self._base = base
        self._deletes = deletes
        self._ignores = Ignores(base.root.path, base.folder)
        self._known = base.scanner.last.entries
        self._until = time.monotonic() + _MOMENT
        self._left = _MOST
        self.found: dict[str, str] = {}
        """Path → why it would not come back, in the rest of a sentence."""

    def at(self, text: str, name: str | None) -> None:
        """Look at one path and all below it; what is not there cannot be lost."""
        try:
            status = os.lstat(text)
        except OSError:
            return
        if name is None:
            self._note(text, "is outside the project")
        elif why := self._base.refused(name) or self._lost(name, status):
            self._note(name, f"is {why}")
        elif stat.S_ISDIR(status.st_mode):
            self._folder(name)

    def _note(self, path: str, why: str) -> None:
        self.found[path] = f"{why}: /rollback will not bring it back"

    def _lost(self, path: str, status: os.stat_result) -> str:
        """Return why one path would be unknown to a scan, or nothing."""
        if stat.S_ISLNK(status.st_mode):
            return ""
        if status.st_dev != self._base.root.device:
            return OTHER_SYSTEM
        if stat.S_ISDIR(status.st_mode):
            return "" if self._may(path, status, os.R_OK | os.X_OK) else "unreadable"
        if not stat.S_ISREG(status.st_mode):
            return "no ordinary file"
        if status.st_size > (cap := self._base.limits.max_file_bytes):
            return too_large(status.st_size, cap).content
        known = self._known.get(path)
        if known and not known.state.known and known.signature == signature(status):
            return known.state.content
        return "" if self._may(path, status, os.R_OK) else "unreadable"

    def _may(self, path: str, status: os.stat_result, how: int) -> bool:
        """Whether we may do this with a path. For our own files the mode says it, without asking again."""
        if status.st_uid == os.geteuid():
            return status.st_uid == 0 or (status.st_mode >> 6) & how == how
        return os.access(self._path(path), how)

    def _folder(self, folder: str) -> None:
        """Look below a folder: at each path, and how much is ignored, which is kept whole or not at all."""
        counted = _Count(self._ignored(folder))
        whole = any(counted.leaves_out(path, True) for path in _and_above(folder))
        waiting = [(folder, whole)]
        while waiting:
            path, hidden = waiting.pop()
            for entry in self._entries(path, counted):
                below = f"{path}/{entry.name}"
                if entry.name == GIT:
                    self._repository(path, counted)
                elif (status := self._status(entry)) is None:
                    continue
                elif why := self._lost(below, status):
                    self._note(below, f"is {why}")
                elif stat.S_ISDIR(status.st_mode):
                    waiting.append((below, hidden or counted.leaves_out(below, True)))
                elif hidden or counted.leaves_out(below, False):
                    self._count(below, status, counted)
        self._sum_up(f"{folder}/", whole, counted)

    def _count(self, path: str, status: os.stat_result, counted: _Count) -> None:
        """Count one ignored file, unless it was kept already as it is."""
        known = self._known.get(path)
        if not (known and known.settled and known.signature == signature(status)):
            counted.size += status.st_size
        counted.files += 1

    def _sum_up(self, folder: str, whole: bool, counted: _Count) -> None:
        """Note a folder of which too much is ignored, or that nobody could look at to its end."""
        limits, more = self._base.limits, "" if counted.whole else "more than "
        others = 0 if self._base.scanner.refused else len(self._known)
        what = ""
        if counted.files + others > limits.max_files:
            what = f"{more}{counted.files} files"
        elif counted.size > limits.max_named_bytes:
            what = f"{more}{amount(counted.size)}"
        if what:
            self._note(folder, f"is ignored and {what}" if whole else f"holds {what} that are ignored")
        elif not counted.whole:
            what = f"more than {_MOST - self._left} files"
            self.found[folder] = f"holds {what}: /rollback may not bring all of them back"

    def _repository(self, folder: str, counted: _Count) -> None:
        """A repository in the repository: its own data is never kept, and its ignore rules count below it."""
        if self._deletes:
            self._note(f"{folder}/{GIT}", f"is {REPOSITORY}")
        if counted.ignored is not None and is_repository(self._base.root.path / folder):
            found = self._ignored(folder)
            counted.ignored = None if found is None else counted.ignored | found

    def _entries(self, path: str, counted: _Count) -> Sequence[os.DirEntry[str]]:
        """Return what is in a folder; nothing more once the moment is over."""
        if self._left <= 0 or time.monotonic() > self._until:
            counted.whole = False
            return ()
        try:
            with os.scandir(self._path(path)) as entries:
                found = list(entries)
        except OSError:
            return ()
        self._left -= len(found)
        return found

    @staticmethod
    def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
        try:
            return entry.stat(follow_symlinks=False)
        except OSError:
            return None

    def _ignored(self, folder: str) -> set[str] | None:
        """Return what of a folder is ignored, by the rules of its repository; None when nobody knows."""
        top = next((path for path in _and_above(folder) if is_repository(self._base.root.path / path)), "")
        try:
            return self._ignores.of(top, folder[len(top) :].lstrip("/"))
        except CheckpointError:
            return None

    def _path(self, path: str) -> str:
        return os.path.join(self._base.root.path, path)


def _and_above(folder: str) -> list[str]:
    """Return a folder of the project and those that it lies in, the deepest first."""
    parts = folder.split("/")
    return ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
