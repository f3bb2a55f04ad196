"""What an interrupt left, in words: what became of the calls, and which files have changed so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hermes_tui.engine.errors import HermesError
from hermes_tui.frontends.runs import Batch, duration
from hermes_tui.text import one_line

FINISHED: Final = ("ok", "failed", "denied")
MOST: Final = 8
"""Changed files that are named."""


class Store(Protocol):
    """The checkpoints."""

    def list(self) -> Sequence[Any]:
        """Return them with number and files, each with path, added, removed; newest first."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What the calls of an interrupted turn did to files."""

    files: Sequence[str] | None = ()
    """Those that have changed so far; None: nobody can tell."""
    batch: Batch | None = None
    """The newest batch that changed some and can be rolled back."""

    @property
    def checkpoint(self) -> int:
        """The number of the state before that batch; 0 without one."""
        return min(mark.number for mark in self.batch.checkpoints) if self.batch else 0


def effects(batches: Sequence[Batch], store: Store | None) -> Effects:
    """Look what the calls have changed so far; may be slow. Without checkpoints the declarations tell."""
    if points := _points(batches, store):
        files = {file.path: file for point in reversed(points) for file in point.files}
        said = [f"{one_line(path, 200)} (+{f.added} −{f.removed})" for path, f in files.items()]
        telling = {point.number for point in points if point.files}
        held = (b for b in reversed(batches) if any(mark.number in telling for mark in b.checkpoints))
        return Effects(said, next(held, None))
    calls = [call for batch in batches for call in batch.calls.values() if call.started is not None]
    if any(call.anything for call in calls):
        return Effects(None)
    written = (path for call in calls if call.state == "ok" for path in call.writes)
    return Effects(list(dict.fromkeys(written)))


def _points(batches: Sequence[Batch], store: Store | None) -> list[Any]:
    """Return the checkpoints that the batches made, newest first; none where they cannot be read."""
    wanted = {mark.number for batch in batches for mark in batch.checkpoints}
    if not wanted or store is None:
        return []
    try:
        return [point for point in store.list() if point.number in wanted]
    except HermesError:
        return []


def receipt(
    seconds: float, batches: Sequence[Batch], files: Sequence[str] | None, background: Sequence[str] = ()
) -> list[str]:
    """Return the lines; `files` as in `Effects`, `background`: the commands that run on."""
    calls = [call for batch in batches for call in batch.calls.values()]
    states = [call.state for call in calls]
    lines = [f"Interrupted by you after {duration(seconds)}"]
    going_on = [f"goes on in the background: {one_line(command, 100)}" for command in background]
    if not states:
        return lines + going_on
    finished = sum(state in FINISHED for state in states)
    cancelled = states.count("cancelled")
    kept = " (output kept)" if any(call.printed for call in calls if call.state == "cancelled") else ""
    never, unknown = states.count("not_started"), states.count("abandoned")
    lines.append(
        f"{finished} finished · {cancelled} cancelled{kept} · {never} never started · {unknown} unknown"
    )
    if files is None:
        lines.append("files may have changed; no checkpoint was taken")
    elif files:
        more = f" and {len(files) - MOST} more" if len(files) > MOST else ""
        lines.append(f"changed so far: {', '.join(files[:MOST])}{more}")
        lines.append("/rollback brings them back")
    else:
        lines.append("no file has changed")
    return lines + going_on
