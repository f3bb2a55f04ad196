"""Opens a project's store: finds out whether it can work, makes it whole, clears up after a crash."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hermes_tui.checkpoints import wal
from hermes_tui.checkpoints.base import Base, Notice
from hermes_tui.checkpoints.book import Book
from hermes_tui.checkpoints.ignores import Ignores
from hermes_tui.checkpoints.lock import Lock, Owners
from hermes_tui.checkpoints.objects import Objects
from hermes_tui.checkpoints.root import Root
from hermes_tui.checkpoints.scan import Scanner
from hermes_tui.checkpoints.scans import Scans
from hermes_tui.checkpoints.snapshot import Snapshot
from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.tree import Tree
from hermes_tui.checkpoints.watch import Watch
from hermes_tui.config.paths import private_folder
from hermes_tui.engine.errors import CheckpointError

_MUCH: Final = 3_000
"""Files that are read before the user is told why it takes a moment."""
_VERY_MUCH: Final = 20_000
_STEPS: Final = 4
"""How often the user is told how far it is, when there are very many."""

if TYPE_CHECKING:
    from hermes_tui.checkpoints.gitenv import Shadow


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is and what for."""

    project: Path
    home: Path
    """The folder of all stores."""
    session: str
    limits: Limits
    notice: Notice
    data: Path
    """The program's own data: never recorded, also when it lies in the project."""

    @property
    def folder(self) -> Path:
        """The store's folder, which is the git directory of the shadow repository."""
        path = os.path.realpath(self.project)
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", os.path.basename(path))[:40].strip(".-") or "project"
        return self.home / f"{name}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"

    def refused(self) -> str:
        """Return why there are no checkpoints here, or nothing."""
        path, home = os.path.realpath(self.project), os.path.realpath(Path.home())
        if path == "/" or f"{home}/".startswith(f"{path}/"):
            return "rollback is off: this is no project's folder; start in one to have it"
        if not shutil.which("git"):
            return "rollback is off: git is not installed; install git to have it"
        return ""


def open_store(place: Place) -> Base:
    """Open the store, creating it at first; `CheckpointError` when that cannot be."""
    with _translated():
        from hermes_tui.checkpoints import gitenv, keep, settle

        folder, private = place.folder, place.folder / "hermes"
        for path in (
            place.home,
            folder,
            private,
            private / "owners",
            private / "scans",
            private / "contents",
        ):
            private_folder(path)
        (private / "project").write_bytes(os.fsencode(os.path.realpath(place.project)))
        (private / "project").chmod(0o600)
        shadow = gitenv.Shadow(folder)
        fresh = not (folder / "HEAD").exists() and not (private / "journal").exists()
        git = Lock(private / "git.lock")
        with git.held():
            missing = shadow.ensure()
        base = _base(place, shadow, git)
        if missing and not fresh:
            place.notice("warning", f"the checkpoint store was damaged and is repaired (missing: {missing})")
        base.book.seen(max(keep.numbers(folder), default=0))
        base.owners.enter()
        base.scanner.progress = partial(_slow, base)
        if "objects" not in missing:
            base.scanner.go_on_from(partial(_recall, base))
        _take_in(base)
        settle.settle(base)
        if base.book.damaged:
            text = f"{base.book.damaged} lines of the checkpoint journal cannot be read; the others count"
            place.notice("warning", text)
        return base


def _base(place: Place, shadow: Shadow, git: Lock) -> Base:
    root = Root(Path(os.path.realpath(place.project)))
    owners = Owners(place.folder / "hermes" / "owners")
    objects = Objects(shadow, wal.Wal(place.folder / "hermes" / "contents", owners.mine))
    data = os.path.relpath(os.path.realpath(place.data), root.path)
    ours = "" if data.startswith("..") or data == "." else data
    tree = Tree(root, place.limits, ours, Ignores(root.path, place.folder), Watch(root.path))
    return Base(
        root=root,
        folder=place.folder,
        session=place.session,
        limits=place.limits,
        notice=place.notice,
        book=Book(place.folder / "hermes"),
        objects=objects,
        shadow=shadow,
        git=git,
        owners=owners,
        scanner=Scanner(root, objects, place.limits, tree, partial(_taken_over, shadow, root.path)),
        scans=Scans(place.folder / "hermes" / "scans"),
        scanning=threading.RLock(),
        ours=ours,
    )


def _take_in(base: Base) -> None:
    """Put into the store what programs that have ended left on its way there."""
    for file in list((base.folder / "hermes" / "contents").iterdir()):
        if not base.owners.alive(file.name):
            for packed in wal.left(file):
                base.objects.recover(packed)
            file.unlink(missing_ok=True)


def _taken_over(shadow: Shadow, top: Path, paths: list[str]) -> dict[str, str]:
    from hermes_tui.checkpoints import seed

    return seed.taken_over(shadow, top, paths)


def _slow(base: Base, count: int, of: int) -> None:
    """Say why a command does not start yet, when there is much to read, and how far it is."""
    if count == _MUCH:
        base.tell("info", "keeping the project's files for /rollback: only the first command waits for it")
    if of >= _VERY_MUCH and count * _STEPS // of > (count - 1_000) * _STEPS // of:
        base.tell("info", f"kept {count} of {of} files")


def _recall(base: Base) -> Snapshot | None:
    """Return the newest snapshot of an earlier run, and remove those that nothing needs."""
    with base.book.opened() as ledger:
        needed = {effect.snapshot for effect in ledger.pending.values()}
        generation = ledger.generation
    found = base.scans.newest(generation)
    if not base.owners.others():
        base.scans.tidy(needed | ({found.name} if found else set()))
    return None if found is None else _only_kept(base, found)


def _only_kept(base: Base, found: Snapshot) -> Snapshot:
    """Return the snapshot without the files whose contents the store has lost: they are read once more."""
    names = {entry.state.content for entry in found.entries.values() if entry.state.kind == "file"}
    lost = base.objects.missing(names)
    if not lost:
        return found
    kept = {path: entry for path, entry in found.entries.items() if entry.state.content not in lost}
    return Snapshot(kept, found.opaque, found.partial, found.looked, found.too_much)


@contextmanager
def _translated() -> Iterator[None]:
    """Turn what keeps a store from opening into one line."""
    try:
        yield
    except ImportError:
        raise CheckpointError("rollback is off: git cannot be run; `git --version` says why") from None
    except OSError as error:
        name = error.filename or "the checkpoint store"
        raise CheckpointError(f"rollback is off: {name}: {error.strerror}") from None
