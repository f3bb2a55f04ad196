"""Checkpoints of a batch: one for each group, before its first effect."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import CheckpointError
from hermes_tui.engine.events import (
    CallFinished,
    CheckpointMade,
    TurnFinished,
)
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import OpenCheckpoint, Result
from tests.engine.around import Journal, NoGit, calls
from tests.engine.kit import world
from tests.engine.tools import Plain


def test_calls_side_by_side_share_one_checkpoint_before_the_first_effect(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        calls(
            ("read", {"path": "r"}), *[("write", {"path": f"w{number}", "text": "x"}) for number in range(3)]
        ),
    )
    (tmp_path / "r").write_text("r")
    here.turn()
    assert here.journal.log[0].startswith("open 1: before write w")
    assert here.journal.log[-1] == "close 1"
    assert here.journal.made == 1
    (made,) = here.of(CheckpointMade)
    assert (made.number, made.files) == (1, 3)
    kinds = here.types()
    assert (
        kinds.index("checkpoint_made") < kinds.index("call_finished") or here.of(CallFinished)[0].id == "c1"
    )


def test_a_checkpoint_is_told_of_once_what_it_holds_is_safe_and_with_what_it_leaves_out(
    tmp_path: Path,
) -> None:
    class Leaky(Journal):
        def open(self, label: str, call: str) -> Any:
            opened = super().open(label, call)
            assert opened is not None
            opened.left_out = ["big.log (2.1 GB)"]
            return opened

    journal = Leaky()
    here = world(tmp_path, calls(("shell", {"path": "a", "text": "x"})), checkpoints=journal)
    here.turn()
    (made,) = here.of(CheckpointMade)
    assert made.not_covered == ["big.log (2.1 GB)"]
    assert made.seconds > 0
    assert journal.calls == ["c1"]


def test_a_checkpoint_that_nothing_was_saved_in_is_told_of_all_the_same(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("edit", {"path": "missing", "old": "1", "new": "2"})))
    here.turn()
    assert here.statuses() == {"c1": "failed"}
    assert (here.of(CheckpointMade)[0].number, here.journal.log[-1]) == (1, "close 1")


def test_calls_one_after_another_have_a_checkpoint_each(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        calls(
            ("write", {"path": "a", "text": "1"}),
            ("shell", {"path": "b", "text": "2"}),
            ("read", {"path": "a"}),
            ("write", {"path": "a", "text": "3"}),
        ),
    )
    here.turn()
    assert here.journal.log == [
        "open 1: before write a",
        "intent 1: a",
        "done 1: a",
        "close 1",
        "open 2: before shell",
        "scan 2: c2",
        "scanned 2: c2",
        "close 2",
        "open 3: before write a",
        "intent 3: a",
        "done 3: a",
        "close 3",
    ]


def test_calls_that_write_no_file_take_no_checkpoint(tmp_path: Path) -> None:
    def listed(arguments: Mapping[str, Any], folder: Path) -> Footprint:
        return Footprint(Level.UNDECLARED, ("state:todo",), ("state:todo",), why="it may change the list")

    here = world(
        tmp_path,
        calls(("todo", {}), ("noop", {}), ("nope", {})),
        tools=[Plain("todo", listed, lambda arguments, call: Result("listed"))],
    )
    here.turn()
    assert here.journal.log == []
    assert here.of(CheckpointMade) == []


def test_without_git_calls_still_write(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("write", {"path": "a", "text": "x"})), checkpoints=NoGit())
    here.turn()
    assert here.statuses() == {"c1": "ok"}
    assert (tmp_path / "a").read_text() == "x"
    assert here.of(CheckpointMade) == []


def test_a_checkpoint_that_cannot_be_made_lets_nothing_run(tmp_path: Path) -> None:
    class Full:
        def open(self, label: str, call: str) -> OpenCheckpoint | None:
            raise CheckpointError("the disk is full")

        def uncovered(self, footprint: Footprint) -> Sequence[str]:
            return ()

    here = world(tmp_path, calls(("write", {"path": "a", "text": "x"})), checkpoints=Full())
    here.turn()
    assert here.result("c1").status == "failed"
    assert here.result("c1").content == "no checkpoint could be made, so nothing was run: the disk is full"
    assert not (tmp_path / "a").exists()


def test_an_interrupt_while_the_checkpoint_is_made_keeps_the_tool_from_running(tmp_path: Path) -> None:
    making, go_on = threading.Event(), threading.Event()

    class Slow(Journal):
        def open(self, label: str, call: str) -> Any:
            making.set()
            go_on.wait(10)
            return super().open(label, call)

    here = world(tmp_path, calls(("shell", {"path": "a", "text": "x"})), checkpoints=Slow())
    here.agent.submit("go")
    making.wait(10)
    here.agent.interrupt()
    go_on.set()
    here.wait(TurnFinished)
    assert here.statuses() == {"c1": "cancelled"}
    assert not (tmp_path / "a").exists()
