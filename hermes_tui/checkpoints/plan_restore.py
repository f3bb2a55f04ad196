"""What a rollback would do with each path, and why. Looks, compares and explains; changes nothing.

A path goes back to its first state before #N only along an unbroken chain: each change starts where
the one before it ended, and the last one's end is what stands there. Else it is kept.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.ledger import Change, Ledger
from hermes_tui.checkpoints.lock import process
from hermes_tui.checkpoints.objects import blob_id
from hermes_tui.checkpoints.states import ABSENT, State

Action = Literal["restore", "delete", "keep", "cannot"]


@dataclass(frozen=True, slots=True)
class Item:
    """One path of a preview."""

    path: str
    action: Action
    reason: str
    """Why it is kept or cannot be restored; for the others who made the change, if that is not sure."""
    present: State
    target: State
    added: int = 0
    """Lines that the restore adds."""
    removed: int = 0
    """Lines that it removes."""
    edited: bool = False
    """It is kept because the user came in between: whoever insists can have it all the same."""
    foreign: bool = False
    """It is kept because another running session changed it: whoever names it can have it."""

    @property
    def acts(self) -> bool:
        """Whether a restore would touch the path."""
        return self.action in ("restore", "delete")

    @property
    def can_be_taken(self) -> bool:
        """Whether it can be restored for who wants just this path."""
        return self.acts or self.edited or self.foreign


@dataclass(frozen=True, slots=True)
class Preview:
    """What a restore to #`number` would do."""

    number: int
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()
    """What a reader should know besides, a line each."""
    undoes: int = 0
    """The rollback that it would undo; 0 for a restore to a number."""

    @property
    def empty(self) -> bool:
        """Whether it would change nothing."""
        return not any(item.acts for item in self.items)


def items(base: Base, ledger: Ledger, chains: Mapping[str, Sequence[Change]], wanted: Wanted) -> list[Item]:
    """Return one item for each path of `chains` that does not stand as it would be restored."""
    running = {path: effect.owner for effect in ledger.pending.values() for path, _, _ in effect.changes}
    found = {}
    for path, chain in chains.items():
        if not wanted.includes(path):
            continue
        item = _item(base, ledger, chain, wanted)
        if item is not None and path in running and item.acts:
            item = _kept(
                item, f"a call of process {process(running[path])} that still runs may be writing it"
            )
        if item is not None:
            found[path] = item
    return sorted(_consistent(base, found, chains).values(), key=lambda item: item.path)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for."""

    paths: tuple[str, ...] | None = None
    """Only these and what lies below them; None: all."""
    force: bool = False
    """Take also what the user edited since."""
    chosen: bool = False
    """The paths were named, so that another session's change is no reason to keep one."""
    exact: bool = False
    """These paths and the folders that they need, instead of what lies below them."""
    anyway: frozenset[str] = frozenset()
    """Paths of which what the user edited since is taken as well."""

    def includes(self, path: str) -> bool:
        """Whether `path` was asked for."""
        if self.paths is None:
            return True
        if self.exact:
            return any(path == p or p.startswith(f"{path}/") for p in self.paths)
        return any(path == p or path.startswith(f"{p}/") for p in self.paths)

    def forces(self, path: str) -> bool:
        """Whether a path is taken although the user edited it."""
        return self.force or path in self.anyway


def _item(base: Base, ledger: Ledger, chain: Sequence[Change], wanted: Wanted) -> Item | None:
    path, target = chain[0].path, chain[0].before
    present, _ = base.root.stand(path, base.limits.max_file_bytes, blob_id)
    if present == target:
        return None
    item = Item(path, "delete" if target.kind == "absent" else "restore", _author(chain), present, target)
    if not present.known:
        return replace(item, action="cannot", reason=f"what stands there cannot be saved: {present.content}")
    if target.kind == "file" and not base.objects.has(target.content):
        return replace(item, action="cannot", reason="its content is missing in the store")
    if why := _broken(chain, present):
        if not wanted.forces(path):
            return replace(_kept(item, why), edited=True)
        item = replace(item, reason=f"{why}; taken all the same")
    if not wanted.chosen and (why := _foreign(base, ledger, chain)):
        return replace(_kept(item, why), foreign=True)
    return item


