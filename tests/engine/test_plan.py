"""The planner: every rule of design.md 3.3, as a table and as a property against the rule in one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.footprint import (
    Footprint,
    Level,
    Touch,
    undeclared,
)
from hermes_tui.engine.judge import Judged
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.plan import Plan, plan

SAFE, SCOPED = Level.SAFE, Level.SCOPED
FOLDER = Path("/p")


def scoped(reads: Sequence[str] = (), writes: Sequence[str] = ()) -> Footprint:
    return Footprint(SCOPED, tuple(reads), tuple(writes))


def safe(*reads: str) -> Footprint:
    return Footprint(SAFE, reads)


ASKS = Footprint(Level.INTERACTIVE)
MAKE = undeclared("`make` is not known to be safe")


def planned(footprints: Sequence[Footprint], schedule: str = "batch") -> Plan:
    batch = [
        Judged(ToolCall(f"c{number}", "clarify" if footprint is ASKS else "tool", "{}"), footprint, None, {})
        for number, footprint in enumerate(footprints, 1)
    ]
    return plan(batch, schedule, FOLDER)


def after(footprints: Sequence[Footprint], schedule: str = "batch") -> list[list[int]]:
    return [list(call.after) for call in planned(footprints, schedule).calls]


CHAIN3 = [[], [0], [1]]

BATCHES = [
    ([], []),
    ([MAKE], [[]]),
    ([scoped(["/p/a"]), scoped(["/p/b"]), scoped([], ["/p/c"])], [[], [], []]),
    ([scoped(["/p/a"]), scoped(["/p/b"]), scoped([], ["/p/a"])], CHAIN3),
    ([scoped(["/p/a"]), scoped(["/p/a"])], [[], [0]]),  # both scoped: reads count
    ([safe("/p"), scoped(["/p/a"])], [[], []]),  # git status beside read_file a
    ([safe("/p"), scoped([], ["/p/a"])], [[], [0]]),  # the tightening: a search and a write below it
    ([safe("/p/a"), safe("/p/a")], [[], []]),
    ([safe(), safe(), safe()], [[], [], []]),
    ([safe("*"), scoped([], ["/p/a"])], [[], [0]]),
    ([safe("/p/a"), ASKS, safe("/p/b")], CHAIN3),
    ([safe("/p/a"), MAKE, safe("/p/b")], CHAIN3),
    ([scoped([], ["/p/a/b"]), scoped([], ["/p/a/bc"])], [[], []]),  # component by component
    ([scoped([], ["/p/a/b"]), scoped([], ["/p/a/b/c"])], [[], [0]]),
    ([scoped([], ["state:todo"]), scoped([], ["state:memory"])], [[], []]),
    ([scoped([], ["state:todo"]), scoped(["state:todo"])], [[], [0]]),
]


@pytest.mark.parametrize(("footprints", "expected"), BATCHES)
def test_a_batch_is_all_at_once_or_a_chain(footprints: list[Footprint], expected: list[list[int]]) -> None:
    """Cases b/19, b/28: one decision for the whole batch."""
    assert after(footprints) == expected
    assert planned(footprints).parallel is (len(expected) > 1 and not any(expected))


GRAPHS = [
    ([scoped(["/p/a"]), scoped([], ["/p/b"]), scoped(["/p/a"])], [[], [], []]),
    ([scoped(["/p/a"]), scoped([], ["/p/a"]), scoped(["/p/a"]), scoped(["/p/b"])], [[], [0], [1], []]),
    ([safe("/p"), scoped([], ["/p/a"]), scoped([], ["/p/b"])], [[], [0], [0]]),
    ([safe("/p/a"), MAKE, safe("/p/b")], [[], [0], [1]]),
    ([ASKS, safe("/p/a"), ASKS], [[], [], [0]]),
    ([ASKS, scoped([], ["/p/a"]), safe("/p/b")], [[], [0], []]),
    ([scoped([], ["/p/a"]), ASKS], [[], [0]]),
    ([ASKS, MAKE], [[], [0]]),
    # behind an undeclared call, a write conflicts with everything there, and reads still do not
    ([MAKE, safe("/p/a"), scoped([], ["/p/b"]), safe("/p/c")], [[], [0], [0, 1], [0, 2]]),
    ([MAKE, safe("/p/a"), safe("/p/b")], [[], [0], [0]]),
    ([safe("/p/x"), MAKE, safe("/p/a"), scoped([], ["/p/b"])], [[], [0], [1], [1, 2]]),
]


@pytest.mark.parametrize(("footprints", "expected"), GRAPHS)
def test_in_a_graph_a_call_waits_for_exactly_what_it_conflicts_with(
    footprints: list[Footprint], expected: list[list[int]]
) -> None:
    # an undeclared call conflicts with all before it; the tables name the nearest, so complete them
    full = [
        sorted({*waits, *(range(index) if footprints[index].level is Level.UNDECLARED else ())})
        for index, waits in enumerate(expected)
    ]
    assert after(footprints, "graph") == full


def test_serial_is_a_chain_whatever_the_calls_are() -> None:
    assert after([safe(), safe(), safe()], "serial") == CHAIN3


@pytest.mark.parametrize(
    ("footprints", "parallel"),
    [
        ([], False),
        ([safe()], False),
        ([safe(), safe()], True),
        ([MAKE, MAKE, MAKE], False),
        ([MAKE, safe("/p/a"), safe("/p/b")], True),  # the two readers overlap
        ([scoped([], ["/p/a"]), scoped(["/p/a"]), scoped([], ["/p/a"])], False),
    ],
)
def test_a_graph_is_parallel_when_two_calls_can_overlap_in_time(
    footprints: list[Footprint], parallel: bool
) -> None:
    assert planned(footprints, "graph").parallel is parallel


def test_an_unknown_schedule_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(UsageError, match="batch, graph, serial"):
        planned([], "fast")


# -- words ---------------------------------------------------------------------------------------------

WORDS = [
    ("batch", [], "no calls", []),
    ("batch", [MAKE], "serial: one call", ["starts at once: the only call"]),
    (
        "batch",
        [safe("/p/a"), safe("/p/b")],
        "all only read, no path shared",
        ["starts at once: it only reads", "starts at once: it only reads"],
    ),
    (
        "batch",
        [safe("/p/a"), safe("/p/a")],
        "all only read",
        ["starts at once: it only reads", "starts at once: it only reads"],
    ),
    (
        "batch",
        [safe(), scoped([], ["/p/src/a.py"])],
        "no path is shared with a write",
        ["starts at once: it touches no file", "starts at once: no other call touches src/a.py"],
    ),
    (
        "batch",
        [safe("/p/b"), scoped([], ["/p/src/a.py"]), scoped(["/p/src/a.py"])],
        "serial: #2 and #3 both touch src/a.py",
        [
            "the first of a chain",
            "waits for #1: the batch runs one after another",
            "waits for #2: both touch src/a.py",
        ],
    ),
    (
        "batch",
        [safe("/p/b"), ASKS],
        "serial: clarify asks the user",
        ["the first of a chain", "waits for #1: clarify asks the user"],
    ),
    (
        "batch",
        [safe("/p/b"), MAKE],
        "serial: `make` is not known to be safe",
        ["the first of a chain", "waits for #1: `make` is not known to be safe"],
    ),
    (
        "batch",
        [MAKE, safe("/p/b")],
        "serial: `make` is not known to be safe",
        [
            "the first of a chain: `make` is not known to be safe",
            "waits for #1: `make` is not known to be safe",
        ],
    ),
    (
        "graph",
        [scoped([], ["/p/src/a.py"]), scoped(["/p/src/a.py"]), safe("/elsewhere/x")],
        "1 of 3 calls wait; #2 waits for #1: both touch src/a.py",
        [
            "starts at once: no other call touches src/a.py",
            "waits for #1: both touch src/a.py",
            "starts at once: it only reads",
        ],
    ),
    (
        "graph",
        [MAKE, scoped([], ["/p/a"]), safe("/p/b")],
        "serial: #2 waits for #1: `make` is not known to be safe",
        [
            "starts at once: no other call touches any file",
            "waits for #1: `make` is not known to be safe",
            "waits for #2: behind #1 a name may mean another file; for #1: `make` is not known to be safe",
        ],
    ),
    (
        "serial",
        [safe("/p/a"), safe("/p/b")],
        "serial: the schedule runs one call after another",
        ["the first of a chain", "waits for #1: the batch runs one after another"],
    ),
]


@pytest.mark.parametrize(("schedule", "footprints", "reason", "reasons"), WORDS)
def test_a_plan_says_why_in_words(
    schedule: str, footprints: list[Footprint], reason: str, reasons: list[str]
) -> None:
    made = planned(footprints, schedule)
    assert made.reason == reason
    assert [call.reason for call in made.calls] == reasons


# -- groups --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "footprints", "groups"),
    [
        ("batch", [safe(), safe(), safe()], [0, 0, 0]),
        ("serial", [safe(), safe(), safe()], [0, 1, 2]),
        ("graph", [scoped([], ["/p/a"]), scoped([], ["/p/a"]), scoped([], ["/p/b"])], [0, 1, 1]),
        ("graph", [MAKE, safe("/p/a"), safe("/p/b"), MAKE], [0, 1, 1, 2]),
    ],
)
def test_calls_that_may_run_side_by_side_share_a_checkpoint(
    schedule: str, footprints: list[Footprint], groups: list[int]
) -> None:
    assert [call.group for call in planned(footprints, schedule).calls] == groups


# -- the look-up is the rule ---------------------------------------------------------------------------

PATHS = st.sampled_from(["/p", "/p/a", "/p/A", "/p/a/b", "/p/ab", "/q/x", "*", "state:s", "state:t"])
SETS = st.lists(PATHS, max_size=2).map(tuple)
FOOTPRINTS = st.builds(
    Footprint,
    st.sampled_from([SAFE, SAFE, SCOPED, SCOPED, SCOPED, Level.INTERACTIVE, Level.UNDECLARED]),
    reads=SETS,
    writes=SETS,
)


@given(st.lists(FOOTPRINTS, max_size=7))
def test_a_graph_is_the_pairwise_rule(footprints: list[Footprint]) -> None:
    touches = [Touch(footprint) for footprint in footprints]
    risky = [index for index, footprint in enumerate(footprints) if footprint.level is Level.UNDECLARED]

    def conflict(i: int, j: int) -> bool:
        behind = bool(risky) and risky[0] < i
        writes = bool(footprints[i].writes or footprints[j].writes)
        return touches[i].conflict(touches[j]) is not None or (behind and writes)

    expected = [[i for i in range(j) if conflict(i, j)] for j in range(len(footprints))]
    assert after(footprints, "graph") == (expected if len(footprints) > 1 else [[] for _ in footprints])


@given(st.lists(FOOTPRINTS, min_size=2, max_size=7))
def test_a_batch_is_parallel_exactly_when_no_rule_forbids_it(footprints: list[Footprint]) -> None:
    touches = [Touch(footprint) for footprint in footprints]
    pairs = [(i, j) for j in range(len(footprints)) for i in range(j)]
    forbidden = any(f.level in (Level.INTERACTIVE, Level.UNDECLARED) for f in footprints) or any(
        touches[i].conflict(touches[j]) is not None
        or (footprints[i].level is footprints[j].level is SCOPED and touches[i].meet(touches[j]) is not None)
        for i, j in pairs
    )
    made = planned(footprints)
    assert made.parallel is not forbidden
    assert made.reason
    assert all(call.reason for call in made.calls)


def test_a_batch_of_a_thousand_calls_is_planned_without_comparing_every_pair() -> None:
    footprints = [scoped([f"/p/r{number}"], [f"/p/w{number}"]) for number in range(1000)]
    assert planned(footprints).parallel
    assert planned(footprints, "graph").parallel
