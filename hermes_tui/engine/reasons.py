"""Says in words a person understands why a plan is as it is. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hermes_tui.engine.footprint import ANYTHING, PERSON, Level, Subject, Touch
from hermes_tui.engine.judge import Judged

MOST_WAITS = 2
"""How many waits one reason spells out."""


def shown(path: str, folder: Path) -> str:
    """Return a path as the user would write it: relative to the folder when below it."""
    if path == ANYTHING:
        return "any file"
    if path == PERSON:
        return "the user"
    if path == str(folder):
        return "."
    return path.removeprefix(f"{str(folder).rstrip('/')}/")


def leading(subjects: Sequence[Subject]) -> list[str]:
    """Return the subjects of the first one's kind as text: the paths of a command are no further ones."""
    return [subject.text for subject in subjects if subject.kind == subjects[0].kind]


def undeclared_why(judged: Judged) -> str:
    """Return why a call is undeclared."""
    return judged.footprint.why or f"{judged.name} is not declared safe"


def asks(judged: Judged) -> str:
    """Return why an interactive call stands alone."""
    return f"{judged.name} asks the user"


class Reasons:
    """The words for one batch."""

    def __init__(self, calls: Sequence[Judged], touches: Sequence[Touch], folder: Path) -> None:
        self._calls = calls
        self._touches = touches
        self._folder = folder

    def pair(self, earlier: int, later: int) -> str:
        """Return why the order of two calls matters."""
        for judged in (self._calls[later], self._calls[earlier]):
            if judged.footprint.level is Level.UNDECLARED:
                return undeclared_why(judged)
        path = self._touches[earlier].conflict(self._touches[later])
        if path == PERSON:
            asker = earlier if self._level(earlier) is Level.INTERACTIVE else later
            return asks(self._calls[asker])
        path = path or self._touches[earlier].meet(self._touches[later])
        if path is not None:
            return f"both touch {shown(path, self._folder)}"
        first = next(i for i in range(earlier) if self._level(i) is Level.UNDECLARED)
        return f"behind #{first + 1} a name may mean another file"

    def overlap(self, earlier: int, later: int) -> str:
        """Return the reason of a batch that two overlapping calls make serial."""
        return f"serial: #{earlier + 1} and #{later + 1} {self.pair(earlier, later)}"

    def waits(self, index: int, after: Sequence[int]) -> str:
        """Return why a call of a graph waits, the nearest first."""
        if not after:
            return self.free(index)
        nearest = sorted(after, reverse=True)
        words = [f"#{i + 1}: {self.pair(i, index)}" for i in nearest[:MOST_WAITS]]
        more = len(nearest) - len(words)
        return "waits for " + "; for ".join(words) + (f"; and for {more} more" if more else "")

    def chained(self, index: int) -> str:
        """Return why a call of a chain stands where it stands."""
        judged = self._calls[index]
        if index == 0:
            own = self._own(judged)
            return f"the first of a chain{f': {own}' if own else ''}"
        before = index - 1
        own = self._own(judged)
        path = None if own else self._touches[before].conflict(self._touches[index])
        if own or path in (ANYTHING, PERSON):
            why = own or self._own(self._calls[before]) or "one after another"
        elif path is not None:
            why = f"both touch {shown(path, self._folder)}"
        else:
            why = "the batch runs one after another"
        return f"waits for #{before + 1}: {why}"

    def free(self, index: int) -> str:
        """Return why a call waits for nobody."""
        footprint = self._calls[index].footprint
        if footprint.writes:
            return f"starts at once: no other call touches {shown(footprint.writes[0], self._folder)}"
        return "starts at once: it only reads" if footprint.reads else "starts at once: it touches no file"

    def side_by_side(self) -> str:
        """Return the reason of a batch in which nobody waits."""
        if any(judged.footprint.writes for judged in self._calls):
            return "no path is shared with a write"
        seen: set[str] = set()
        for judged in self._calls:
            if seen.intersection(judged.footprint.reads):
                return "all only read"
            seen.update(judged.footprint.reads)
        return "all only read, no path shared"

    def _own(self, judged: Judged) -> str:
        if judged.footprint.level is Level.INTERACTIVE:
            return asks(judged)
        return undeclared_why(judged) if judged.footprint.level is Level.UNDECLARED else ""

    def _level(self, index: int) -> Level:
        return self._calls[index].footprint.level
