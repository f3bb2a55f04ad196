"""What the agent did to which path, in order: the journal's records as one structure in memory.

Only remembers and answers; looks at no disk. Numbers never change their meaning and are never reused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from hermes_tui.checkpoints.journal import Record
from hermes_tui.checkpoints.states import State, decode


@dataclass(frozen=True, slots=True)
class Change:
    """One path's state before and after one effect."""

    path: str
    before: State
    after: State
    number: int
    """The checkpoint it belongs to."""
    id: str
    """The effect it belongs to: a call's edit, a command, a restore. One effect may change many paths."""
    ran: str = ""
    """The command that ran meanwhile, when nobody saw who made the change; else empty."""
    order: int = 0
    """Position among all changes, in the order they were recorded."""


@dataclass(slots=True)
class Effect:
    """An effect that was announced and whose outcome is not recorded yet."""

    id: str
    number: int
    owner: str
    changes: list[tuple[str, State, State]]
    """What it is going to do; empty for a command."""
    snapshot: str = ""
    """For a command: the name of the snapshot taken before it."""
    named: list[str] = field(default_factory=list)
    """For a command: paths it is known to write."""
    ran: str = ""
    """For a command: what it is called."""
    staging: str = ""
    """For a restore: the folder in the project where the contents stand ready."""


@dataclass(slots=True)
class Checkpoint:
    """One numbered point to go back to."""

    number: int
    label: str
    session: str
    owner: str
    time: float
    kind: Literal["call", "rollback"]
    of: int = 0
    """For a rollback: the number it went back to."""
    undoes: int = 0
    """For an undo: the rollback it inverts."""
    call: str = ""
    """The call of the session's agent that it was taken for: tells which turn it belongs to."""
    changes: list[Change] = field(default_factory=list)
    not_covered: dict[str, str] = field(default_factory=dict)
    """Path → why a rollback cannot bring it back."""
    lost: set[str] = field(default_factory=set)
    """Those of them that changed all the same."""
    head_moved: bool = False
    """A command moved the repository's HEAD, which no rollback brings back."""


