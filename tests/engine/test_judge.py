"""Asking tools what a batch would touch: a bad call is a result, its siblings run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.footprint import (
    Footprint,
    Level,
    undeclared,
)
from hermes_tui.engine.judge import judge
from hermes_tui.engine.plan import plan
from tests.engine.around import calls
from tests.engine.tools import Box, Plain, ordinary, read_body

SAFE, SCOPED = Level.SAFE, Level.SCOPED
FOLDER = Path("/p")


def scoped(reads: Sequence[str] = (), writes: Sequence[str] = ()) -> Footprint:
    return Footprint(SCOPED, tuple(reads), tuple(writes))


def safe(*reads: str) -> Footprint:
    return Footprint(SAFE, reads)


ASKS = Footprint(Level.INTERACTIVE)
MAKE = undeclared("`make` is not known to be safe")


@pytest.mark.parametrize(
    ("sent", "reason", "failure"),
    [
        (("read", '{"path": }'), "serial: arguments of #2 are not JSON", "invalid JSON arguments"),
        (("read", "[1]"), "serial: arguments of #2 are no JSON object", "must be one JSON object, not list"),
        (("read", '{"path":"a"}{"path":"b"}'), "serial: arguments of #2 are not JSON", "Extra data"),
        (("read", '{"path": 3}'), "serial: arguments of #2 do not fit `read`", "`path` is missing"),
        (("read", "  "), "serial: arguments of #2 do not fit `read`", "`path` is missing"),
        (
            ("multi_tool_use.parallel", "{}"),
            "serial: no tool is named `multi_tool_use.parallel`",
            "available: ask, edit, look",
        ),
        (("", "{}"), "serial: no tool is named ``", "unknown tool (no name); available: ask, edit"),
    ],
)
def test_a_call_that_cannot_run_makes_its_batch_serial_and_says_why(
    sent: tuple[str, str], reason: str, failure: str, tmp_path: Path
) -> None:
    """Cases a/1, a/2, a/14, a/17."""
    judged = judge(calls(("noop", {}), sent).calls, Box(ordinary()), tmp_path)
    made = plan(judged, "batch", tmp_path)
    assert made.reason == reason
    assert failure in (judged[1].failure or "")
    row = made.as_dict()["calls"][1]
    assert (row["level"], row["reads"], row["writes"], row["after"]) == ("undeclared", ["*"], ["*"], [0])


def test_arguments_that_do_not_parse_are_the_reason_before_any_overlap(tmp_path: Path) -> None:
    write = ("write", {"path": "a", "text": "x"})
    judged = judge(calls(write, write, ("read", "{")).calls, Box(ordinary()), tmp_path)
    assert plan(judged, "batch", tmp_path).reason == "serial: arguments of #3 are not JSON"


def test_blank_arguments_count_as_an_empty_object(tmp_path: Path) -> None:
    """Cases a/2."""
    (judged,) = judge(calls(("noop", "  ")).calls, Box(ordinary()), tmp_path)
    assert (judged.failure, judged.arguments) == (None, {})


def test_outer_blanks_of_a_name_are_ignored(tmp_path: Path) -> None:
    """Cases a/17."""
    (judged,) = judge(calls((" noop ", {})).calls, Box(ordinary()), tmp_path)
    assert judged.failure is None


def test_a_tool_that_breaks_while_it_declares_is_a_failed_call_not_a_crash(tmp_path: Path) -> None:
    def broken(arguments: Any, folder: Path) -> Footprint:
        raise ZeroDivisionError("no such thing")

    tools = [*ordinary(), Plain("odd", broken, read_body)]
    judged = judge(calls(("noop", {}), ("odd", {})).calls, Box(tools), tmp_path)
    assert [call.failure for call in judged] == [
        None,
        "the tool could not say what it touches: ZeroDivisionError: no such thing",
    ]


def test_a_declaration_that_cannot_be_compared_counts_as_none(tmp_path: Path) -> None:
    tools = [Plain("odd", lambda arguments, folder: safe("src/a.py"), read_body)]
    (judged,) = judge(calls(("odd", {})).calls, Box(tools), tmp_path)
    assert (judged.footprint.level, judged.footprint.reads) == (Level.UNDECLARED, ("*",))


def test_the_printed_plan_has_the_shape_of_the_contract(tmp_path: Path) -> None:
    a = os.path.realpath(tmp_path / "a")
    judged = judge(calls(("read", {"path": "a"}), ("shell", {"path": "b"})).calls, Box(ordinary()), tmp_path)
    made = plan(judged, "batch", tmp_path)
    rows = [
        {
            "index": 0,
            "name": "read",
            "level": "scoped",
            "reads": [a],
            "writes": [],
            "after": [],
            "reason": "the first of a chain",
        },
        {
            "index": 1,
            "name": "shell",
            "level": "undeclared",
            "reads": ["*"],
            "writes": ["*"],
            "after": [0],
            "reason": "waits for #1: `b` is not known to be safe",
        },
    ]
    top = {"schedule": "batch", "parallel": False, "reason": "serial: `b` is not known to be safe"}
    assert made.as_dict() == {**top, "calls": rows}
    assert [row["id"] for row in made.as_dict(with_ids=True)["calls"]] == ["c1", "c2"]
