"""How the part of the project that is not ignored looks now: all of it, or only what was touched since.

Never takes an earlier look for the present one without a watch that was unbroken in between.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hermes_tui.checkpoints.ignores import GIT, Ignores, is_repository
from hermes_tui.checkpoints.root import Root
from hermes_tui.checkpoints.snapshot import IGNORED, Entry, Snapshot
from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.walk import Walk
from hermes_tui.checkpoints.watch import Watch

_RULES: Final = ".gitignore"
_MANY: Final = 2_000
"""Touched paths from which one pass over everything is the shorter way."""


@dataclass(slots=True)
class Held:
    """The last look that is complete, and what it rests on."""

    found: Snapshot
    ignored: set[str]
    """Paths that the rules leave out, folders ending in `/`."""
    tops: list[str]
    """The repositories in it."""
    shared: set[str]
    """Files with more names than one, which no watch covers."""


class Tree:
    """Looks at the tree. One look at a time: the caller sees to it."""

    def __init__(self, root: Root, limits: Limits, ours: str, ignores: Ignores, watch: Watch) -> None:
        self._root = root
        self._limits = limits
        self._ours = ours
        self._ignores = ignores
        self._watch = watch
        self._held: Held | None = None
        self._next: Held | None = None

    def look(self, old: dict[str, Entry]) -> Walk:
        """Return the walk; `hold` makes it the one to go on from, once its new files are read.

        `old` is what was read before. `CheckpointError` when git fails, `TooManyError`.
        """
        held, self._held, self._next = self._held, None, None
        touched = self._watch.taken() if held else None
        if held is None or touched is None or len(touched) > _MANY:
            return self._whole(old)
        if any(path.rpartition("/")[2] == GIT for path in touched):
            return self._whole(old)  # a repository appeared or went, and with it whose rules count
        return self._part(old, held, touched)

    def beside(self, old: dict[str, Entry], found: Snapshot) -> Walk:
        """Return a walk that goes on from `found` and can look at what is ignored too."""
        return Walk(self._root, self._limits, self._ours, old, found)

    def hold(self) -> None:
        """Go on from the last look: all that it found is read."""
        self._held = self._next

    def end(self) -> None:
        """Let go of the watch."""
        self._held = None
        self._watch.end()

    def _whole(self, old: dict[str, Entry]) -> Walk:
        self._watch.begin()
        walk = self._walk(old, Snapshot())
        ignored = walk.tree(self._ignores)
        self._follow_mixed(walk.tops, ignored)
        self._next = Held(walk.snapshot, ignored, walk.tops, walk.shared)
        return walk

    def _part(self, old: dict[str, Entry], held: Held, touched: set[str]) -> Walk:
        walk = self._walk(old, held.found)
        walk.shared = set(held.shared)
        paths = touched | held.shared
        if self._ignores.changed(held.tops) or any(
            self._concerns_rules(path, held.found) for path in touched
        ):
            held.tops = [top for top in held.tops if not top or is_repository(self._root.path / top)]
            ignored = set[str]().union(*map(self._ignores.of, held.tops))
            changed = ignored ^ held.ignored
            self._follow_mixed(held.tops, ignored - held.ignored)
            held.ignored = ignored
            paths.update(path.rstrip("/") for path in changed)
        if paths:
            walk.again(paths, held.ignored, self._ignores)
        if walk.shared - held.shared:
            return self._whole(old)  # their other names may be in the project, and looked untouched
        self._next = Held(walk.snapshot, held.ignored, [*held.tops, *walk.tops], walk.shared)
        return walk

    def _walk(self, old: dict[str, Entry], found: Snapshot) -> Walk:
        walk = self.beside(old, found)
        walk.entering = self._watch.folder
        return walk

    def _concerns_rules(self, path: str, found: Snapshot) -> bool:
        """Whether what was touched may be ignored, or change what is: then the rules are asked anew."""
        if path.rpartition("/")[2] == _RULES:
            return True
        there = os.path.lexists(os.path.join(self._root.path, path))
        entry = found.entries.get(path)
        if entry is not None:
            return not there or entry.state.kind == "folder"
        return there and found.opaque.get(path, ("",))[0] != IGNORED

    def _follow_mixed(self, tops: Iterable[str], ignored: Iterable[str]) -> None:
        """Watch the folders that are left out only because all that is in them just now is ignored."""
        folders = {path for path in ignored if path.endswith("/")}
        for path in self._ignores.without_rule(tops, folders):
            for folder, _, _ in os.walk(os.path.join(self._root.path, path)):
                self._watch.folder(os.path.relpath(folder, self._root.path))