class Ledger:
    """All checkpoints of a project."""

    def __init__(self) -> None:
        self.checkpoints: dict[int, Checkpoint] = {}
        self.pending: dict[str, Effect] = {}
        """Effects without an outcome, by id."""
        self.generation = ""
        """Changes with each prune: what was kept beside the ledger may be gone."""
        self.next = 1
        self._paths: dict[str, list[Change]] = {}
        self._order = 0
        self.damaged = 0
        """Records that made no sense."""

    def apply(self, records: Iterable[Record]) -> None:
        """Take records in the order of the journal."""
        for record in records:
            try:
                self._apply(record)
            except (KeyError, TypeError, ValueError):
                self.damaged += 1

    def paths(self) -> Iterator[str]:
        """Every path that was ever changed."""
        return iter(self._paths)

    def newest(self) -> int:
        """How many changes there are: `since` gives those that come later."""
        return self._order

    def since(self, order: int) -> dict[str, list[Change]]:
        """Return the changes recorded after that position, by path, oldest first."""
        found: dict[str, list[Change]] = {}
        if order < self._order:
            for path, changes in self._paths.items():
                if later := [change for change in changes if change.order > order]:
                    found[path] = later
        return found

    def chains(self, number: int) -> dict[str, list[Change]]:
        """Return all that happened to each path from its first change in #`number` or later."""
        touched = {
            change.path
            for checkpoint in self.checkpoints.values()
            if checkpoint.number >= number
            for change in checkpoint.changes
        }
        return {path: self._from(path, number) for path in sorted(touched)}

    def chain_of(self, path: str) -> list[Change]:
        """Return all that happened to one path, oldest first."""
        return self._paths.get(path, [])

    def lost(self, number: int) -> dict[str, str]:
        """Return what changed in #`number` and later and cannot be brought back: path → why."""
        later = [point for point in self.checkpoints.values() if point.number >= number]
        return {path: point.not_covered.get(path, "") for point in later for path in sorted(point.lost)}

    def undoable(self) -> Checkpoint | None:
        """Return the newest rollback that is no undo and was not undone."""
        undone = {checkpoint.undoes for checkpoint in self.checkpoints.values() if checkpoint.changes}
        for number in sorted(self.checkpoints, reverse=True):
            point = self.checkpoints[number]
            if point.kind == "rollback" and point.changes and not point.undoes and number not in undone:
                return point
        return None

    def records(self, keep: Iterable[int], generation: str) -> list[Record]:
        """Return a journal that holds only the checkpoints of `keep`; the next number stays."""
        records: list[Record] = [{"do": "base", "next": self.next, "generation": generation}]
        for number in sorted(keep):
            point = self.checkpoints[number]
            records.append(opened(point))
            if point.not_covered or point.head_moved:
                note = {"skip": point.not_covered, "lost": sorted(point.lost), "head": point.head_moved}
                records.append({"do": "note", "n": number, **note})
        changes = [c for number in keep for c in self.checkpoints[number].changes]
        for change in sorted(changes, key=self._position):
            entry = [change.path, change.before.encode(), change.after.encode()]
            records.append(
                {"do": "done", "n": change.number, "id": change.id, "ran": change.ran, "changes": [entry]}
            )
        return records

    def _position(self, change: Change) -> tuple[int, int]:
        """Sort by the order on each path, which is what chains need, and by time between paths."""
        chain = self._paths[change.path]
        return (max(other.order for other in chain[: chain.index(change) + 1]), chain.index(change))

    def _from(self, path: str, number: int) -> list[Change]:
        chain = self._paths[path]
        first = next(index for index, change in enumerate(chain) if change.number >= number)
        return chain[first:]

    def _apply(self, record: Record) -> None:
        match record["do"]:
            case "base":
                self.next = max(self.next, int(record["next"]))
                self.generation = str(record["generation"])
            case "open":
                point = _checkpoint(record)
                self.checkpoints[point.number] = point
                self.next = max(self.next, point.number + 1)
            case "intent":
                effect = _effect(record)
                self.pending[effect.id] = effect
            case "done":
                self.pending.pop(record["id"], None)
                self._done(record)
            case "note":
                point = self.checkpoints[record["n"]]
                point.not_covered.update(record["skip"])
                point.lost.update(record["lost"])
                point.head_moved = point.head_moved or bool(record.get("head"))
            case other:
                raise ValueError(f"unknown record {other!r}")

    def _done(self, record: Record) -> None:
        """Take an effect's outcome. A change may name the later one that it came ahead of."""
        point = self.checkpoints[record["n"]]
        for entry in record["changes"]:
            path, before, after, *ahead = entry
            self._order += 1
            ran = str(record.get("ran", ""))
            change = Change(path, decode(before), decode(after), point.number, record["id"], ran, self._order)
            chain = self._paths.setdefault(path, [])
            places = [index for index, other in enumerate(chain) if ahead and other.id == ahead[0]]
            chain.insert(places[0] if places else len(chain), change)
            point.changes.append(change)


def net(changes: Iterable[Change]) -> dict[str, tuple[State, State]]:
    """Return the first state before and the last one after, for each path that differs."""
    by_path: defaultdict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_path[change.path].append(change)
    ends = {path: (chain[0].before, chain[-1].after) for path, chain in by_path.items()}
    return {path: (before, after) for path, (before, after) in ends.items() if before != after}


def opened(point: Checkpoint) -> Record:
    """Return the record that starts a checkpoint."""
    return {
        "do": "open",
        "n": point.number,
        "label": point.label,
        "session": point.session,
        "owner": point.owner,
        "time": point.time,
        "kind": point.kind,
        "of": point.of,
        "undoes": point.undoes,
        "call": point.call,
    }


def _checkpoint(record: Record) -> Checkpoint:
    kind: Literal["call", "rollback"] = "rollback" if record["kind"] == "rollback" else "call"
    return Checkpoint(
        int(record["n"]),
        str(record["label"]),
        str(record["session"]),
        str(record["owner"]),
        float(record["time"]),
        kind,
        int(record["of"]),
        int(record["undoes"]),
        str(record.get("call", "")),
    )


def _effect(record: Record) -> Effect:
    changes = [(str(path), decode(before), decode(after)) for path, before, after in record["changes"]]
    return Effect(
        str(record["id"]),
        int(record["n"]),
        str(record["owner"]),
        changes,
        str(record.get("snapshot", "")),
        list(record.get("named", ())),
        str(record.get("ran", "")),
        str(record.get("staging", "")),
    )
