"""After a crash: finds out by looking at the disk what became of the effects that were announced.

Decides in favour of the user: where the disk shows neither the old nor the new state, the ledger says
what the agent meant to leave, so that the path counts as edited since and is kept.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import Any

from hermes_tui.checkpoints import commands
from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.ledger import Effect
from hermes_tui.checkpoints.objects import blob_id
from hermes_tui.checkpoints.states import State
from hermes_tui.engine.errors import CheckpointError


def settle(base: Base) -> None:
    """Record the outcome of every effect whose program has ended without doing so."""
    with base.book.opened() as ledger:
        dead = [effect for effect in ledger.pending.values() if not base.owners.alive(effect.owner)]
    for effect in dead:
        _clear(base, effect.staging)
        if effect.snapshot:
            _command(base, effect)
        else:
            _edits(base, effect)
        base.tell("info", f"checkpoint #{effect.number} was cut off; what it had changed is recorded now")


def _edits(base: Base, effect: Effect) -> None:
    changes: list[list[Any]] = []
    for path, before, after in effect.changes:
        stands, _ = base.root.stand(path, base.limits.max_file_bytes, blob_id)
        if outcome := became(before, after, stands):
            changes.append([path, before.encode(), outcome.encode()])
    base.book.write([{"do": "done", "id": effect.id, "n": effect.number, "changes": changes}], durable=True)


def became(before: State, intended: State, stands: State) -> State | None:
    """Return the state that the effect left, None when it did nothing. New modes are not known."""
    if stands == before:
        return None
    if (stands.kind, stands.content) == (intended.kind, intended.content) or stands.kind == "absent":
        return stands
    return intended


def _command(base: Base, effect: Effect) -> None:
    """Compare the tree with the snapshot that was taken before the command."""
    with base.scanning, base.book.opened() as ledger:
        before = base.scans.load(effect.snapshot, ledger.generation)
        if before is None:
            base.tell("warning", f"what the command of checkpoint #{effect.number} changed is not known")
            done = {"do": "done", "id": effect.id, "n": effect.number, "changes": []}
            base.book.write([done], durable=True)
            return
        named = tuple(effect.named)
        run = commands.Run(effect.id, effect.number, named, effect.ran, before, ledger.newest(), None)
        with contextlib.suppress(CheckpointError):
            after = commands.look(base, named, list(ledger.paths()), before.entries)
            commands.record(base, ledger, run, after)


def _clear(base: Base, staging: str) -> None:
    """Remove what a restore had put ready."""
    if staging:
        with contextlib.suppress(OSError), base.root.folder("") as folder:
            if os.stat(staging, dir_fd=folder, follow_symlinks=False):
                shutil.rmtree(staging, dir_fd=folder)
