"""Behind the edits: refs that keep contents reachable for plain git, packing, pruning.

Never runs in the path of an edit. Git writes the store under a lock of its own, so that lock files
found under it are left overs.
"""

from __future__ import annotations

import os
import secrets
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.ledger import Checkpoint, Ledger, net
from hermes_tui.checkpoints.states import State
from hermes_tui.engine.errors import CheckpointError

REFS: Final = "refs/checkpoints"
_TREE: Final = "refs/hermes/tree"
_LOOSE: Final = 500
"""Loose objects from which they are packed."""
_PACKS: Final = 40
"""Packs from which they become one."""
_NAME: Final = 40
"""Letters of an object's name; others are half written."""
_PAUSE: Final = 0.5
"""Seconds that the edits must rest before refs are written."""
_GRACE: Final = "2.hours.ago"
"""Younger objects are never pruned: somebody may be about to need them."""
_WHO: Final = b"hermes-tui <hermes-tui@localhost>"


class Keeper:
    """Writes refs behind the checkpoints, in a thread that lives only while there is work."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._shadow = base.shadow
        self._git = base.git
        self._state = threading.Lock()
        self._wanted = False
        self._seen_to = 0
        """How often it was looked whether to prune."""
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def later(self) -> None:
        """See to the refs soon; returns at once."""
        with self._state:
            self._wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="checkpoint refs", daemon=True)
                self._thread.start()

    def close(self, timeout: float) -> None:
        """Write the refs that are missing, within `timeout` seconds; else the next start does it."""
        self._closed.set()
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def refs(self) -> None:
        """Give each checkpoint that holds something its ref: a commit with the trees before/ and after/ it.

        A path that changed several times has each state before a change below between/ as well.
        """
        with self._git.held():
            self._shadow.unlock()
            there = numbers(self._base.folder)
            with self._base.book.opened() as ledger:
                missing = [point for number, point in ledger.checkpoints.items() if number not in there]
            missing = [point for point in missing if point.changes]
            if missing:
                self._shadow.stream(self._commits(missing), "fast-import", "--quiet", "--done", "--force")

    def pack(self) -> None:
        """Pack what became many, as git's own housekeeping would."""
        objects = self._base.folder / "objects"
        loose = [file.parent.name + file.name for file in objects.glob("[0-9a-f][0-9a-f]/*")]
        packs = len(list((objects / "pack").glob("*.pack")))
        if packs > _PACKS:
            with self._git.held():
                self._shadow.run("repack", "-A", "-d", "-q", f"--unpack-unreachable={_GRACE}")
                self._shadow.run("pack-refs", "--all")
        elif len(loose) > _LOOSE:
            names = [f"{name}\n".encode() for name in loose if len(name) == _NAME]
            with self._git.held():
                self._shadow.stream(names, "pack-objects", "-q", str(objects / "pack" / "pack"))
                self._shadow.run("prune-packed", "-q")

    def prune(self, keep: int, days: float, size: int) -> list[int]:
        """Forget the oldest checkpoints beyond `keep`, `days` and `size` bytes; return their numbers.

        `CheckpointError` while another session is running here: it may be about to restore one.
        """
        if others := self._base.owners.others():
            raise CheckpointError(
                f"{len(others)} other session(s) use these checkpoints: end them, then prune"
            )
        self.refs()
        gone = self._forget(keep, time.time() - days * 86_400)
        if gone or stored(self._base.folder) > size:
            self._collect()
        while stored(self._base.folder) > size and (more := self._forget_half()):
            gone += more
            self._collect()
        return sorted(gone)

    def _work(self) -> None:
        while True:
            with self._state:
                if not self._wanted:
                    self._thread = None
                    return
                self._wanted = False
            closed = self._closed.wait(_PAUSE)
            try:
                self._base.objects.settle()
                self.refs()
                if closed:
                    return
                self.pack()
                self._prune_when_due()
            except (CheckpointError, OSError) as error:
                self._base.tell("warning", f"checkpoints are kept, but not as git refs: {error}")

    def _prune_when_due(self) -> None:
        """Prune once in a run, when there is a tenth more than there should be."""
        limits, self._seen_to = self._base.limits, self._seen_to + 1
        if self._seen_to > 1 or self._base.owners.others():
            return
        with self._base.book.opened() as ledger:
            kept = _kept(ledger, int(limits.keep * 1.1), time.time() - limits.max_age_days * 1.1 * 86_400)
            due = len(kept) < len(ledger.checkpoints)
        if due or stored(self._base.folder) > limits.max_total_bytes * 1.1:
            self.prune(limits.keep, limits.max_age_days, limits.max_total_bytes)

    def _forget(self, keep: int, oldest: float) -> list[int]:
        """Drop checkpoints from the ledger, then their refs."""
        with self._base.book.opened() as ledger:
            numbers_kept = _kept(ledger, keep, oldest)
            gone = [number for number in ledger.checkpoints if number not in numbers_kept]
            if gone:
                self._base.book.rewrite(ledger.records(numbers_kept, secrets.token_hex(8)))
        refs = b"".join(f"delete {REFS}/{number}\0\0".encode() for number in gone)
        if refs:
            with self._git.held():
                self._shadow.stream([refs], "update-ref", "-z", "--stdin")
        return gone

    def _forget_half(self) -> list[int]:
        with self._base.book.opened() as ledger:
            count = len(ledger.checkpoints)
        return self._forget(count // 2, 0.0) if count > 1 else []

    def _collect(self) -> None:
        """Remove the contents that nothing needs: neither a checkpoint nor the tree as it is now."""
        with self._base.scanning, self._git.held():
            self._shadow.stream(self._tree(), "fast-import", "--quiet", "--done", "--force")
            self._shadow.run("repack", "-A", "-d", "-q", f"--unpack-unreachable={_GRACE}")
            self._shadow.run("prune", f"--expire={_GRACE}")
            self._shadow.run("pack-refs", "--all")
            self._base.objects.doubt()
            self._base.scanner.recall().name = secrets.token_hex(8)  # its file is of before the prune

    def _commits(self, points: list[Checkpoint]) -> Iterator[bytes]:
        for point in points:
            ends = net(point.changes)
            before = {path: old for path, (old, _) in ends.items()}
            after = {path: new for path, (_, new) in ends.items()}
            also = {f"{c.id}/{c.path}": c.before for c in point.changes if c.before != before.get(c.path)}
            message = f"#{point.number} {point.label}"
            yield _commit(f"{REFS}/{point.number}", point.time, message)
            yield from self._files(b"before/", before)
            yield from self._files(b"after/", after)
            yield from self._files(b"between/", also)
        yield b"done\n"

    def _tree(self) -> Iterator[bytes]:
        """Keep what the last scan knows: the next command's state before it."""
        yield _commit(_TREE, time.time(), "the tree as last seen")
        states = {path: entry.state for path, entry in self._base.scanner.recall().entries.items()}
        yield from self._files(b"", states)
        yield b"done\n"

    def _files(self, prefix: bytes, states: Mapping[str, State]) -> Iterator[bytes]:
        for path, state in states.items():
            if state.kind == "file" and self._base.objects.has(state.content):
                mode = b"100755" if state.mode & 0o100 else b"100644"
                yield b"M %b %b %b\n" % (mode, state.content.encode(), _quoted(prefix + os.fsencode(path)))
            elif state.kind == "link":
                target = os.fsencode(state.content)
                yield b"M 120000 inline %b\n" % _quoted(prefix + os.fsencode(path))
                yield b"data %d\n%b\n" % (len(target), target)


def numbers(folder: Path) -> set[int]:
    """Return the numbers that have a ref."""
    names = os.listdir(folder / REFS) if (folder / REFS).is_dir() else []
    packed = folder / "packed-refs"
    if packed.is_file():
        names += [line.rpartition("/")[2] for line in packed.read_text().splitlines() if f" {REFS}/" in line]
    return {int(name) for name in names if name.isdecimal()}


def stored(folder: Path) -> int:
    """Return how many bytes a store takes on the disk."""
    return sum(
        os.lstat(os.path.join(base, name)).st_blocks * 512
        for base, _, files in os.walk(folder)
        for name in files
        if os.path.lexists(os.path.join(base, name))
    )


def abandoned(home: Path, days: float) -> Iterator[tuple[Path, str]]:
    """Give the stores below `home` whose project has gone and that rest for `days`: (store, project).

    A project on a disk that is not mounted just now looks as if it had gone.
    """
    for folder, project in projects(home):
        journal = folder / "hermes" / "journal"
        resting = journal.stat().st_mtime if journal.exists() else 0.0
        if not os.path.isdir(project) and time.time() - resting > days * 86_400:
            yield folder, project


def projects(home: Path) -> Iterator[tuple[Path, str]]:
    """Give every store below `home` with its project's path."""
    for name in sorted(home.glob("*/hermes/project")):
        yield name.parent.parent, os.fsdecode(name.read_bytes()).strip()


def remove(folder: Path) -> None:
    """Remove a whole store."""
    shutil.rmtree(folder)


def _kept(ledger: Ledger, keep: int, oldest: float) -> set[int]:
    """Return the newest `keep` numbers that are young enough; what has no outcome yet always stays."""
    newest = sorted(ledger.checkpoints, reverse=True)[: max(keep, 0)]
    young = {number for number in newest if ledger.checkpoints[number].time >= oldest}
    return young | {effect.number for effect in ledger.pending.values()}


def _commit(ref: str, at: float, message: str) -> bytes:
    text = os.fsencode(message)
    return b"commit %b\ncommitter %b %d +0000\ndata %d\n%b\n" % (ref.encode(), _WHO, at, len(text), text)


def _quoted(path: bytes) -> bytes:
    """Return a path as fast-import takes it, whatever bytes it holds."""
    plain = all(32 < byte < 127 and byte not in b'"\\' for byte in path)
    return path if plain else b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'
