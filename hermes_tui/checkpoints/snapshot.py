"""How the whole tree looked at one moment, and how two such looks differ. Opens nothing of the project."""

from __future__ import annotations

import secrets
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from hermes_tui.checkpoints.states import ABSENT, Signature, State, unknown

_RACY: Final = 2_000_000_000
"""Nanoseconds: a file written this shortly before it was read may change again without a sign of it."""
STAGING: Final = ".hermes-tui-restore-"
"""How the folder begins in which a restore puts contents ready."""
IGNORED: Final = "ignored"
REPOSITORY: Final = "a repository's own data"
OURS: Final = "this program's own data"
_EXPECTED: Final = (IGNORED, REPOSITORY, OURS)


@dataclass(slots=True)
class Entry:
    """One path as it was last read."""

    signature: Signature
    state: State
    at: int
    """When it was read, in ns since 1970; 0 for what is never read."""
    settled: bool = field(init=False)
    """Whether an equal signature proves that it is still what was read."""

    def __post_init__(self) -> None:
        self.renew(self.signature, self.at)

    def renew(self, signature: Signature, at: int) -> None:
        """Take note that it was read again and held the same."""
        self.signature, self.at = signature, at
        young = max(signature[0], signature[1]) + _RACY >= at
        self.settled = self.state.kind == "folder" or not young


@dataclass(slots=True)
class Snapshot:
    """What was found. A path that is neither in `entries` nor below one of `opaque` is absent."""

    entries: dict[str, Entry] = field(default_factory=dict)
    opaque: dict[str, tuple[str, Any]] = field(default_factory=dict)
    """Path of a file or folder that was not looked into → (why, what tells whether it changed)."""
    partial: str = ""
    """Why only some paths were looked at; then every other path is unknown."""
    looked: set[str] = field(default_factory=set)
    """Paths that were looked at one by one, present or not."""
    too_much: dict[str, str] = field(default_factory=dict)
    """Paths that a command is going to write and that are over a cap: path → why."""
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    _missing: dict[str, str] | None = None

    def state(self, path: str) -> State:
        """Return what stood at `path`."""
        if entry := self.entries.get(path):
            return entry.state
        if path in self.looked:
            return ABSENT
        if self.partial:
            return unknown(self.partial)
        if why := self._hidden(path):
            return unknown(why)
        return ABSENT

    def same_as(self, other: Snapshot) -> bool:
        """Whether nothing differs. Untouched entries are the same objects, which is all that == looks at."""
        return (self.entries, self.opaque, self.looked, self.too_much, self.partial) == (
            other.entries,
            other.opaque,
            other.looked,
            other.too_much,
            other.partial,
        )

    def missing(self) -> dict[str, str]:
        """Return what is not covered although it is not ignored, path → why, of a look that is complete."""
        if self._missing is None:
            self._missing = self._find_missing()
        return self._missing

    def _find_missing(self) -> dict[str, str]:
        found = {path: e.state.content for path, e in self.entries.items() if e.state.kind == "unknown"}
        found |= {path: why for path, (why, _) in self.opaque.items() if why not in _EXPECTED}
        found |= self.too_much
        if self.partial:
            found["."] = self.partial
        return found

    def _hidden(self, path: str) -> str:
        """Return why nobody looked at `path`, if it is or lies below something opaque."""
        while path:
            if path in self.opaque:
                return self.opaque[path][0]
            path = path.rpartition("/")[0]
        return ""


def differences(before: Snapshot, after: Snapshot, also: Iterable[str]) -> Iterator[tuple[str, State, State]]:
    """Yield (path, before, after) wherever both are known and differ; `also` names more paths to compare."""
    old, new = before.entries, after.entries
    paths = set() if old is new else {path for path, entry in new.items() if old.get(path) is not entry}
    paths.update(old.keys() - new.keys(), also)
    for path in sorted(paths):
        first, last = before.state(path), after.state(path)
        if first != last and first.known and last.known:
            yield path, first, last


def uncovered(before: Snapshot, after: Snapshot) -> dict[str, str]:
    """Return the paths that changed and were unknown before or after: path → why."""
    found: dict[str, str] = {}
    if before.entries == after.entries:
        return found
    for path in before.entries.keys() | after.entries.keys():
        old, new = before.entries.get(path), after.entries.get(path)
        if old is new or (old and new and old.signature == new.signature):
            continue
        if old and not old.state.known:
            found[path] = old.state.content
        elif old and new and not new.state.known:
            found[path] = new.state.content
    return found


def unseen(before: Snapshot, after: Snapshot) -> dict[str, str]:
    """Return what was removed or overwritten where nobody looked: path → why it cannot be brought back.

    A folder whose contents nobody knows counts when it has gone; its time stamp alone says nothing.
    """
    found = {}
    for path, (why, mark) in before.opaque.items():
        now = after.opaque.get(path)
        if why == OURS or path in before.entries or (now is None and path in after.entries):
            continue  # a path that the command names was looked at, ignored or not
        if now is None and not after.state(path).known:
            continue  # it lies in what nobody looked into since: it need not have gone
        if now is None:
            found[path] = f"{why}, and removed meanwhile"
        elif now[1] != mark and isinstance(mark, list) and not stat.S_ISDIR(mark[4]):
            found[path] = f"{why}, and changed meanwhile"
    return found


def written(before: Snapshot, after: Snapshot) -> int:
    """Return the bytes of all files that are new or changed, also of those that no checkpoint covers.

    Not what stands in a folder that nobody looks into: an ignored one, a repository's own data.
    """
    size = 0
    if before is after:
        return size
    for path, entry in after.entries.items():
        old = before.entries.get(path)
        if old is not entry and stat.S_ISREG(entry.signature[4]):
            size += entry.signature[3] if old is None or old.signature != entry.signature else 0
    for path, (_, mark) in after.opaque.items():
        if (
            isinstance(mark, list)
            and stat.S_ISREG(mark[4])
            and before.opaque.get(path, ("", None))[1] != mark
        ):
            size += mark[3]
    return size