def _broken(chain: Sequence[Change], present: State) -> str:
    """Return where the user came in between, or nothing."""
    for last, change in itertools.pairwise(chain):
        if last.after != change.before and not _same_folder(last, change):
            return (
                f"you edited it between #{last.number} and #{change.number}; "
                f"/rollback {change.number} gives your version"
            )
    if chain[-1].after == present:
        return ""
    return "you deleted it since" if present.kind == "absent" else "you edited it since"


def _same_folder(last: Change, change: Change) -> bool:
    """Whether two calls made one folder side by side: each saw it missing."""
    return change.before.kind == "absent" and change.after.kind == "folder" and change.after == last.after


def _foreign(base: Base, ledger: Ledger, chain: Sequence[Change]) -> str:
    """Return which other running session changed the path, or nothing. One that has ended is history."""
    for change in chain:
        owner = ledger.checkpoints[change.number].owner
        other = process(owner) != process(base.owners.mine)
        if other and base.owners.alive(owner):
            return f"another running session changed it in #{change.number}; name the path to take it"
    return ""


def _author(chain: Sequence[Change]) -> str:
    ran = next((change.ran for change in chain if change.ran), "")
    return f"by `{ran}`, or by you while it ran" if ran else ""


def _kept(item: Item, reason: str) -> Item:
    return replace(item, action="keep", reason=reason)


def _consistent(
    base: Base, found: dict[str, Item], chains: Mapping[str, Sequence[Change]]
) -> dict[str, Item]:
    """Return the items that can be carried out together: folders empty first, folders there first."""
    while True:
        changed = _empty_first(base, found) | _folders_first(base, found, chains)
        if not changed:
            return found


def _empty_first(base: Base, found: dict[str, Item]) -> bool:
    """Keep every folder that something else is in; deepest first. Return whether anything changed."""
    changed = False
    for path in sorted(found, key=lambda path: -path.count("/")):
        item = found[path]
        if not item.acts or item.present.kind != "folder" or item.target.kind == "folder":
            continue
        left = next((name for name in _children(base, path) if not _goes(found.get(f"{path}/{name}"))), None)
        if left is not None:
            found[path] = _kept(item, f"it is not empty: {left} is no change of the agent")
            changed = True
    return changed


def _goes(item: Item | None) -> bool:
    return item is not None and item.acts and (item.target.kind == "absent")


def _children(base: Base, path: str) -> Iterable[str]:
    try:
        with base.root.folder(path) as folder:
            return sorted(os.listdir(folder))
    except OSError:
        return ["what is in it"]


def _folders_first(base: Base, found: dict[str, Item], chains: Mapping[str, Sequence[Change]]) -> bool:
    """See to the folders that a restored path needs above it. Return whether anything changed."""
    changed = False
    for path, item in sorted(found.items()):
        if not item.acts or item.target.kind == "absent":
            continue
        for above in _above(path):
            step = found.get(above)
            if step is not None and step.acts and step.target.kind == "folder":
                continue
            present, _ = base.root.stand(above, 0, blob_id)
            if step is None and present.kind == "absent":
                found[above] = _new_folder(above, chains)
            elif present.kind != "folder" or (step is not None and step.acts):
                found[path] = replace(item, action="cannot", reason=f"{above} is no folder now")
            else:
                continue
            changed = True
            break
    return changed


def _new_folder(path: str, chains: Mapping[str, Sequence[Change]]) -> Item:
    """Return the folder as it was, or a usual one."""
    before = next((change.before for change in chains.get(path, ()) if change.before.kind == "folder"), None)
    return Item(path, "restore", "", ABSENT, before or State("folder", 0o755))


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]
