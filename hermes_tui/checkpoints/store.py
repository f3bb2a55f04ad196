"""The door to the checkpoints of one project. Cheap to make: nothing happens before the first use.

Decides neither when a checkpoint is taken nor whether to roll back. A store that cannot work (no git,
the home folder as project, a full disk) says so once and steps aside; the program goes on.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from hermes_tui.checkpoints import commands, preview, promise, show
from hermes_tui.checkpoints.base import Base, Notice
from hermes_tui.checkpoints.ledger import Checkpoint, opened
from hermes_tui.checkpoints.plan_restore import Preview
from hermes_tui.checkpoints.recording import Recording
from hermes_tui.checkpoints.restore import restore
from hermes_tui.checkpoints.setup import Place, open_store
from hermes_tui.checkpoints.show import CheckpointInfo
from hermes_tui.checkpoints.states import Limits, State
from hermes_tui.engine.errors import CheckpointError
from hermes_tui.engine.footprint import Footprint

if TYPE_CHECKING:
    from hermes_tui.checkpoints.keep import Keeper

_LABEL: Final = 200
"""Characters of a label."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a restore did."""

    number: int
    """The number it went back to, or the rollback it undid."""
    saved_as: int | None
    """The checkpoint that holds what stood there before; None when nothing was to be done."""
    restored: tuple[str, ...]
    deleted: tuple[str, ...]
    kept: tuple[tuple[str, str], ...]
    """(path, why)."""
    failed: tuple[tuple[str, str], ...]
    """(path, why)."""
    undid: bool = False
    """Whether `number` is a rollback that was undone."""
    edited: tuple[str, ...] = ()
    """Those of `kept` that whoever insists can have all the same."""


@dataclass(frozen=True, slots=True)
class Status:
    """What there is."""

    project: str
    folder: str
    checkpoints: int
    newest: int | None
    size: int
    """Bytes on the disk."""
    projects: tuple[tuple[str, str, int], ...]
    """Every project that has a store: (project, folder, bytes)."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What `prune` removed."""

    numbers: tuple[int, ...]
    projects: tuple[str, ...]
    """Projects whose folders had gone: their whole stores."""
    freed: int
    """Bytes."""


