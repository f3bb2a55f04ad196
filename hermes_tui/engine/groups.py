"""The checkpoints of one batch: one for each group of calls, opened before the group's first effect."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from hermes_tui.engine.errors import CheckpointError
from hermes_tui.engine.events import CheckpointMade, Notice
from hermes_tui.engine.footprint import ANYTHING, Footprint
from hermes_tui.engine.plan import PlannedCall
from hermes_tui.engine.protocols import Checkpoints, OpenCheckpoint
from hermes_tui.engine.reasons import leading, shown
from hermes_tui.engine.shared import Shared

LONGEST_LABEL = 100


class Groups:
    """Opens each group's checkpoint once, and closes it when its last call has ended. Thread-safe."""

    def __init__(
        self, calls: Sequence[PlannedCall], checkpoints: Checkpoints, shared: Shared, folder: Path
    ) -> None:
        self._checkpoints = checkpoints
        self._agent = shared.agent
        self._outbox = shared.outbox
        self._folder = folder
        self._groups: dict[int, _Group] = {}
        for call in calls:
            self._groups.setdefault(call.group, _Group(self._told)).members.append(call)

    def open(self, call: PlannedCall) -> OpenCheckpoint | None:
        """Return the checkpoint of the call's group; None where there is no rollback.

        Raises `CheckpointError`: then nothing may be changed.
        """
        group = self._groups[call.group]
        with group.lock:
            if not group.opened:
                began = time.monotonic()
                # for a sub-agent's call: the call of the session's own agent that it works for
                opened = self._checkpoints.open(label(call, self._folder), self._agent or call.judged.call.id)
                group.begin(opened, label(call, self._folder), time.monotonic() - began)
            return None if group.checkpoint is None else group

    def ended(self, call: PlannedCall) -> None:
        """A call has really ended: an abandoned one only when its thread has."""
        group = self._groups[call.group]
        with group.lock:
            group.ended += 1
            if group.ended == len(group.members) and group.checkpoint is not None:
                self._end(group, group.checkpoint)

    def _end(self, group: _Group, checkpoint: OpenCheckpoint) -> None:
        group.tell()
        try:
            checkpoint.close()
        except CheckpointError as error:
            self._outbox.put(Notice(level="warning", text=f"checkpoint #{checkpoint.number}: {error}"))

    def _told(self, group: _Group, checkpoint: OpenCheckpoint) -> None:
        self._outbox.put(
            CheckpointMade(
                number=checkpoint.number,
                label=group.label,
                files=group.files(),
                seconds=group.seconds,
                not_covered=list(checkpoint.not_covered()),
            )
        )


class _Group:
    """The checkpoint of one group, as its calls see it: told of once the first of them is safe."""

    def __init__(self, told: Callable[[_Group, OpenCheckpoint], None]) -> None:
        self.lock = threading.RLock()
        self.members: list[PlannedCall] = []
        self.opened = False
        self.checkpoint: OpenCheckpoint | None = None
        self.label = ""
        self.seconds = 0.0
        """What saving has taken."""
        self.ended = 0
        self._told = told
        self._is_told = False

    def begin(self, checkpoint: OpenCheckpoint | None, label: str, seconds: float) -> None:
        """Take what was opened; None: there is no rollback here."""
        self.opened, self.checkpoint, self.label, self.seconds = True, checkpoint, label, seconds

    def tell(self) -> None:
        """Tell of the checkpoint, once."""
        with self.lock:
            told, self._is_told = self._is_told, True
            if not told and self.checkpoint is not None:
                self._told(self, self.checkpoint)

    def files(self) -> int:
        """How many paths its calls name; those of a call that names none are found by looking."""
        return len({path for call in self.members for path in _files(call.judged.footprint)})

    # -- what its calls see: engine.protocols.OpenCheckpoint ------------------------------------------

    @property
    def number(self) -> int:
        """Its number in the project."""
        return self._open.number

    def change(self, path: Path, after: bytes | None) -> AbstractContextManager[None]:
        """Journal one edit."""
        return self._saved(self._open.change(path, after))

    def scanned(self, call_id: str, footprint: Footprint) -> AbstractContextManager[None]:
        """Look at the tree before and after the body."""
        return self._saved(self._open.scanned(call_id, footprint))

    def written(self, call_id: str) -> int:
        """The bytes that a scanned call wrote."""
        return self._open.written(call_id)

    def not_covered(self) -> Sequence[str]:
        """What it cannot bring back."""
        return self._open.not_covered()

    def close(self) -> int:
        """End the group."""
        return self._open.close()

    @property
    def _open(self) -> OpenCheckpoint:
        assert self.checkpoint is not None, "no call gets a group without a checkpoint"
        return self.checkpoint

    @contextmanager
    def _saved(self, effect: AbstractContextManager[None]) -> Iterator[None]:
        """Count what saving takes, until the first time that it is told."""
        began = time.monotonic()
        with effect:
            with self.lock:
                self.seconds += time.monotonic() - began
            self.tell()
            yield


def _files(footprint: Footprint) -> list[str]:
    return [path for path in footprint.writes if path != ANYTHING and "/" in path]


def label(call: PlannedCall, folder: Path) -> str:
    """Return what a checkpoint is called: "before patch src/a.py"."""
    footprint = call.judged.footprint
    names = leading(footprint.subjects) or _files(footprint)
    what = " ".join(shown(names[0], folder).split()) if names else ""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    text = f"before {call.judged.name} {what}".rstrip()
    return (text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…") + more
