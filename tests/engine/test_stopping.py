"""Interrupts: what has not started never starts, what runs is told, the rest goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.engine.callstate import CallState, Outcome
from hermes_tui.engine.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    TurnFinished,
)
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import judge
from hermes_tui.engine.outbox import Outbox
from hermes_tui.engine.plan import plan
from hermes_tui.engine.protocols import Call, Result
from tests.engine.around import calls
from tests.engine.kit import World, history_of, world
from tests.engine.tools import Box, Plain, ordinary, touches_nothing


def test_an_interrupt_between_the_second_and_third_of_five_leaves_three_not_started(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        calls(("noop", {}), ("stop", {}), ("noop", {}), ("noop", {}), ("noop", {})),
        tools=[Plain("stop", touches_nothing, lambda arguments, call: interrupting(here))],
        schedule="serial",
    )

    def interrupting(here: World) -> Result:
        here.agent.interrupt()
        return Result("stopped it")

    assert here.turn().reason == "interrupted"
    assert list(here.statuses().values()) == ["ok", "ok", "not_started", "not_started", "not_started"]
    assert [event.id for event in here.of(CallStarted)] == ["c1", "c2"]
    # the next prompt goes out with one result for each call
    here.turn("hi")
    assert [m.role for m in history_of(here.model)] == ["user", "assistant", *["tool"] * 5, "user"]
    assert [call_id for call_id, _ in here.results()] == ["c1", "c2", "c3", "c4", "c5"]


def test_a_running_call_is_cancelled_with_its_output_so_far(tmp_path: Path) -> None:
    """Cases c/34, a/10."""
    here = world(tmp_path, calls(("sleep", {}), ("shell", {"path": "x", "text": "y"})))
    here.agent.submit("go")
    here.wait(CallOutput)
    assert here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    assert here.statuses() == {"c1": "cancelled", "c2": "not_started"}
    assert here.result("c1").content == "sleeping\n[interrupted]"
    assert here.result("c2").content == "not started: interrupted by the user before it began"
    assert not (tmp_path / "x").exists()


class Ticker:
    """A body that tells when it has run often enough."""

    def __init__(self, enough: int) -> None:
        self.enough = threading.Event()
        self._left = enough

    def __call__(self, arguments: Mapping[str, Any], call: Call) -> Result:
        self._left -= 1
        if self._left <= 0:
            self.enough.set()
        return Result("tick")


def test_no_call_starts_after_the_interrupt_in_200_tries(tmp_path: Path) -> None:
    batch = calls(*[("tick", {})] * 64)
    for attempt in range(200):
        ticker = Ticker(attempt % 40)
        here = world(tmp_path, batch, tools=[Plain("tick", touches_nothing, ticker)])
        here.agent.submit("go")
        assert ticker.enough.wait(10)
        here.agent.interrupt()
        interrupted_at = time.time()
        reason = here.wait(TurnFinished).reason
        here.agent.close()
        assert max(event.time for event in here.of(CallStarted)) <= interrupted_at
        assert len(here.of(CallFinished)) == 64
        if reason == "interrupted":
            assert set(here.statuses().values()) <= {"ok", "not_started", "cancelled"}


def test_a_call_that_was_stopped_cannot_be_marked_started(tmp_path: Path) -> None:
    judged = judge(calls(("noop", {}), ("noop", {})).calls, Box(ordinary()), tmp_path)
    first, second = plan(judged, "batch", tmp_path).calls
    box, token = Outbox(), Token()
    started, stopped = CallState(first, 1, token.child(), box), CallState(second, 1, token.child(), box)
    assert started.start()
    token.set()
    assert not stopped.start()
    assert started.finish(Outcome("ok", "done"))
    assert not started.finish(Outcome("failed", "again"))
    assert stopped.finish(stopped.not_started())
    started.output("late")
    assert [(event.type, getattr(event, "status", "")) for event in box.drain()] == [
        ("call_started", ""),
        ("call_finished", "ok"),
        ("call_finished", "not_started"),
    ]


def test_one_call_can_be_stopped_alone_and_the_turn_goes_on(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("sleep", {}), ("sleep", {"seconds": 0.05}), ("noop", {})))
    here.agent.submit("go")
    here.wait(CallStarted, 3)
    assert here.agent.interrupt("c1")
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses() == {"c1": "cancelled", "c2": "ok", "c3": "ok"}
    assert here.result("c1").content == "sleeping\n[stopped by the user]"
    assert not here.agent.interrupt("c1")


def test_a_call_that_waits_can_be_stopped_before_it_begins(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("sleep", {"seconds": 0.2}), ("noop", {}), ("noop", {})), schedule="serial")
    here.agent.submit("go")
    here.wait(CallStarted)
    assert here.agent.interrupt("c2")
    assert here.wait(CallFinished).status == "not_started"
    here.wait(TurnFinished)
    assert here.statuses() == {"c1": "ok", "c2": "not_started", "c3": "ok"}
