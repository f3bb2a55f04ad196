"""delegate_task: its arguments and what it declares; what its agents do is in tests/engine/test_delegates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.footprint import Level
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Delegates, Report, Task
from hermes_tui.tools.delegate_task import TOOL
from tests.tools.support import Session


class Workers:
    """Returns what was prepared, and keeps the tasks."""

    def __init__(self, *reports: Report) -> None:
        self.reports = list(reports)
        self.tasks: list[Task] = []

    def work(self, tasks: Sequence[Task]) -> list[Report]:
        self.tasks = list(tasks)
        return self.reports


def run(tmp_path: Path, workers: Workers, **arguments: Any) -> Result:
    session = Session(tmp_path)
    session.states[Delegates] = workers
    return session.run(TOOL, **arguments)


def test_one_goal_comes_back_as_it_was_said(tmp_path: Path) -> None:
    workers = Workers(Report("done", "three places"))
    assert run(tmp_path, workers, goal=" find it ", context="in src") == Result("three places", "1 of 1 done")
    assert workers.tasks == [Task("find it", "in src")]


def test_tasks_share_the_context_and_what_was_not_done_says_so(tmp_path: Path) -> None:
    workers = Workers(Report("done", "fine"), Report("limit", "half", "stopped after 50 batches"))
    result = run(
        tmp_path, workers, context="in src", tasks=[{"goal": "a"}, {"goal": "b", "context": "only b.py"}]
    )
    assert workers.tasks == [Task("a", "in src"), Task("b", "in src\nonly b.py")]
    assert result == Result(
        "Task 1 of 2: fine\n\nTask 2 of 2: not done: limit (stopped after 50 batches)\nhalf", "1 of 2 done"
    )


def test_nothing_done_is_a_failure(tmp_path: Path) -> None:
    assert run(tmp_path, Workers(Report("error", "", "no model")), goal="a") == Result(
        "not done: error (no model)", "0 of 1 done", ok=False
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "a goal is empty"),
        ({"goal": "  "}, "a goal is empty"),
        ({"tasks": [{"goal": "a"}, {"goal": ""}]}, "a goal is empty"),
        ({"goal": "a", "tasks": [{"goal": "b"}]}, "give either goal or tasks"),
        ({"tasks": [{"goal": str(n)} for n in range(4)]}, "4 tasks; 3 at once"),
        ({"tasks": "many"}, "delegate_task: tasks: "),
    ],
)
def test_bad_input_says_how_to_do_it_right(tmp_path: Path, arguments: dict[str, Any], said: str) -> None:
    assert said in Session(tmp_path).refused(TOOL, **arguments)


def test_it_is_alone_but_keeps_nothing_from_its_agents(tmp_path: Path) -> None:
    footprint = TOOL.footprint({"goal": "a"}, tmp_path)
    assert (footprint.level, footprint.reads, footprint.writes) == (Level.UNDECLARED, (), ())
    assert footprint.holds_nothing
    assert TOOL.preview({"goal": "a", "context": "b"}, tmp_path) == "a\nb"
