"""What a command changed: the tree is looked at before and after it, and the differences recorded.

What the ledger explains meanwhile (edits by tools, other sessions) is not recorded twice.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_tui.checkpoints import ignores, snapshot
from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.ignores import GIT
from hermes_tui.checkpoints.ledger import Change, Ledger
from hermes_tui.checkpoints.snapshot import Snapshot
from hermes_tui.checkpoints.states import State
from hermes_tui.engine.footprint import ANYTHING, Access, Footprint

_SAID_AT_ONCE: Final = 5
_RECORDED_AT_MOST: Final = 100
_MORE_THAN_GLOB: Final = "[]{}()\\"
"""What bash's patterns may mean and Python's do not, or otherwise."""
_MATCHES: Final = 1_000
"""Paths that patterns may name one by one; beyond that their folder stands for them."""


@dataclass(frozen=True, slots=True)
class Run:
    """A command that runs."""

    id: str
    number: int
    named: tuple[str, ...]
    ran: str
    before: Snapshot
    order: int
    """The ledger's position before the tree was looked at."""
    head: object
    left_out: Sequence[str] = ()
    """What no checkpoint can bring back and nobody said before."""
    announced: int = 0
    """The ledger's position when the command was announced, behind that look."""
    early: frozenset[str] = frozenset()
    """Effects that were announced before it and had no outcome: what they changed, the look may have seen."""

    def came_later(self, change: Change) -> bool:
        """Whether a change was certainly made after the look at the tree."""
        return change.order > self.announced and change.id not in self.early


def begin(base: Base, number: int, effect: str, footprint: Footprint) -> Run:
    """Look at the tree and announce the command; `CheckpointError` when the tree cannot be kept."""
    named = _named(base, footprint)
    ran = "; ".join(subject.text for subject in footprint.subjects if subject.kind == "command")
    with base.scanning:
        with base.book.opened() as ledger:
            order, paths = ledger.newest(), list(ledger.paths())
        before = look(base, named, paths, ())
        intent = {
            "do": "intent",
            "id": effect,
            "n": number,
            "owner": base.owners.mine,
            "changes": [],
            "snapshot": before.name,
            "named": named,
            "ran": ran,
        }
        with base.book.opened() as ledger:
            base.book.write([intent], durable=True)
            announced, early = ledger.newest(), frozenset(ledger.pending)
    left_out = _note(base, number, before.missing(), {}, False)
    head = ignores.head(base.root.path)
    return Run(effect, number, named, ran, before, order, head, left_out, announced, early)


def end(base: Base, run: Run) -> int:
    """Look again and record what changed; return how many bytes were written, as far as that was seen."""
    with base.scanning:
        with base.book.opened() as ledger:
            paths = list(ledger.paths())
        after = look(base, run.named, paths, run.before.entries)
        moved = ignores.head(base.root.path) != run.head
        with base.book.opened() as ledger:
            record(base, ledger, run, after)
    lost = snapshot.uncovered(run.before, after) | snapshot.unseen(run.before, after)
    missing = {p: why for p, why in after.missing().items() if p not in run.before.missing()}
    _note(base, run.number, missing, lost, moved)
    return snapshot.written(run.before, after)


def look(base: Base, named: Iterable[str], paths: Iterable[str], known: Iterable[str]) -> Snapshot:
    """Scan, and keep the snapshot in a file, unless it is the one that was kept last."""
    last = base.scanner.recall()
    found = base.scanner.scan(named, paths, known)
    if found.same_as(last):
        found = base.scanner.last = last
    if not base.scans.has(found):
        with base.book.opened() as ledger:
            generation = ledger.generation
            needed = {effect.snapshot for effect in ledger.pending.values()}
        base.scans.save(found, generation, needed | ({last.name} if found.partial else set()))
    return found


def record(base: Base, ledger: Ledger, run: Run, after: Snapshot) -> None:
    """Write the differences as the command's changes. The caller holds the ledger's lock."""
    meanwhile = ledger.since(run.order)
    held = {path for e in ledger.pending.values() if e.id != run.id for path, _, _ in e.changes}
    changes: list[list[Any]] = []
    compared = {path: (old, new) for path, old, new in snapshot.differences(run.before, after, meanwhile)}
    for path in {**compared, **meanwhile}:
        if path in held:
            continue
        old, new = compared.get(path) or (run.before.state(path), after.state(path))
        changes += unexplained(path, old, new, _behind_the_look(run, old, meanwhile.get(path, ())))
    done = {"do": "done", "id": run.id, "n": run.number, "ran": run.ran, "changes": changes}
    base.book.write([done], durable=True)


