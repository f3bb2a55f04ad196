"""The checkpoints of one batch: one for each group of calls, opened before the group's first effect."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from hermes_tui.engine.errors import CheckpointError
from hermes_tui.engine.events import CheckpointMade, Notice
from hermes_tui.engine.footprint import ANYTHING, Footprint
from hermes_tui.engine.outbox import Outbox
from hermes_tui.engine.plan import PlannedCall
from hermes_tui.engine.protocols import Checkpoints, OpenCheckpoint
from hermes_tui.engine.reasons import leading, shown

LONGEST_LABEL = 100


class Groups:
    """Opens each group's checkpoint once, and closes it when its last call has ended. Thread-safe."""

    def __init__(
        self, calls: Sequence[PlannedCall], checkpoints: Checkpoints, outbox: Outbox, folder: Path
    ) -> None:
        self._checkpoints = checkpoints
        self._outbox = outbox
        self._folder = folder
        self._groups: dict[int, _Group] = {}
        for call in calls:
            self._groups.setdefault(call.group, _Group()).members.append(call)

    def open(self, call: PlannedCall) -> OpenCheckpoint | None:
        """Return the checkpoint of the call's group; None where there is no rollback.

        Raises `CheckpointError`: then nothing may be changed.
        """
        group = self._groups[call.group]
        with group.lock:
            if not group.opened:
                group.checkpoint = self._checkpoints.open(label(call, self._folder))
                group.opened = True
                if group.checkpoint is not None:
                    self._outbox.put(
                        CheckpointMade(
                            number=group.checkpoint.number,
                            label=label(call, self._folder),
                            files=group.files(),
                        )
                    )
            return group.checkpoint

    def ended(self, call: PlannedCall) -> None:
        """A call has really ended: an abandoned one only when its thread has."""
        group = self._groups[call.group]
        with group.lock:
            group.ended += 1
            if group.ended < len(group.members) or group.checkpoint is None:
                return
            try:
                group.checkpoint.close()
            except CheckpointError as error:
                self._outbox.put(
                    Notice(level="warning", text=f"checkpoint #{group.checkpoint.number}: {error}")
                )


class _Group:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.members: list[PlannedCall] = []
        self.opened = False
        self.checkpoint: OpenCheckpoint | None = None
        self.ended = 0

    def files(self) -> int:
        """How many paths its calls name; those of a call that names none are found by looking."""
        return len({path for call in self.members for path in _files(call.judged.footprint)})


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
