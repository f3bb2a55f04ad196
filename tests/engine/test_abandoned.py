"""Calls that do not stop: given up, said so, held against others until they end."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.engine.events import (
    CallFinished,
    CallOutput,
    Heartbeat,
    Notice,
    TurnFinished,
)
from hermes_tui.engine.protocols import Call, Pending, Result
from tests.engine.around import calls
from tests.engine.kit import history_of, until, world
from tests.engine.tools import Plain, Stuck, touches_nothing, writes


def test_a_call_that_does_not_stop_is_given_up_and_its_result_says_so(tmp_path: Path) -> None:
    body = Stuck()
    here = world(
        tmp_path,
        calls(("stuck", {"path": "a"})),
        calls(("read", {"path": "b"}), ("read", {"path": "a"}), ("write", {"path": "sub/c", "text": "x"})),
        tools=[Plain("stuck", writes, body)],
        grace=0.2,
        schedule="graph",
    )
    (tmp_path / "b").write_text("b")
    (tmp_path / "sub").mkdir()
    here.agent.submit("go")
    body.running.wait(10)
    here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    assert here.statuses() == {"c1": "abandoned"}
    assert "outcome is unknown" in here.result("c1").content
    assert "may still be writing" in here.result("c1").content

    # in the next batch, too, what conflicts with it is not started, and the rest runs
    here.turn("again")
    found = {event.id: event for event in here.of(CallFinished)}
    assert {key: event.status for key, event in found.items()} == {
        "c1": "abandoned",
        "c1-2": "ok",
        "c2": "not_started",
        "c3": "ok",
    }
    assert found["c2"].content == "not started: #1 may still be writing (stuck, batch 1)"

    # when it ends, the user and the model learn what came of it, and its paths are free
    body.let_go.set()
    notice = here.wait(Notice)
    assert notice.text == ("#1 (stuck, batch 1) has ended after all: ok: late result")
    (tmp_path / "a").write_text("free")
    here.model.lines = [calls(("read", {"path": "a"}))]
    here.turn("once more")
    assert here.of(CallFinished)[-1].content == "free"
    notes = [
        m.content for m in history_of(here.model) if m.role == "user" and "note by the program" in m.content
    ]
    assert notes == [f"[note by the program, not by the user: {notice.text}]"]
    assert [event.status for event in here.of(CallFinished) if event.id == "c1"] == ["abandoned"]


def test_insisting_shortens_the_grace(tmp_path: Path) -> None:
    body = Stuck()
    here = world(
        tmp_path,
        calls(("stuck", {})),
        tools=[Plain("stuck", touches_nothing, body)],
        grace=60,
        forced_grace=0.05,
    )
    here.agent.submit("go")
    body.running.wait(10)
    here.agent.interrupt()
    threading.Event().wait(0.2)  # the engine waits out the grace by now
    here.agent.interrupt(force=True)
    assert here.wait(TurnFinished).reason == "interrupted"
    assert here.statuses() == {"c1": "abandoned"}
    assert here.of(Heartbeat) == []  # insisting itself woke the engine
    body.let_go.set()


def test_a_call_has_a_deadline_and_its_siblings_go_on(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("sleep", {}), ("noop", {})), tools=[], deadline=0.1, schedule="serial")
    assert here.turn().reason == "done"
    assert here.statuses() == {"c1": "cancelled", "c2": "ok"}
    assert here.result("c1").content == "sleeping\n[interrupted: stopped: it ran longer than 0.1 s]"


def test_a_call_that_starts_late_has_its_deadline_from_then_on(tmp_path: Path) -> None:
    class Slow:
        def check(self, call: Pending) -> str | None:
            threading.Event().wait(0.2)
            return None

    here = world(tmp_path, calls(("sleep", {})), guards=[Slow()], deadline=0.1)
    here.turn()
    assert here.statuses() == {"c1": "cancelled"}
    assert here.result("c1").seconds >= 0.1
    assert here.of(Heartbeat) == []  # the start woke the engine, which slept until the first beat


def test_the_deadline_does_not_run_while_a_person_is_asked(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("ask", {})), deadline=0.2)
    here.agent.submit("go")
    question = here.question()
    threading.Event().wait(0.5)  # more than twice its time, with the question open
    assert here.agent.answer(question.id, "answered", "b")
    here.wait(TurnFinished)
    assert here.result("c1").content == "answered: b"


def test_a_call_given_up_at_its_deadline_holds_back_what_conflicts_in_the_same_batch(tmp_path: Path) -> None:
    body = Stuck()
    here = world(
        tmp_path,
        calls(("stuck", {"path": "a"}), ("read", {"path": "a"}), ("noop", {})),
        tools=[Plain("stuck", writes, body)],
        deadline=0.05,
        grace=0.05,
    )
    here.turn()
    assert here.statuses() == {"c1": "abandoned", "c2": "not_started", "c3": "ok"}
    assert here.result("c2").content == "not started: #1 may still be writing (stuck, batch 1)"
    assert here.of(Heartbeat) == []  # the deadline itself woke the engine
    body.let_go.set()


def test_with_more_than_eight_abandoned_calls_no_further_one_starts(tmp_path: Path) -> None:
    bodies = [Stuck() for _ in range(9)]
    tools = [Plain(f"stuck{number}", touches_nothing, body) for number, body in enumerate(bodies)]
    here = world(
        tmp_path,
        calls(*[(tool.name, {}) for tool in tools]),
        calls(("noop", {})),
        tools=tools,
        grace=0.05,
        max_parallel=9,
    )
    here.agent.submit("go")
    for body in bodies:
        body.running.wait(10)
    here.agent.interrupt()
    here.wait(TurnFinished)
    assert list(here.statuses().values()) == ["abandoned"] * 9
    here.turn("again")
    last = here.of(CallFinished)[-1]
    assert last.status == "not_started"
    assert last.content.startswith("not started: 9 calls did not stop and may still be running")
    for body in bodies:
        body.let_go.set()
    until(lambda: len(here.of(Notice)) == 9)
    here.model.lines = [calls(("noop", {}))]
    here.turn("and again")
    assert here.of(CallFinished)[-1].status == "ok"


def test_an_abandoned_call_gives_its_slot_back(tmp_path: Path) -> None:
    body = Stuck()
    here = world(
        tmp_path,
        calls(("stuck", {}), ("noop", {})),
        tools=[Plain("stuck", touches_nothing, body)],
        deadline=0.05,
        grace=0.05,
        max_parallel=1,
    )
    here.turn()
    assert here.statuses() == {"c1": "abandoned", "c2": "ok"}
    body.let_go.set()
    here.wait(Notice)
    here.model.lines = [calls(("noop", {}))]
    here.turn("again")
    assert here.of(CallFinished)[-1].status == "ok"


def test_output_of_an_abandoned_call_is_not_shown_after_its_end(tmp_path: Path) -> None:
    go_on = threading.Event()
    running = threading.Event()

    def talks(arguments: Mapping[str, Any], call: Call) -> Result:
        running.set()
        go_on.wait(10)
        call.output("too late")
        return Result("x")

    here = world(tmp_path, calls(("talks", {})), tools=[Plain("talks", touches_nothing, talks)], grace=0.05)
    here.agent.submit("go")
    running.wait(10)
    here.agent.interrupt()
    here.wait(TurnFinished)
    go_on.set()
    here.wait(Notice)
    assert here.of(CallOutput) == []
