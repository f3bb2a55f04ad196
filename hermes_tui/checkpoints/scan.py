"""Looks at the whole tree, reading only what changed since the last look. Writes to the store alone.

The first look reads everything, later ones ask each path's status; a time stamp that is too young to
be trusted is no proof, and the file is read again, as git does.
"""

from __future__ import annotations

import operator
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from hermes_tui.checkpoints.ignores import GIT, Ignores, is_repository
from hermes_tui.checkpoints.objects import Named, Objects, blob_id
from hermes_tui.checkpoints.root import OTHER_SYSTEM, Root, read, too_large
from hermes_tui.checkpoints.snapshot import IGNORED, OURS, REPOSITORY, STAGING, Entry, Snapshot
from hermes_tui.checkpoints.states import Limits, Signature, State, amount, bits, signature, unknown
from hermes_tui.engine.errors import CheckpointError
from hermes_tui.files.temporary import is_temporary

_UNREADABLE: Final = unknown("unreadable")


_name = operator.attrgetter("name")


class _TooMany(Exception):
    """The tree has more files than are scanned."""


class Scanner:
    """Scans one project. One scan at a time: the caller sees to it."""

    def __init__(self, root: Root, objects: Objects, limits: Limits, ignores: Ignores, ours: str) -> None:
        self._root = root
        self._objects = objects
        self._limits = limits
        self._ignores = ignores
        self._ours = ours
        """Our own data's folder, when it lies in the project; else empty."""
        self._refused = ""
        """Why this tree is not walked, once that is known."""
        self.last = Snapshot()
        """The newest snapshot: what was read once is not read again."""
        self.progress: Callable[[int], None] = lambda count: None
        """Told now and then how many files were read."""

    @property
    def refused(self) -> str:
        """Why this tree is not walked ("more than 100000 files"); empty as far as is known."""
        return self._refused

    def scan(self, named: Iterable[str], ledger: Iterable[str], known: Iterable[str] = ()) -> Snapshot:
        """Return how the tree looks now, all contents kept.

        Besides what is not ignored, `named` paths are looked at with all below them, and every path of
        `ledger` and `known`. Without ignore rules (git fails) or in a tree that is too large only those
        are looked at, and the snapshot says why.
        """
        walk = self._walk()
        for path in named:
            walk.all_below(path)
        for paths in (ledger, known):
            for path in paths:
                walk.one(path)
        self._keep(walk)
        if not walk.snapshot.partial:
            self.last = walk.snapshot
        return walk.snapshot

    def _walk(self) -> _Walk:
        """Return the walk over all that is not ignored, or an empty one that says why."""
        walk = _Walk(self._root, self._limits, self._ours, self.last)
        try:
            if not self._refused:
                walk.tree("", self._ignores)
                return walk
        except _TooMany as error:
            self._refused = str(error)
        except CheckpointError as error:
            walk.snapshot.partial = str(error)
        partial = _Walk(self._root, self._limits, self._ours, self.last)
        partial.snapshot.partial = walk.snapshot.partial or self._refused
        return partial

    def _keep(self, walk: _Walk) -> None:
        """Read what is new; of a tree that is too large in all, the largest files are left out."""
        new = sorted(walk.new.items(), key=lambda item: item[1][3])
        total = sum(mark[3] for mark in walk.sizes()) if new else 0
        while new and total > self._limits.max_total_bytes:
            path, mark = new.pop()
            total -= mark[3]
            walk.snapshot.entries[path] = Entry(mark, unknown("over the total size that is kept"), 0)
        self._objects.put_many(self._contents(new, walk.snapshot))

    def _contents(self, new: list[tuple[str, Signature]], snapshot: Snapshot) -> Iterator[Named]:
        """Read files one by one, note what they hold, and give on the contents that are new."""
        for count, (path, mark) in enumerate(new, 1):
            old = self.last.entries.get(path)
            entry, data = self._read(path, mark)
            if entry is None:
                continue
            snapshot.entries[path] = entry
            if data is not None and (old is None or old.state.content != entry.state.content):
                yield entry.state.content, data
            elif old is not None and old.state == entry.state:
                snapshot.entries[path] = old
                old.renew(entry.signature, entry.at)
            if count % 1000 == 0:
                self.progress(count)

    def _read(self, path: str, mark: Signature) -> tuple[Entry | None, bytes | None]:
        """Return a file's entry and bytes; no entry when it has gone meanwhile."""
        at = time.time_ns()
        try:
            sight = read(os.path.join(self._root.path, path), None, self._limits.max_file_bytes)
        except FileNotFoundError:
            return None, None
        except OSError:
            return Entry(mark, _UNREADABLE, 0), None
        if sight.data is None:
            return Entry(mark, sight.state, 0), None
        state = State("file", sight.state.mode, blob_id(sight.data))
        return Entry(sight.signature or mark, state, at), sight.data


