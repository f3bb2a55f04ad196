"""What an interrupt left, in words. Text only."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.frontends.runs import Batch
from hermes_tui.frontends.tui.widgets.runs.bars import duration

FINISHED = ("ok", "failed", "denied")
MOST = 8
"""Changed files that are named."""


def receipt(seconds: float, batches: Sequence[Batch], changed: Sequence[str]) -> list[str]:
    """Return the lines: how long it ran, what became of the calls, which files have changed so far."""
    states = [call.state for batch in batches for call in batch.calls.values()]
    lines = [f"Interrupted by you after {duration(seconds)}"]
    if states:
        finished = sum(state in FINISHED for state in states)
        cancelled = states.count("cancelled")
        kept = " (output kept)" if cancelled else ""
        lines.append(
            f"{finished} finished · {cancelled} cancelled{kept} · "
            f"{states.count('not_started')} never started · {states.count('abandoned')} unknown"
        )
    if changed:
        more = f" and {len(changed) - MOST} more" if len(changed) > MOST else ""
        lines.append(f"changed so far: {', '.join(changed[:MOST])}{more}")
        lines.append("/rollback brings them back")
    elif states:
        lines.append("no file has changed")
    return lines
