"""Finds, among the earlier calls of a batch, those that one call conflicts with.

The same rule as `Touch.conflict`, by look-up instead of comparing every pair: a batch of 1000 calls is
planned in milliseconds. Knows nothing of schedules.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict

from hermes_tui.engine.footprint import ANYTHING, Level, Place, Touch

Parts = tuple[str, ...]


class Shelf:
    """Places by what they name, each with the number of the call that touches it."""

    def __init__(self) -> None:
        self._all: set[int] = set()
        self._anything: set[int] = set()
        self._names: defaultdict[str, set[int]] = defaultdict(set)
        self._at: defaultdict[Parts, set[int]] = defaultdict(set)
        self._below: defaultdict[Parts, set[int]] = defaultdict(set)
        self._links: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        self._any_links: set[int] = set()
        self._folders: set[int] = set()

    def add(self, index: int, where: Place) -> None:
        """Note that call `index` touches `where`."""
        self._all.add(index)
        if where.text == ANYTHING:
            self._anything.add(index)
        elif where.parts is None:
            self._names[where.text].add(index)
        else:
            self._at[where.parts].add(index)
            for length in range(len(where.parts)):
                self._below[where.parts[:length]].add(index)
            if where.links:
                self._links[where.links].add(index)
                self._any_links.add(index)
            if where.is_folder:
                self._folders.add(index)

    def find(self, where: Place) -> set[int]:
        """Return the calls that touch something overlapping `where`."""
        if where.text == ANYTHING:
            return set(self._all)
        found = set(self._anything)
        if where.parts is None:
            return found | self._names.get(where.text, set())
        for length in range(len(where.parts) + 1):
            found |= self._at.get(where.parts[:length], set())
        found |= self._below.get(where.parts, set())
        if where.links:
            found |= self._links.get(where.links, set()) | self._folders
        if where.is_folder:
            found |= self._any_links
        return found


class Earlier:
    """The calls of a batch so far. `add` them in order; each look-up is against those added before."""

    def __init__(self) -> None:
        self._count = 0
        self._reads = Shelf()
        self._writes = Shelf()
        self._scoped = Shelf()
        self._writers: list[int] = []
        self._undeclared: list[int] = []
        self._interactive: list[int] = []

    def add(self, touch: Touch) -> None:
        """Note the next call."""
        index = self._count
        self._count += 1
        level = touch.footprint.level
        for where in touch.reads:
            self._reads.add(index, where)
        for where in touch.writes:
            self._writes.add(index, where)
        if level is Level.SCOPED:
            for where in (*touch.reads, *touch.writes):
                self._scoped.add(index, where)
        if touch.writes:
            self._writers.append(index)
        if level is Level.UNDECLARED:
            self._undeclared.append(index)
        if level is Level.INTERACTIVE:
            self._interactive.append(index)

    def conflicting(self, touch: Touch) -> set[int]:
        """Return the earlier calls whose order against this one matters."""
        level = touch.footprint.level
        if level is Level.UNDECLARED:
            return set(range(self._count))
        found = set(self._undeclared) | self._touching(touch) | self._behind_undeclared(touch)
        if level is Level.INTERACTIVE:
            found.update(self._interactive, self._writers)
        elif touch.writes:
            found.update(self._interactive)
        return found

    def overlapping(self, touch: Touch) -> set[int]:
        """Return the earlier calls that forbid running side by side in `batch`: reads of two scoped count."""
        found = self._touching(touch)
        if touch.footprint.level is Level.SCOPED:
            for where in (*touch.reads, *touch.writes):
                found |= self._scoped.find(where)
        return found

    def _touching(self, touch: Touch) -> set[int]:
        found: set[int] = set()
        for where in touch.writes:
            found |= self._reads.find(where) | self._writes.find(where)
        for where in touch.reads:
            found |= self._writes.find(where)
        return found

    def _behind_undeclared(self, touch: Touch) -> set[int]:
        """Behind an undeclared call names may mean other files: any write conflicts with all there."""
        if not self._undeclared:
            return set()
        first = self._undeclared[0]
        if touch.writes:
            return set(range(first + 1, self._count))
        return set(self._writers[bisect_right(self._writers, first) :])
