"""Waiting costs nothing: no spinning, heartbeats, slots that are free while a person thinks."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from hermes_tui.engine.events import (
    BatchPlanned,
    CallFinished,
    Heartbeat,
    QuestionAsked,
    TurnFinished,
)
from hermes_tui.engine.protocols import Result
from tests.engine.around import Person, calls
from tests.engine.kit import world
from tests.engine.tools import Plain, Stuck, anything, looks, touches_nothing


def test_waiting_out_the_grace_does_not_spin(tmp_path: Path) -> None:
    """A finished token left in the wait set means 377 000 wake-ups a second."""
    body = Stuck()
    here = world(tmp_path, calls(("stuck", {})), tools=[Plain("stuck", touches_nothing, body)], grace=1.0)
    before = here.agent.do(time.thread_time).result(10)
    here.agent.submit("go")
    body.running.wait(10)
    here.agent.interrupt()
    used = here.agent.do(time.thread_time).result(10) - before
    assert here.statuses() == {"c1": "abandoned"}
    assert used < 0.1
    body.let_go.set()


@pytest.mark.timeout(60)
def test_a_call_of_twelve_seconds_beats_at_five_and_ten(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("sleep", {"seconds": 12}), ("noop", {})))
    here.agent.submit("go")
    deadline = time.monotonic() + 30
    while not here.of(TurnFinished):
        assert time.monotonic() < deadline
        threading.Event().wait(0.05)
    began = here.of(BatchPlanned)[0].time
    beats = here.of(Heartbeat)
    assert [event.running for event in beats] == [["c1"], ["c1"]]
    assert [event.time - began for event in beats] == [pytest.approx(5, abs=0.3), pytest.approx(10, abs=0.3)]


def test_questions_do_not_use_up_slots(tmp_path: Path) -> None:
    """Eight open questions, and the ninth call runs."""
    here = world(
        tmp_path,
        calls(*[("gated", {"path": str(number)}) for number in range(8)], ("noop", {})),
        tools=[Plain("gated", looks, lambda arguments, call: Result("ran"))],
        permissions=Person(ask=["gated"]),
        max_parallel=8,
    )
    here.agent.submit("go")
    here.question(8)
    assert here.wait(CallFinished).id == "c9"
    assert [event.position for event in here.of(QuestionAsked)] == list(range(1, 9))
    for number in range(1, 9):
        here.agent.answer(here.question(number).id, "answered", scope="once")
    assert here.wait(TurnFinished).reason == "done"
    assert set(here.statuses().values()) == {"ok"}


def test_a_slot_is_free_while_a_tool_asks_and_taken_again_for_its_answer(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        calls(("ask", {}), ("noop", {})),
        max_parallel=1,
        schedule="graph",
    )
    here.agent.submit("go")
    question = here.question()
    assert here.wait(CallFinished).id == "c2"
    here.agent.answer(question.id, "answered", "a")
    here.wait(TurnFinished)
    assert here.statuses() == {"c1": "ok", "c2": "ok"}


def test_an_undeclared_call_runs_alone_in_a_graph(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        calls(("noop", {}), ("make", {}), ("noop", {}), ("make", {})),
        tools=[Plain("make", anything, lambda arguments, call: Result("made"))],
        schedule="graph",
    )
    here.turn()
    order = [
        (event.type, getattr(event, "id", "")) for event in here.events if event.type.startswith("call_")
    ]
    assert order.index(("call_finished", "c1")) < order.index(("call_started", "c2"))
    assert order.index(("call_finished", "c2")) < order.index(("call_started", "c3"))
    assert order.index(("call_finished", "c3")) < order.index(("call_started", "c4"))


def test_an_interrupt_ends_a_tool_that_asks(tmp_path: Path) -> None:
    """Cases c/37."""
    here = world(tmp_path, calls(("ask", {}), ("noop", {})))
    here.agent.submit("go")
    here.question()
    here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    assert here.statuses() == {"c1": "cancelled", "c2": "not_started"}
    assert here.result("c1").content == "interrupted by the user, no answer"
