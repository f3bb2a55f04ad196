"""What an interrupt left, in words: what became of the calls, and which files have changed so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def changed(batches: Sequence[Batch], numbers: Iterable[int], store: Store | None) -> list[str] | None:
    """Return the files that the calls have changed so far; None if nobody can tell. May take a while.

    `numbers`: the checkpoints that were made meanwhile; where there are none the declarations tell.
    """
    wanted = set(numbers)
    if wanted and store is not None:
        try:
            points = [point for point in store.list() if point.number in wanted]
        except HermesError:
            points = []
        if points:
            files = {file.path: file for point in reversed(points) for file in point.files}
            return [f"{one_line(path, 200)} (+{f.added} −{f.removed})" for path, f in files.items()]
    calls = [call for batch in batches for call in batch.calls.values() if call.started is not None]
    if any(call.anything for call in calls):
        return None
    written = (path for call in calls if call.state == "ok" for path in call.writes)
    return list(dict.fromkeys(written))


def receipt(seconds: float, batches: Sequence[Batch], files: Sequence[str] | None) -> list[str]:
    """Return the lines; `files` as `changed` returns them."""
    states = [call.state for batch in batches for call in batch.calls.values()]
    lines = [f"Interrupted by you after {duration(seconds)}"]
    if not states:
        return lines
    finished = sum(state in FINISHED for state in states)
    cancelled = states.count("cancelled")
    kept = " (output kept)" if cancelled else ""
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
    return lines