def unexplained(path: str, old: State, new: State, meanwhile: Sequence[Change]) -> Iterator[list[Any]]:
    """Yield the steps from `old` to `new` that the changes recorded meanwhile do not tell."""
    current = old
    for change in meanwhile:
        if change.before != current:
            yield from _step(path, current, change.before, change.id)
        current = change.after
    yield from _step(path, current, new)


def _behind_the_look(run: Run, old: State, meanwhile: Sequence[Change]) -> Sequence[Change]:
    """Drop the changes that the look before the command has seen already."""
    sure = next((index for index, each in enumerate(meanwhile) if run.came_later(each)), len(meanwhile))
    return [*_from_where_it_stood(old, meanwhile[:sure]), *meanwhile[sure:]]


def _from_where_it_stood(old: State, meanwhile: Sequence[Change]) -> Sequence[Change]:
    """Drop the changes that were made before the tree was looked at, though recorded after it."""
    for index, change in enumerate(meanwhile):
        if change.before == old:
            return meanwhile[index:]
    behind = [index for index, change in enumerate(meanwhile) if change.after == old]
    return meanwhile[behind[-1] + 1 :] if behind else meanwhile


def _step(path: str, old: State, new: State, *ahead: str) -> Iterator[list[Any]]:
    if old != new and old.known and new.known:
        yield [path, old.encode(), new.encode(), *ahead]


def written(base: Base, footprint: Footprint) -> Iterator[tuple[str, str | None]]:
    """Yield the paths that a call is known to write or remove, with their names in the project.

    None is outside, and the project's own folder stands for all that is in it.
    """
    wide = {path for path in footprint.writes if path != ANYTHING}
    for subject in footprint.subjects:
        if subject.kind == "path" and subject.access is Access.WRITE:
            matching = _matching(subject.matches) if subject.matches else None
            wide |= {subject.text} if matching is None else matching
    for text in sorted(text for text in wide if text.startswith("/")):
        if os.path.realpath(text) != str(base.root.path):
            yield text, base.inside(Path(text))
            continue
        for name in sorted(os.listdir(base.root.path)):
            if not base.refused(name):
                yield os.path.join(text, name), name


def _matching(patterns: Sequence[str]) -> set[str] | None:
    """Return what shell patterns match now, rather too much; None where that cannot be told."""
    found: set[str] = set()
    for pattern in patterns:
        if set(pattern) & set(_MORE_THAN_GLOB):
            return None
        # hidden ones too, since the shell may be told to; a repository's own data then, only when it is named
        names = glob.glob(pattern, include_hidden=True)
        found.update(name for name in names if GIT in pattern or os.path.basename(name) != GIT)
    return found if len(found) <= _MATCHES else None


def _named(base: Base, footprint: Footprint) -> tuple[str, ...]:
    """Return the names of those that can be recorded."""
    names = {name for _, name in written(base, footprint) if name and not base.refused(name)}
    return tuple(sorted(names))


def _note(
    base: Base, number: int, missing: dict[str, str], lost: dict[str, str], moved: bool
) -> Sequence[str]:
    """Record what the checkpoint does not cover, and what of it changed; say what was not said yet."""
    found = lost | missing
    if not found and not moved:
        return ()
    skip = dict(list(found.items())[:_RECORDED_AT_MOST])
    if len(found) > len(skip):
        skip["…"] = f"and {len(found) - len(skip)} more"
    base.book.write(
        [{"do": "note", "n": number, "skip": skip, "lost": list(lost), "head": moved}], durable=False
    )
    new = base.news(found)
    if new:
        more = f" and {len(new) - _SAID_AT_ONCE} more" if len(new) > _SAID_AT_ONCE else ""
        base.notice("info", f"checkpoint #{number} does not cover {', '.join(new[:_SAID_AT_ONCE])}{more}")
    return new
