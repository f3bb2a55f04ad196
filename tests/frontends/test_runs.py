"""The model of batches: main arguments, outcomes, bounded memory. And what an interrupt left, in words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine import events as ev
from hermes_tui.engine.errors import CheckpointError
from hermes_tui.frontends.receipt import Effects, effects, receipt
from hermes_tui.frontends.runs import ALL_TEXT, CALL_TEXT, Batch, Runs, cut, main_argument
from tests.frontends.standin import Step, plan

FOLDER = Path("/work/shop")

ARGUMENTS = [
    ({"path": "src/a.py", "content": "x\ny"}, "src/a.py"),
    ({"mode": "replace", "path": "a.py", "old_string": "x"}, "a.py"),
    ({"command": "ls -l\nrm x", "workdir": "/"}, "ls -l⏎rm x"),
    ({"pattern": "open\\(", "path": "src"}, "open\\("),
    ({"entity": "light.kitchen", "state": "on"}, "light.kitchen"),
    ({"todos": [1, 2], "merge": True}, ""),
    ({}, ""),
    ('{"path": "b.py"}', "b.py"),
    ("{not json", "{not json"),
    ({"path": "\x1b[2Jevil"}, "evil"),
]


@pytest.mark.parametrize(("arguments", "said"), ARGUMENTS)
def test_the_argument_that_says_most_is_shown(arguments: dict[str, Any] | str, said: str) -> None:
    assert main_argument(arguments, {}, FOLDER) == said


def test_declared_files_stand_in_for_a_text_of_many_lines() -> None:
    arguments = {"mode": "patch", "patch": "*** Begin Patch\n*** Update File: a.py\n"}
    item = {"writes": ["/work/shop/src/a.py", "/etc/hosts"], "reads": []}
    assert main_argument(arguments, item, FOLDER) == "src/a.py /etc/hosts"


def started(steps: list[Step], **planned: Any) -> tuple[Runs, Batch]:
    runs = Runs(FOLDER)
    calls = [{"id": i, "name": n, "arguments": a} for i, n, a in steps]
    runs.message(ev.MessageDone(message={"role": "assistant", "content": "", "calls": calls}))
    values = {"parallel": True, "reason": "parallel: all only read", **planned}
    batch = runs.planned(ev.BatchPlanned(batch=1, plan=plan(steps, **values), time=100.0))
    return runs, batch


def test_a_call_goes_from_planned_to_its_outcome() -> None:
    runs, batch = started([("a", "read_file", {"path": "x"})])
    call = batch.calls["a"]
    assert (call.state, call.main, call.seconds(200)) == ("planned", "x", None)
    runs.waiting(ev.CallWaiting(batch=1, id="a", why="waits for your answer"))
    assert call.why == "waits for your answer"
    runs.started(ev.CallStarted(batch=1, id="a", name="read_file", arguments={"path": "x"}, time=101.0))
    assert (call.state, call.why, call.seconds(103)) == ("running", "", 2.0)
    runs.output(ev.CallOutput(batch=1, id="a", text="one\ntwo \x1b[31mred\n\n"))
    assert call.last_line == "two red"
    end = ev.CallFinished(
        batch=1, id="a", status="ok", content="all", display="2 lines", seconds=1.5, time=102.5
    )
    runs.finished(end)
    assert (call.state, call.text, call.display, call.seconds(999)) == ("ok", "all", "2 lines", 1.5)


def test_events_of_an_unknown_call_change_nothing() -> None:
    runs, _ = started([("a", "t", {})])
    assert runs.output(ev.CallOutput(batch=9, id="a", text="x")) is None
    assert runs.started(ev.CallStarted(batch=1, id="b", name="t", arguments={})) is None


def test_modes_are_said_in_words() -> None:
    two: list[Step] = [("a", "t", {}), ("b", "t", {})]
    assert started(two)[1].title == "2 side by side · all only read"
    serial = started(
        two, parallel=False, reason="serial: both touch x", after={1: "waits for #1: both touch x"}
    )
    assert serial[1].title == "2 one after another · both touch x"
    assert serial[1].calls["b"].why == "waits for #1: both touch x"
    assert started([("a", "t", {})], parallel=False, reason="one call")[1].title == "1 call · one call"


def test_the_time_saved_is_said_when_it_is_over() -> None:
    runs, batch = started([("a", "t", {}), ("b", "t", {})])
    for call in batch.calls.values():
        call.state = "ok"
    runs.batch_finished(ev.BatchFinished(batch=1, seconds=0.6, serial_seconds=2.4))
    assert batch.title == "2 side by side · 0.6 s instead of 2.4 s"


def test_the_output_of_many_calls_stays_within_a_bound() -> None:
    """Cases g/122: 200 calls with 500 kB each."""
    steps: list[Step] = [(f"c{n}", "t", {}) for n in range(200)]
    runs, batch = started(steps)
    for step in steps:
        runs.output(ev.CallOutput(batch=1, id=step[0], text="y" * 16_000))
        runs.finished(
            ev.CallFinished(batch=1, id=step[0], status="ok", content="x" * 500_000, display="", seconds=0)
        )
    lengths = [len(call.text) for call in batch.calls.values()]
    assert sum(lengths) <= ALL_TEXT + CALL_TEXT
    assert max(lengths) <= CALL_TEXT + 100
    assert lengths[-1] > 200_000 > 3_000 > lengths[0]


def test_a_cut_text_keeps_its_ends_however_often_it_is_cut() -> None:
    text = "start" + "m" * 1_000
    for _ in range(50):
        text = cut(text + "z" * 100 + "end", 500)
    assert text.startswith("start")
    assert text.endswith("end")
    assert len(text) < 600


def test_a_receipt_tells_what_became_of_every_call_and_which_files_changed() -> None:
    runs, batch = started([(f"c{n}", "t", {}) for n in range(6)])
    states = ("ok", "failed", "cancelled", "not_started", "not_started", "abandoned")
    for call, state in zip(batch.calls.values(), states, strict=True):
        call.state, call.printed = state, state == "cancelled"
    assert receipt(4.2, [batch], ["src/a.py +3 −1"]) == [
        "Interrupted by you after 4.2 s",
        "2 finished · 1 cancelled (output kept) · 2 never started · 1 unknown",
        "changed so far: src/a.py +3 −1",
        "/rollback brings them back",
    ]
    assert receipt(0.1, [], []) == ["Interrupted by you after 0.1 s"]
    assert receipt(1, [batch], [])[-1] == "no file has changed"
    assert receipt(1, [batch], None)[-1] == "files may have changed; no checkpoint was taken"
    assert receipt(1, [], [], ["p1 npm run [dev]\nx"])[-1] == "goes on in the background: p1 npm run [dev]⏎x"
    assert runs.batches == [batch]


@dataclass
class File:
    path: str
    added: int
    removed: int


@dataclass
class Point:
    number: int
    files: tuple[File, ...]


class Store:
    """Four checkpoints, newest first."""

    def list(self) -> list[Point]:
        return [
            Point(4, ()),
            Point(3, (File("b\n.py", 2, 0),)),
            Point(2, (File("a.py", 3, 1),)),
            Point(1, (File("z", 9, 9),)),
        ]


class NoStore:
    """Rollback is off."""

    def list(self) -> list[Point]:
        raise CheckpointError("no git")


def test_changed_files_come_from_the_checkpoints_of_the_turn() -> None:
    runs, batch = started([("a", "t", {})])
    for number in (2, 3):
        runs.checkpoint(ev.CheckpointMade(number=number, label="before t", files=0))
    found = effects([batch], Store())
    assert found == Effects(["a.py (+3 −1)", "b⏎.py (+2 −0)"], batch)
    assert found.checkpoint == 2


def test_a_batch_that_changed_nothing_has_no_way_back() -> None:
    runs, batch = started([("a", "t", {})])
    runs.checkpoint(ev.CheckpointMade(number=4, label="before t", files=0))
    assert effects([batch], Store()) == Effects([])
    assert Effects([]).checkpoint == 0


def test_without_checkpoints_the_declarations_tell_and_an_undeclared_call_leaves_it_open() -> None:
    runs, batch = started([("a", "t", {}), ("b", "t", {})])
    a, b = batch.calls.values()
    a.writes, a.started, a.state = ("x.py",), 1.0, "ok"
    assert effects([batch], NoStore()) == Effects(["x.py"])
    runs.checkpoint(ev.CheckpointMade(number=7, label="before t", files=0))
    assert effects([batch], NoStore()) == Effects(["x.py"])
    b.anything = True
    assert effects([batch], None) == Effects(["x.py"]), "it has not started"
    b.started = 1.0
    assert effects([batch], None) == Effects(None)


def test_calls_that_were_cut_short_save_no_time() -> None:
    runs, batch = started([("a", "t", {}), ("b", "t", {})])
    batch.calls["a"].state = "cancelled"
    runs.batch_finished(ev.BatchFinished(batch=1, seconds=0.6, serial_seconds=2.4))
    assert batch.title == "2 side by side · 0.6 s"
