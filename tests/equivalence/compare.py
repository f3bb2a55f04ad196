"""Whether a batch comes out as under `serial`, however it is scheduled."""

from __future__ import annotations

from dataclasses import dataclass, fields

from hermes_tui.engine.plan import Plan, plan
from tests.equivalence.batches import Case
from tests.equivalence.world import Planner, Ran, World


@dataclass
class Count:
    """What the batches of a test were like."""

    batches: int = 0
    conflicts: int = 0
    """Batches in which some call has to wait for another under `graph`."""
    overlaps: int = 0
    """Batches of which two calls were really under way at once."""

    def __str__(self) -> str:
        return f"{self.batches} batches, {self.conflicts} with a conflict, {self.overlaps} overlapped in time"


def differences(case: Case, world: World, count: Count | None = None) -> list[str]:
    """Return how `batch` and `graph` differ from `serial` on a case; nothing when they are equal.

    Each plan is run twice: as it is, in parallel; and `out_of_order`.
    """
    judged = world.judged(case)
    folder = world.sandbox.project
    # a plan looks at the disk: all are made before anything runs
    chain, *decisions = (plan(judged, schedule, folder) for schedule in ("serial", "batch", "graph"))
    expected = world.run(case, chain)
    plans = {_after(chain)}
    found: list[str] = []
    overlapped = False
    for decided in decisions:
        if _after(decided) in plans:
            continue  # the executor gets exactly what it got before
        plans.add(_after(decided))
        ran = world.run(case, decided)
        overlapped |= world.overlapped
        found += [f"{decided.schedule}: {text}" for text in _compared(expected, ran)]
        found += [f"{decided.schedule}, {text}" for text in _out_of_order(case, world, decided, expected)]
    if count is not None:
        count.batches += 1
        count.conflicts += any(call.after for call in decisions[-1].calls)
        count.overlaps += overlapped
    if found and (again := _compared(expected, world.run(case, chain))):
        return [f"serial differs from itself, so the case proves nothing: {text}" for text in again]
    return found


def out_of_order(case: Case, world: World, schedule: str, planner: Planner) -> list[str]:
    """Return how a case differs when its calls run one by one, as late ones first as the plan allows.

    That finds without luck what running them in parallel finds only when the clock is unkind.
    """
    decided = planner(world.judged(case), schedule, world.sandbox.project)
    return _out_of_order(case, world, decided, world.serial(case))


def _out_of_order(case: Case, world: World, decided: Plan, expected: Ran) -> list[str]:
    order = latest_first(decided)
    if order == sorted(order):
        return []
    # the plan may have been made of other footprints than the tools declare: run what they are
    judged = world.judged(case)
    chain = plan([judged[index] for index in order], "serial", world.sandbox.project)
    numbers = ", ".join(f"#{index + 1}" for index in order)
    return [f"in the order {numbers}: {text}" for text in _compared(expected, world.run(case, chain))]


def latest_first(decided: Plan) -> list[int]:
    """Return an order that the plan allows in which a later call goes first wherever it can."""
    left = list(range(len(decided.calls)))
    order: list[int] = []
    while left:
        ready = [index for index in left if not set(decided.calls[index].after) & set(left)]
        order.append(ready[-1])
        left.remove(ready[-1])
    return order


def _after(decided: Plan) -> tuple[tuple[int, ...], ...]:
    return tuple(call.after for call in decided.calls)


def _compared(expected: Ran, ran: Ran) -> list[str]:
    found = []
    for number, (one, other) in enumerate(zip(expected.results, ran.results, strict=True), 1):
        if one != other:
            found.append(f"#{number} {one!r} became {other!r}")
    for name in sorted(expected.tree.keys() | ran.tree.keys()):
        if expected.tree.get(name) != ran.tree.get(name):
            found.append(f"{name}: {expected.tree.get(name)!r} became {ran.tree.get(name)!r}")
    for each in fields(Ran)[2:]:
        if getattr(expected, each.name) != getattr(ran, each.name):
            found.append(f"{each.name}: {getattr(expected, each.name)!r} became {getattr(ran, each.name)!r}")
    return found
