"""What a call touches is computed again when it starts, and compared once more."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.engine.events import (
    BatchPlanned,
    CallWaiting,
    TurnFinished,
)
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Call, Pending, Result, Verdict
from tests.engine.around import Person, calls
from tests.engine.kit import world
from tests.engine.tools import Plain, path_of, reads


def test_the_footprint_is_computed_again_when_the_call_starts(tmp_path: Path) -> None:
    """A link that an earlier call of the batch made leads the checkpoint and the permission, too."""
    seen: list[tuple[str, ...]] = []

    class Watching(Person):
        def judge(self, call: Pending) -> Verdict:
            if call.name == "write":
                seen.append(call.footprint.writes)
            return super().judge(call)

    (tmp_path / "real").mkdir()

    def link(arguments: Mapping[str, Any], call: Call) -> Result:
        (tmp_path / "sub").symlink_to(tmp_path / "real")
        return Result("linked")

    def anywhere(arguments: Mapping[str, Any], folder: Path) -> Footprint:
        return Footprint(Level.UNDECLARED, ("*",), ("*",), why="it makes a link")

    here = world(
        tmp_path,
        calls(("link", {}), ("write", {"path": "sub/x", "text": "x"})),
        tools=[Plain("link", anywhere, link)],
        permissions=Watching(),
    )
    here.turn()
    assert seen == [(os.path.realpath(tmp_path) + "/real/x",)]
    assert (tmp_path / "real" / "x").read_text() == "x"


def test_a_footprint_that_changes_while_a_person_is_asked_is_asked_about_again(tmp_path: Path) -> None:
    """Cases l/179: consent is bound to what was shown."""
    (tmp_path / "shown").mkdir()
    (tmp_path / "hidden").mkdir()
    (tmp_path / "sub").symlink_to(tmp_path / "shown")
    here = world(
        tmp_path, calls(("write", {"path": "sub/x", "text": "x"})), permissions=Person(ask=["write"])
    )
    here.agent.submit("go")
    first = here.question(1)
    (tmp_path / "sub").unlink()
    (tmp_path / "sub").symlink_to(tmp_path / "hidden")
    here.agent.answer(first.id, "answered", scope="once")
    second = here.question(2)
    assert not (tmp_path / "hidden" / "x").exists()
    here.agent.answer(second.id, "answered", "no")
    here.wait(TurnFinished)
    assert here.statuses() == {"c1": "denied"}
    assert list((tmp_path / "hidden").iterdir()) == []


def test_calls_whose_footprints_came_to_overlap_do_not_run_at_the_same_time(tmp_path: Path) -> None:
    """What two calls touch is compared once more when they start."""
    declared: list[str] = []
    inside: list[str] = []
    most: list[int] = []

    def shifting(arguments: Mapping[str, Any], folder: Path) -> Footprint:
        declared.append(arguments["path"])
        name = arguments["path"] if len(declared) <= 2 else "same"  # the first two are the plan's
        return Footprint(Level.SCOPED, writes=(path_of({"path": name}, folder),))

    def body(arguments: Mapping[str, Any], call: Call) -> Result:
        inside.append(call.id)
        most.append(len(inside))
        threading.Event().wait(0.05)
        inside.remove(call.id)
        return Result("done")

    here = world(
        tmp_path,
        calls(("shift", {"path": "a"}), ("shift", {"path": "b"})),
        tools=[Plain("shift", shifting, body)],
    )
    here.turn()
    assert here.of(BatchPlanned)[0].plan["parallel"]
    assert here.statuses() == {"c1": "ok", "c2": "ok"}
    assert most == [1, 1]
    assert [event.why for event in here.of(CallWaiting)] == ["waits for #1 (shift, batch 1)"]


def test_reads_are_not_held_against_reads(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    met = threading.Barrier(2)

    def body(arguments: Mapping[str, Any], call: Call) -> Result:
        met.wait(10)
        return Result("met")

    here = world(
        tmp_path,
        calls(("peek", {"path": "a"}), ("peek", {"path": "a"})),
        tools=[Plain("peek", reads, body)],
        schedule="graph",
    )
    here.turn()
    assert here.statuses() == {"c1": "ok", "c2": "ok"}