class CheckpointStore:
    """All checkpoints of one project (engine.protocols.Checkpoints). Safe for threads and processes."""

    def __init__(
        self,
        project: Path | None,
        home: Path,
        session: str,
        limits: Limits,
        notice: Notice,
        data: Path | None = None,
    ) -> None:
        """`home` is the folder of all stores, `data` the program's own data (usually around `home`).

        `project` is None where there is none (the home folder): then rollback is off.
        """
        self._place = Place(project or Path("/"), home, session, limits, notice, data or home)
        self._lock = threading.Lock()
        self._base: Base | None = None
        self._keeper: Keeper | None = None
        self._off: str | None = None
        self._said_off = False
        self._told: dict[int, tuple[tuple[float, int, int], CheckpointInfo]] = {}
        """What `list` told of each number, and as of when: counting lines reads contents."""

    def open(self, label: str, call: str = "") -> Recording | None:
        """Start the checkpoint of a group; None, after one notice, where there can be none.

        `call` is the id of the call for which it is taken.
        `CheckpointError` when there are checkpoints but this one cannot be saved (a full disk): going
        on would lose what the group changes.
        """
        try:
            base = self._opened()
        except CheckpointError as error:
            self._say_off(str(error))
            return None
        return Recording(base, self._new(base, label, "call", call=call).number, self._keep_later)

    def uncovered(self, footprint: Footprint) -> Sequence[str]:
        """Say what of a call's effects no rollback would bring back, a sentence each, before it runs."""
        try:
            base = self._opened()
        except CheckpointError as error:
            return (f"{error}: nothing brings back what this changes",)
        return promise.uncovered(base, footprint)

    def use_session(self, session: str) -> None:
        """Let the checkpoints from now on belong to another session."""
        with self._lock:
            self._place = replace(self._place, session=session)
            if self._base is not None:
                self._base.session = session

    def warm(self) -> None:
        """Look at the whole tree in the background, so that the first command need not wait for it."""
        threading.Thread(target=self._warm, name="first scan", daemon=True).start()

    def path(self, name: str) -> Path:
        """Return the absolute path that a checkpoint's path means."""
        return Path(os.path.realpath(self._place.project), name)

    def list(self) -> list[CheckpointInfo]:
        """Return all checkpoints, newest first. `CheckpointError` when rollback is off."""
        if not self._exists():
            return []
        base = self._opened()
        with base.book.opened() as ledger:
            points = sorted(ledger.checkpoints.values(), key=lambda point: -point.number)
        return [self._info(point) for point in points]

    def preview(self, number: int, paths: Sequence[str] | None = None, force: bool = False) -> Preview:
        """Return what a restore to #`number` would do, all of it or only `paths` and what is below them.

        `force` takes also what the user edited since. `CheckpointError` for a number or a path that
        there is not.
        """
        if not self._exists():
            raise CheckpointError(f"there is no checkpoint #{number}: there are none yet")
        return preview.back_to(self._opened(), number, paths, force)

    def chosen(self, number: int, paths: Collection[str], anyway: Collection[str] = ()) -> Preview:
        """Return what a restore to #`number` of exactly these paths would do, with the folders they need.

        Of those in `anyway` also what the user edited since is taken.
        """
        return preview.chosen(self._opened(), number, paths, anyway)

    def call_of(self, number: int, session: str) -> str:
        """Return the id of the call that #`number` was taken for in a session; empty when it was another's.

        A newer checkpoint for a call of the same name means that the session has begun anew since.
        """
        with self._opened().book.opened() as ledger:
            point = ledger.checkpoints.get(number)
            if point is None or point.session != session:
                return ""
            same = [
                p.number for p in ledger.checkpoints.values() if (p.session, p.call) == (session, point.call)
            ]
            return point.call if max(same) == number else ""

    def undo_preview(self, force: bool = False) -> Preview:
        """Return what undoing the newest rollback would do; `CheckpointError` when there is none to undo."""
        if not self._exists():
            raise CheckpointError("there is no rollback to undo")
        return preview.undo(self._opened(), force)

    def diff(self, number: int, path: str | None = None) -> str:
        """Return the unified difference from what stands there to what a restore to #`number` gives."""
        return self.difference(self.preview(number, None if path is None else [path]))

    def difference(self, of: Preview) -> str:
        """Return the unified difference of all that carrying out a preview would change."""
        return preview.difference(self._opened(), of)

    def restore(self, of: Preview) -> Outcome:
        """Carry out a preview, as a checkpoint of its own. A path that changed since the preview is kept.

        `CheckpointError` when the present state cannot be saved first: then nothing was changed.
        """
        acts = [item for item in of.items if item.acts]
        kept = [(item.path, item.reason) for item in of.items if not item.acts]
        edited = tuple(item.path for item in of.items if item.edited)
        if not acts:
            return Outcome(of.number, None, (), (), tuple(kept), (), bool(of.undoes), edited)
        base = self._opened()
        label = f"undo of #{of.undoes}" if of.undoes else f"rollback to #{of.number}"
        with base.book.opened():
            point = self._new(base, label, "rollback", of.number, of.undoes)
            done = restore(base, point.number, acts)
        self._keep_later()
        return Outcome(
            of.number,
            point.number,
            tuple(sorted(done.restored)),
            tuple(sorted(done.deleted)),
            tuple(sorted(kept + done.kept)),
            tuple(sorted(done.failed)),
            bool(of.undoes),
            edited,
        )

    def undo(self) -> Outcome:
        """Invert the newest rollback that was not undone yet."""
        return self.restore(self.undo_preview())

    def status(self) -> Status:
        """Return what this project's store holds, and which others there are."""
        from hermes_tui.checkpoints import keep

        numbers = [info.number for info in self.list()]
        everywhere = [
            (name, str(folder), keep.stored(folder)) for folder, name in keep.projects(self._place.home)
        ]
        folder = self._place.folder
        return Status(
            os.path.realpath(self._place.project),
            str(folder),
            len(numbers),
            max(numbers, default=None),
            keep.stored(folder) if folder.exists() else 0,
            tuple(everywhere),
        )

    def prune(self, keep: int | None = None, days: float | None = None) -> Pruned:
        """Forget the oldest checkpoints, beyond the limits or those given, and stores whose project has gone.

        Numbers are not used again. `CheckpointError` while another session runs in this project.
        """
        from hermes_tui.checkpoints import keep as keeping

        limits, home = self._place.limits, self._place.home
        before = keeping.stored(home) if home.exists() else 0
        numbers: list[int] = []
        if self._exists():
            self._opened()
            assert self._keeper is not None
            numbers = self._keeper.prune(
                limits.keep if keep is None else keep,
                limits.max_age_days if days is None else days,
                limits.max_total_bytes,
            )
        gone = list(keeping.abandoned(home, limits.max_age_days))
        for folder, _ in gone:
            keeping.remove(folder)
        after = keeping.stored(home) if home.exists() else 0
        return Pruned(tuple(numbers), tuple(project for _, project in gone), max(before - after, 0))

    def close(self, timeout: float = 1.0) -> None:
        """Let go of everything. Writing the last refs takes some 10 ms, at most `timeout` seconds."""
        with self._lock:
            base, keeper, self._base = self._base, self._keeper, None
        if keeper is not None:
            keeper.close(timeout)
        if base is not None:
            base.scanner.end()
            base.objects.close()
            base.book.close()
            base.owners.leave()

    def _opened(self) -> Base:
        """Return the open store. It is opened once; why it cannot be is remembered."""
        with self._lock:
            if self._off is None and self._base is None:
                self._off = self._place.refused() or None
            if self._off is not None:
                raise CheckpointError(self._off)
            if self._base is None:
                try:
                    self._base = open_store(self._place)
                except CheckpointError as error:
                    self._off = str(error)
                    raise
                from hermes_tui.checkpoints.keep import Keeper

                self._keeper = Keeper(self._base)
            return self._base

    def _exists(self) -> bool:
        """Whether there is a store to read; raises `CheckpointError` when rollback is off here."""
        if reason := self._off or self._place.refused():
            raise CheckpointError(reason)
        return (self._place.folder / "hermes").is_dir()

    def _new(
        self,
        base: Base,
        label: str,
        kind: Literal["call", "rollback"],
        of: int = 0,
        undoes: int = 0,
        call: str = "",
    ) -> Checkpoint:
        """Take the next number. The line is synced with the first effect's."""
        with base.book.opened() as ledger:
            point = Checkpoint(
                ledger.next,
                label[:_LABEL],
                base.session,
                base.owners.mine,
                time.time(),
                kind,
                of,
                undoes,
                call,
            )
            base.book.write([opened(point)], durable=False)
        return point

    def _info(self, point: Checkpoint) -> CheckpointInfo:
        """Return what a list tells of a checkpoint; its lines are counted again only when it grew."""
        as_of = point.time, len(point.changes), len(point.not_covered)
        known = self._told.get(point.number)
        if known is None or known[0] != as_of:
            known = self._told[point.number] = as_of, show.info(point, self._content)
        return known[1]

    def _content(self, state: State) -> bytes | None:
        return preview.content(self._opened(), state)

    def _keep_later(self) -> None:
        if self._keeper is not None:
            self._keeper.later()

    def _say_off(self, reason: str) -> None:
        with self._lock:
            said, self._said_off = self._said_off, True
        if not said:
            self._place.notice("warning", reason)

    def _warm(self) -> None:
        try:
            base = self._opened()
            with base.book.opened() as ledger:
                paths = list(ledger.paths())
            with base.scanning:
                commands.look(base, (), paths, ())
        except (CheckpointError, OSError) as error:
            with self._lock:
                closed = self._off is None and self._base is None
            if not closed:
                self._say_off(str(error))