def _passing(name: str) -> bool:
    """Whether a file or folder is there only while one of our edits or restores is on its way."""
    return is_temporary(name) or name.startswith(STAGING)


class _Walk:
    """One pass over the tree: finds every path and its status, reads no contents."""

    def __init__(self, root: Root, limits: Limits, ours: str, last: Snapshot) -> None:
        self._root = root
        self._limits = limits
        self._ours = ours
        self._old = last.entries
        self.snapshot = Snapshot()
        self.new: dict[str, Signature] = {}
        """Files to read."""

    def tree(self, folder: str, ignores: Ignores | None) -> None:
        """Walk `folder` and all below it that is not ignored; without rules, all below it.

        The loop is the hot spot of every command's look at the tree: what is known and untouched is
        taken over without a call.
        """
        ignored = ignores.of(folder) if ignores else set()
        old, found, waiting = self._old, self.snapshot.entries, [folder]
        while waiting:
            path = waiting.pop()
            entries = self._list(path)
            if ignores and path != folder and self._is_nested(path, entries):
                ignored |= ignores.of(path)
            prefix = f"{path}/" if path else ""
            for entry in entries:
                below = prefix + entry.name
                known = old.get(below)
                if known is not None and known.settled and self._is_same(entry, known):
                    folder_below = known.state.kind == "folder"
                    if not ignored or not (below in ignored or (folder_below and f"{below}/" in ignored)):
                        found[below] = known
                        if folder_below:
                            waiting.append(below)
                        continue
                if self._enter(entry, below, ignored):
                    waiting.append(below)

    @staticmethod
    def _is_same(entry: os.DirEntry[str], known: Entry) -> bool:
        try:
            return signature(entry.stat(follow_symlinks=False)) == known.signature
        except OSError:
            return False

    def _is_nested(self, path: str, entries: Sequence[os.DirEntry[str]]) -> bool:
        """Whether a folder is the top of a repository in the repository."""
        return GIT in map(_name, entries) and is_repository(self._root.path / path)

    def all_below(self, path: str) -> None:
        """Look at a path that will be written, ignored or not, and all below it within the caps."""
        self.one(path)
        entry = self.snapshot.entries.get(path)
        if entry is None or entry.state.kind != "folder":
            return
        kept = dict(self.snapshot.entries), dict(self.new), dict(self.snapshot.opaque)
        try:
            for hidden in [name for name in kept[2] if f"{name}/".startswith(f"{path}/")]:
                del self.snapshot.opaque[hidden]
            self.tree(path, None)
            size = sum(mark[3] for name, mark in self.new.items() if name not in kept[1])
            if size > self._limits.max_named_bytes:
                raise _TooMany(f"{amount(size)} that are ignored")
        except _TooMany as error:
            self.snapshot.entries, self.new, self.snapshot.opaque = kept
            if path in self.snapshot.opaque:
                del self.snapshot.entries[path]  # the folder alone, without what was in it, helps nobody
            self.snapshot.too_much[path] = str(error)

    def one(self, path: str) -> None:
        """Look at a single path, present or not."""
        if path in self.snapshot.entries or path in self.new or GIT in path.split("/") or self._is_ours(path):
            return
        self.snapshot.looked.add(path)
        try:
            status = self._root.status(path)
        except OSError:
            self.snapshot.looked.discard(path)
            self.snapshot.opaque.setdefault(path, ("unreadable", None))
            return
        if status is not None:
            self._note(path, status)

    def sizes(self) -> Iterator[Signature]:
        """Give the signatures of all files that are covered."""
        for path, entry in self.snapshot.entries.items():
            if entry.state.kind == "file" and path not in self.new:
                yield entry.signature
        yield from self.new.values()

    def _list(self, path: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self._root.path, path)) as entries:
                return list(entries)
        except FileNotFoundError:
            return []
        except OSError:
            self.snapshot.opaque[path] = ("unreadable", None)
            return []

    def _enter(self, entry: os.DirEntry[str], path: str, ignored: set[str]) -> bool:
        """Note one entry of a folder; return whether to walk into it."""
        folder = entry.is_dir(follow_symlinks=False)
        why = self._reason(entry.name, path, folder, ignored)
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return False
        except OSError:
            self.snapshot.opaque[path] = ("unreadable", None)
            return False
        if why:
            mark = status.st_ino if why == REPOSITORY else list(signature(status))
            self.snapshot.opaque[path] = (why, mark)
            return False
        self._note(path, status)
        if folder and status.st_dev != self._root.device:
            self.snapshot.opaque[path] = (OTHER_SYSTEM, None)
            return False
        return folder

    def _reason(self, name: str, path: str, folder: bool, ignored: set[str]) -> str:
        """Return why a path is not looked at, or nothing."""
        if name == GIT:
            return REPOSITORY
        if ignored and (path in ignored or (folder and f"{path}/" in ignored)):
            return IGNORED
        return OURS if self._is_ours(path) or (name[0] == "." and _passing(name)) else ""

    def _is_ours(self, path: str) -> bool:
        return bool(self._ours) and (path == self._ours or path.startswith(f"{self._ours}/"))

    def _note(self, path: str, status: os.stat_result) -> None:
        """Take a path's status: what is known already stays, a file that is new will be read."""
        mark = signature(status)
        old = self._old.get(path)
        if old is not None and old.settled and old.signature == mark:
            self.snapshot.entries[path] = old
            return
        local = status.st_dev == self._root.device
        if local and stat.S_ISREG(status.st_mode) and status.st_size <= self._limits.max_file_bytes:
            self.new[path] = mark
            if len(self.snapshot.entries) + len(self.new) > self._limits.max_files:
                raise _TooMany(f"more than {self._limits.max_files} files")
        else:
            self._keep_or_replace(path, Entry(mark, self._plain(path, status), 0), old)

    def _keep_or_replace(self, path: str, entry: Entry, old: Entry | None) -> None:
        """Keep the old entry of a folder or link that is the same: equal objects compare fastest."""
        same = old is not None and old.state == entry.state and entry.state.kind in ("folder", "link")
        self.snapshot.entries[path] = old if old is not None and same else entry

    def _plain(self, path: str, status: os.stat_result) -> State:
        """Return the state of what is no file to be read."""
        if stat.S_ISLNK(status.st_mode):
            try:
                return State("link", 0, os.readlink(os.path.join(self._root.path, path)))
            except OSError:
                return _UNREADABLE
        if status.st_dev != self._root.device:
            return unknown(OTHER_SYSTEM)
        if stat.S_ISDIR(status.st_mode):
            return State("folder", bits(status))
        if stat.S_ISREG(status.st_mode):
            return too_large(status.st_size, self._limits.max_file_bytes)
        return unknown("no ordinary file")
