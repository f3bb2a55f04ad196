"""The two questions a user can ask: what would going back to #N do, and what would undoing it do."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from hermes_tui.checkpoints import show
from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.ledger import Ledger, net
from hermes_tui.checkpoints.plan_restore import Item, Preview, Wanted, items
from hermes_tui.checkpoints.states import ABSENT, State, shown
from hermes_tui.engine.errors import CheckpointError


def back_to(base: Base, number: int, paths: Sequence[str] | None, force: bool) -> Preview:
    """Return what a restore to #`number` would do; `CheckpointError` for one that is not there."""
    return _back_to(base, number, Wanted(_relative(base, paths), force, paths is not None or force))


def chosen(base: Base, number: int, paths: Collection[str], anyway: Collection[str]) -> Preview:
    """Return what a restore of exactly these paths would do; those in `anyway` also where the user edited."""
    found = _back_to(base, number, Wanted(tuple(paths), False, True, True, frozenset(anyway)))
    return replace(found, items=tuple(item for item in found.items if item.acts or item.path in paths))


def _back_to(base: Base, number: int, wanted: Wanted) -> Preview:
    with base.book.opened() as ledger:
        _known(ledger, number)
        chains = ledger.chains(number)
        lost = {path: why for path, why in ledger.lost(number).items() if path not in chains}
        _held(number, wanted, (*chains, *lost))
        found = items(base, ledger, chains, wanted)
        notes = _notes(ledger, number)
    found += [
        Item(path, "cannot", f"not covered: {why}", ABSENT, ABSENT)
        for path, why in lost.items()
        if wanted.includes(path)
    ]
    return Preview(number, tuple(_counted(base, item) for item in found), notes)


def undo(base: Base, force: bool) -> Preview:
    """Return what undoing the newest rollback would do; `CheckpointError` when there is none to undo."""
    with base.book.opened() as ledger:
        point = ledger.undoable()
        if point is None:
            raise CheckpointError("there is no rollback to undo")
        chains, again = {}, {}
        for path in net(point.changes):
            chain = ledger.chain_of(path)
            chains[path] = [change for change in chain if change.number == point.number]
            if (newest := chain[-1].number) != point.number:
                again[path] = f"#{newest} changed it again"
        found = items(base, ledger, chains, Wanted(None, force, True))
    found = [
        replace(item, reason=again[item.path]) if item.action == "keep" and item.path in again else item
        for item in found
    ]
    return Preview(point.number, tuple(_counted(base, item) for item in found), (), point.number)


def content(base: Base, state: State) -> bytes | None:
    """Return the bytes of a file or link, empty for the others, None when the store does not hold them."""
    if state.kind == "file":
        return base.objects.get(state.content)
    return os.fsencode(state.content) if state.kind == "link" else b""


def difference(base: Base, preview: Preview) -> str:
    """Return the unified difference of all that the restore would change."""
    return "".join(
        show.difference(item.path, item.present, item.target, partial(_now, base, item))
        for item in preview.items
        if item.acts
    )


def _counted(base: Base, item: Item) -> Item:
    """Return the item with the lines that it brings and takes."""
    if not item.acts:
        return item
    added, removed = show.counts(item.present, item.target, partial(_now, base, item))
    return replace(item, added=added, removed=removed)


def _now(base: Base, item: Item, state: State) -> bytes | None:
    """Return a content; what stands there now is read from there, it may not be in the store yet."""
    if state is item.present and state.kind == "file":
        return base.root.look(item.path, base.limits.max_file_bytes).data
    return content(base, state)


def _known(ledger: Ledger, number: int) -> None:
    if number not in ledger.checkpoints:
        gone = "it was pruned; " if 0 < number < ledger.next else ""
        raise CheckpointError(f"there is no checkpoint #{number}: {gone}the list shows those there are")


def _relative(base: Base, paths: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return paths as the ledger names them: relative to the project, nothing expanded."""
    if paths is None:
        return None
    return tuple(_relative_path(base, os.path.normpath(path)) for path in paths)


def _relative_path(base: Base, path: str) -> str:
    """Return one path; as it is written first: a folder on the way may be a link elsewhere by now."""
    root = f"{base.root.path}/"
    if path.startswith(root):
        return path.removeprefix(root)
    return (base.inside(Path(path)) or path) if os.path.isabs(path) else path


def _held(number: int, wanted: Wanted, paths: Iterable[str]) -> None:
    """Refuse a path that no change since #`number` touched: a wrong name must not look like a success."""
    known = list(paths)
    for path in wanted.paths or ():
        if not any(name == path or name.startswith(f"{path}/") for name in known):
            raise CheckpointError(
                f"#{number} and later hold no change of {shown(path)}: nothing was restored"
            )


def _notes(ledger: Ledger, number: int) -> tuple[str, ...]:
    """Return what a reader should know besides."""
    moved = [n for n, point in ledger.checkpoints.items() if n >= number and point.head_moved]
    if not moved:
        return ()
    return (
        f"the repository's HEAD moved in #{min(moved)}: files come back, HEAD, branches and index do not",
    )
