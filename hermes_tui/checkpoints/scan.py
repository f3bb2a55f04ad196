"""Looks at the tree, reading only what changed since the last look. Writes to the store alone.

The first look reads everything that the project's own repository does not hold already. Later ones
go by the change watch, and without it ask each path's status; a time stamp that is too young to be
trusted is no proof then, and the file is read again, as git does.
"""

from __future__ import annotations

import itertools
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from hermes_tui.checkpoints.objects import Named, Objects, blob_id
from hermes_tui.checkpoints.root import Root, read
from hermes_tui.checkpoints.snapshot import Entry, Snapshot
from hermes_tui.checkpoints.states import Limits, Signature, State, unknown
from hermes_tui.checkpoints.tree import Tree
from hermes_tui.checkpoints.walk import UNREADABLE, TooManyError, Walk
from hermes_tui.engine.errors import CheckpointError

_MANY: Final = 200
"""New files from which it is worth asking what the project's repository holds."""

Seed = Callable[[list[str]], dict[str, str]]
"""Takes over what it can of these paths' contents, from elsewhere than the files: path → blob id."""
Sized = tuple[str, Signature]


class Scanner:
    """Scans one project. One scan at a time: the caller sees to it."""

    def __init__(self, root: Root, objects: Objects, limits: Limits, tree: Tree, seed: Seed) -> None:
        self._root = root
        self._objects = objects
        self._limits = limits
        self._tree = tree
        self._seed = seed
        self._refused = ""
        """Why this tree is not walked, once that is known."""
        self._total = 0
        """Bytes of all files that are covered, rather too many."""
        self.last = Snapshot()
        """The newest snapshot: what was read once is not read again."""
        self._recall: Callable[[], Snapshot | None] | None = None
        self.progress: Callable[[int, int], None] = lambda count, of: None
        """Told now and then how many files of how many were read."""

    @property
    def refused(self) -> str:
        """Why this tree is not walked ("more than 100000 files"); empty as far as is known."""
        return self._refused

    def go_on_from(self, recall: Callable[[], Snapshot | None]) -> None:
        """Begin with what an earlier run knew. `recall` takes a while: it is called when that is needed."""
        self._recall = recall

    def recall(self) -> Snapshot:
        """Return the newest snapshot, that of an earlier run at first."""
        recall, self._recall = self._recall, None
        if recall is not None and (found := recall()) is not None:
            self.last = found
        return self.last

    def scan(self, named: Iterable[str], ledger: Iterable[str], known: Iterable[str] = ()) -> Snapshot:
        """Return how the tree looks now, all contents kept.

        Besides what is not ignored, `named` paths are looked at with all below them, and every path of
        `ledger` and `known`. Without ignore rules (git fails) or in a tree that is too large only those
        are looked at, and the snapshot says why.
        """
        found = self._whole_tree()
        walk = self._tree.beside(self.last.entries, found)
        for path in named:
            walk.all_below(path)
        for path in itertools.chain(ledger, known):
            if path not in found.entries:
                walk.one(path)
        self._keep(walk)
        if not found.partial:
            self.last = found
        return found

    def end(self) -> None:
        """Let go of what follows the project's changes."""
        self._tree.end()

    def _whole_tree(self) -> Snapshot:
        """Return a snapshot of all that is not ignored, or an empty one that says why."""
        why = self._refused
        try:
            if not why:
                walk = self._tree.look(self.last.entries)
                self._keep(walk)
                self._tree.hold()
                return Snapshot(dict(walk.snapshot.entries), dict(walk.snapshot.opaque))
        except TooManyError as error:
            why = self._refused = str(error)
        except CheckpointError as error:
            why = str(error)
        self._tree.end()
        return Snapshot(partial=why)

    def _keep(self, walk: Walk) -> None:
        """Read what is new; of a tree that is too large in all, the largest files are left out."""
        new = sorted(walk.new.items(), key=lambda item: item[1][3])
        self._total += sum(mark[3] for _, mark in new)
        if new and self._total > self._limits.max_total_bytes:
            self._total = sum(mark[3] for mark in walk.sizes())
        while new and self._total > self._limits.max_total_bytes:
            path, mark = new.pop()
            self._total -= mark[3]
            walk.snapshot.entries[path] = Entry(mark, unknown("over the total size that is kept"), 0)
        if not self.last.entries and len(new) > _MANY:
            new = self._taken_over(new, walk.snapshot)
        self._objects.put_many(self._contents(new, walk.snapshot))

    def _taken_over(self, new: list[Sized], snapshot: Snapshot) -> list[Sized]:
        """Note the files whose contents the project's own repository gives; return the others."""
        at = time.time_ns()
        given = self._seed([path for path, _ in new])
        left = []
        for path, mark in new:
            if path in given:
                state = State("file", stat.S_IMODE(mark[4]), given[path])
                snapshot.entries[path] = Entry(mark, state, at)
            else:
                left.append((path, mark))
        return left

    def _contents(self, new: list[Sized], snapshot: Snapshot) -> Iterator[Named]:
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
                self.progress(count, len(new))

    def _read(self, path: str, mark: Signature) -> tuple[Entry | None, bytes | None]:
        """Return a file's entry and bytes; no entry when it has gone meanwhile."""
        at = time.time_ns()
        try:
            sight = read(os.path.join(self._root.path, path), None, self._limits.max_file_bytes)
        except FileNotFoundError:
            return None, None
        except OSError:
            return Entry(mark, UNREADABLE, 0), None
        if sight.data is None:
            return Entry(mark, sight.state, 0), None
        state = State("file", sight.state.mode, blob_id(sight.data))
        return Entry(sight.signature or mark, state, at), sight.data
