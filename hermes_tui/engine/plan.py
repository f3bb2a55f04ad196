"""Turns a batch into a plan: who waits for whom, and why (design.md 3.3). Runs nothing.

The three schedules differ only in how `after` is filled; one executor runs every plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine.conflicts import Earlier
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.footprint import Level, Touch
from hermes_tui.engine.judge import Judged
from hermes_tui.engine.reasons import Reasons, asks, undeclared_why


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call of a plan."""

    index: int
    """Its place in the batch, from 0; people read it as #1, #2."""
    judged: Judged
    after: tuple[int, ...]
    """The earlier calls it waits for, ascending."""
    reason: str
    group: int
    """Calls of one group may run side by side and share one checkpoint."""

    @property
    def number(self) -> str:
        """How people call it: "#1"."""
        return f"#{self.index + 1}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A batch, decided."""

    schedule: str
    parallel: bool
    """Whether at least two calls may overlap in time."""
    reason: str
    """Never empty."""
    calls: tuple[PlannedCall, ...]

    def as_dict(self, with_ids: bool = False) -> dict[str, Any]:
        """Return the plan as `hermes-tui plan` prints it; events have each call's `id` too."""
        return {
            "schedule": self.schedule,
            "parallel": self.parallel,
            "reason": self.reason,
            "calls": [_call_as_dict(call, with_ids) for call in self.calls],
        }


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch while it is planned."""

    calls: Sequence[Judged]
    touches: Sequence[Touch]
    reasons: Reasons


Order = tuple[str, list[tuple[int, ...]], list[str]]
"""A plan's reason, and for each call its `after` and its reason."""


def plan(calls: Sequence[Judged], schedule: str, folder: Path) -> Plan:
    """Decide a batch; `folder` is what paths in reasons are shown relative to.

    Raises `UsageError` when there is no such schedule.
    """
    if schedule not in _SCHEDULES:
        raise UsageError(f"no schedule {schedule!r}; there are {', '.join(SCHEDULES)}")
    touches = [Touch(judged.footprint) for judged in calls]
    batch = _Batch(calls, touches, Reasons(calls, touches, folder))
    reason, after, reasons = _SCHEDULES[schedule](batch) if len(calls) > 1 else _few(batch)
    planned = tuple(
        PlannedCall(index, *row)
        for index, row in enumerate(zip(calls, after, reasons, _groups(after), strict=True))
    )
    return Plan(schedule, may_overlap(after), reason, planned)


def may_overlap(after: Sequence[Sequence[int]]) -> bool:
    """Whether two calls may run at the same time: neither waits for the other, by any way."""
    behind: list[int] = []  # for each call the set of those it waits for in the end, as bits
    for waits in after:
        bits = 0
        for i in waits:
            bits |= behind[i] | 1 << i
        behind.append(bits)
    return any(bits.bit_count() < index for index, bits in enumerate(behind))


def _few(batch: _Batch) -> Order:
    if not batch.calls:
        return "no calls", [], []
    return "serial: one call", [()], ["starts at once: the only call"]


def _batch(batch: _Batch) -> Order:
    """All at once, or a chain: one decision for the whole batch."""
    why = _why_serial(batch)
    if why:
        return _chain(batch, why)
    count = range(len(batch.calls))
    return batch.reasons.side_by_side(), [() for _ in count], [batch.reasons.free(i) for i in count]


def _serial(batch: _Batch) -> Order:
    return _chain(batch, "serial: the schedule runs one call after another")


def _graph(batch: _Batch) -> Order:
    """Each call waits for exactly the earlier ones it conflicts with."""
    earlier = Earlier()
    after: list[tuple[int, ...]] = []
    for touch in batch.touches:
        after.append(tuple(sorted(earlier.conflicting(touch))))
        earlier.add(touch)
    reasons = [batch.reasons.waits(index, waits) for index, waits in enumerate(after)]
    waiting = [index for index, waits in enumerate(after) if waits]
    if not waiting:
        return batch.reasons.side_by_side(), after, reasons
    first = f"#{waiting[0] + 1} {reasons[waiting[0]]}"
    if not may_overlap(after):
        return f"serial: {first}", after, reasons
    return f"{len(waiting)} of {len(after)} calls wait; {first}", after, reasons


def _chain(batch: _Batch, reason: str) -> Order:
    count = range(len(batch.calls))
    after: list[tuple[int, ...]] = [(index - 1,) if index else () for index in count]
    return reason, after, [batch.reasons.chained(index) for index in count]


def _why_serial(batch: _Batch) -> str:
    """Return why a batch runs one after another, or nothing; the levels of design.md 1, in their order."""
    for judged in batch.calls:
        if judged.footprint.level is Level.INTERACTIVE:
            return f"serial: {asks(judged)}"
    for judged in batch.calls:
        if judged.failure is not None:
            return f"serial: {undeclared_why(judged)}"
    pair = _first_overlap(batch)
    if pair:
        return batch.reasons.overlap(*pair)
    for judged in batch.calls:
        if judged.footprint.level is Level.UNDECLARED:
            return f"serial: {undeclared_why(judged)}"
    return ""


def _first_overlap(batch: _Batch) -> tuple[int, int] | None:
    declared = [i for i, judged in enumerate(batch.calls) if judged.footprint.level is not Level.UNDECLARED]
    earlier = Earlier()
    for index in declared:
        found = earlier.overlapping(batch.touches[index])
        if found:
            return declared[min(found)], index
        earlier.add(batch.touches[index])
    return None


def _groups(after: Sequence[Sequence[int]]) -> list[int]:
    """Number the groups that share a checkpoint: who waits for one of the group starts the next."""
    groups: list[int] = []
    for waits in after:
        current = groups[-1] if groups else 0
        groups.append(current + 1 if any(groups[i] == current for i in waits) else current)
    return groups


def _call_as_dict(call: PlannedCall, with_id: bool) -> dict[str, Any]:
    footprint = call.judged.footprint
    return {
        "index": call.index,
        **({"id": call.judged.call.id} if with_id else {}),
        "name": call.judged.call.name,
        "level": footprint.level.value,
        "reads": list(footprint.reads),
        "writes": list(footprint.writes),
        "after": list(call.after),
        "reason": call.reason,
    }


_SCHEDULES: Final[dict[str, Callable[[_Batch], Order]]] = {
    "batch": _batch,
    "graph": _graph,
    "serial": _serial,
}

SCHEDULES: Final = tuple(_SCHEDULES)
"""The names of the schedules, the default first."""
