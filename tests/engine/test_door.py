"""The one door to the disk: declared, fresh, atomic, never after an interrupt."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.events import (
    CallFinished,
    Notice,
    TurnFinished,
)
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Call, Result
from tests.engine.around import Journal, calls, sha
from tests.engine.kit import until, world
from tests.engine.tools import Plain, edits, write_body, writes


def save_by_hand(path: Path) -> None:
    path.write_text("v2 by the user")


@pytest.mark.parametrize("late", [False, True])
def test_an_edit_is_refused_when_the_file_changed_since_it_was_read(late: bool, tmp_path: Path) -> None:
    """Cases b/26: also when it changes between the first check and the rename."""
    path = tmp_path / "a"
    path.write_text("v1")

    def edit(arguments: Mapping[str, Any], call: Call) -> Result:
        before = path.read_bytes()
        if not late:
            save_by_hand(path)
        call.replace(path, b"v1 edited", sha(before))
        return Result("edited")

    here = world(
        tmp_path,
        calls(("change", {"path": "a"})),
        tools=[Plain("change", edits, edit)],
        checkpoints=Journal(meanwhile=save_by_hand),
    )
    here.turn()
    assert here.result("c1").status == "failed"
    assert (
        here.result("c1").content == f"{path} changed since you read it; nothing was written. Read it again."
    )
    assert path.read_text() == "v2 by the user"
    assert [name.name for name in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("there", "expected", "words"),
    [("x", "absent", "exists by now"), (None, sha(b"old"), "is gone since you read it")],
)
def test_a_file_that_came_or_went_is_no_base_for_a_write(
    there: str | None, expected: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    if there is not None:
        path.write_text(there)

    def body(arguments: Mapping[str, Any], call: Call) -> Result:
        call.replace(path, b"new", expected)
        return Result("written")

    here = world(tmp_path, calls(("make", {"path": "a"})), tools=[Plain("make", writes, body)])
    here.turn()
    assert words in here.result("c1").content
    assert (path.read_text() if path.exists() else None) == there


def test_a_call_writes_only_what_it_declared(tmp_path: Path) -> None:
    """Cases l/178, l/179: a link that was swapped after the declaration leads nowhere either."""
    outside = tmp_path / "outside"
    outside.mkdir()
    inside = tmp_path / "inside"
    inside.mkdir()

    def body(arguments: Mapping[str, Any], call: Call) -> Result:
        if arguments["how"] == "other":
            call.replace(inside / "other", b"x", None)
        elif arguments["how"] == "swap":
            (inside / "sub").symlink_to(outside)
            call.replace(inside / "sub" / "x", b"x", None)
        else:
            call.replace(inside / "ab" / ".." / "ab2", b"x", None)
        return Result("written")

    def declared(arguments: Mapping[str, Any], folder: Path) -> Footprint:
        return Footprint(Level.SCOPED, writes=(str(inside / "sub"), str(inside / "ab")))

    here = world(
        tmp_path,
        calls(*[("sneaky", {"how": how}) for how in ("other", "swap", "dots")]),
        tools=[Plain("sneaky", declared, body)],
        schedule="serial",
    )
    here.turn()
    assert [event.status for event in here.of(CallFinished)] == ["failed"] * 3
    assert "is not among the paths this call declared; nothing was written" in here.result("c1").content
    assert list(outside.iterdir()) == []
    assert [path.name for path in inside.iterdir()] == ["sub"]


def test_removing_a_link_removes_the_link(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("kept")
    link = tmp_path / "link"
    link.symlink_to(target)

    def body(arguments: Mapping[str, Any], call: Call) -> Result:
        call.replace(link, None, None)
        return Result("removed")

    def declared(arguments: Mapping[str, Any], folder: Path) -> Footprint:
        return Footprint(Level.UNDECLARED, (), (os.path.realpath(tmp_path) + "/link",), why="removes a link")

    here = world(tmp_path, calls(("remove", {})), tools=[Plain("remove", declared, body)])
    here.turn()
    assert here.statuses() == {"c1": "ok"}
    assert not link.is_symlink()
    assert target.read_text() == "kept"


def test_an_interrupt_between_staging_and_rename_leaves_the_old_file(tmp_path: Path) -> None:
    """Cases b/23: the old content or the new, and nothing beside it."""
    (tmp_path / "a").write_text("old")
    here = world(
        tmp_path,
        calls(("write", {"path": "a", "text": "new"})),
        checkpoints=Journal(meanwhile=lambda path: interrupting()),
    )

    def interrupting() -> None:
        here.agent.interrupt()

    assert here.turn().reason == "interrupted"
    assert here.statuses() == {"c1": "cancelled"}
    assert (tmp_path / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_late_write_of_an_abandoned_call_never_lands(tmp_path: Path) -> None:
    running, go_on = threading.Event(), threading.Event()

    def stuck(arguments: Mapping[str, Any], call: Call) -> Result:
        running.set()
        go_on.wait(10)
        return write_body(arguments, call)

    here = world(
        tmp_path,
        calls(("stuck", {"path": "a", "text": "late"})),
        tools=[Plain("stuck", writes, stuck)],
        grace=0.05,
    )
    here.agent.submit("go")
    running.wait(10)
    here.agent.interrupt()
    here.wait(TurnFinished)
    assert here.statuses() == {"c1": "abandoned"}
    go_on.set()
    notice = here.wait(Notice)
    assert notice.text.startswith("#1 (stuck, batch 1) has ended after all: cancelled:")
    assert not (tmp_path / "a").exists()
    # its checkpoint is closed when it has really ended
    until(lambda: here.journal.log == ["open 1: before stuck a", "close 1"])
