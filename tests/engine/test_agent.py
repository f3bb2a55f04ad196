"""Driving the agent: queue, pause, jobs between turns, closing. Every method returns at once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from hermes_tui.engine.errors import Interrupted, UsageError
from hermes_tui.engine.events import BatchPlanned, CallStarted, TurnFinished, TurnStarted
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message
from hermes_tui.engine.protocols import Answer, Request, Sink
from tests.engine.around import Script, calls
from tests.engine.kit import history_of, until, world
from tests.engine.tools import Plain, Stuck, touches_nothing


class Waiting:
    """An answer that comes when the test lets it, or when it is interrupted."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, request: Request, sink: Sink, token: Token) -> Answer:
        self.asked.set()
        token.future.add_done_callback(lambda _: self.go_on.set())
        self.go_on.wait(10)
        if token.is_set:
            raise Interrupted()
        return Answer(Message("assistant", "x"))


def test_prompts_run_in_order_and_wait_for_each_other(tmp_path: Path) -> None:
    first = Waiting()
    here = world(tmp_path, first, "two", "three")
    here.agent.submit("1")
    first.asked.wait(10)
    here.agent.submit("2")
    here.agent.submit("3")
    assert here.agent.busy
    assert here.agent.queued == ["2", "3"]
    first.go_on.set()
    here.wait(TurnFinished, 3)
    assert [event.prompt for event in here.of(TurnStarted)] == ["1", "2", "3"]
    assert not here.agent.busy


def test_an_interrupt_pauses_the_queue_until_the_user_sends_again(tmp_path: Path) -> None:
    first = Waiting()
    here = world(tmp_path, first)
    here.agent.submit("1")
    first.asked.wait(10)
    here.agent.submit("2")
    here.agent.submit("3")
    assert here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    assert not here.agent.busy
    assert here.agent.queued == ["2", "3"]
    assert here.agent.unqueue() == "3"
    here.agent.submit("4")
    here.wait(TurnFinished, 3)
    assert [event.prompt for event in here.of(TurnStarted)] == ["1", "2", "4"]
    assert here.agent.unqueue() is None


def test_the_next_prompt_after_an_interrupt_runs_at_once(tmp_path: Path) -> None:
    """Cases c/46."""
    here = world(tmp_path, calls(("sleep", {"seconds": 60})), "hello")
    here.agent.submit("go")
    here.wait(CallStarted)
    here.agent.interrupt()
    here.agent.submit("hi")
    assert here.wait(TurnFinished, 2).reason == "done"
    assert history_of(here.model)[-1] == Message("user", "hi")


def test_interrupting_when_idle_does_nothing(tmp_path: Path) -> None:
    here = world(tmp_path, "one", "two")
    assert not here.agent.interrupt()
    assert not here.agent.interrupt("c1")
    assert not here.agent.interrupt(force=True)
    assert here.turn().reason == "done"
    assert not here.agent.interrupt()
    assert here.turn().reason == "done"


def test_an_interrupt_right_behind_the_prompt_stops_its_turn(tmp_path: Path) -> None:
    for _ in range(50):
        here = world(tmp_path, "too late")
        here.agent.submit("go")
        assert here.agent.interrupt() or here.of(TurnFinished)
        here.wait(TurnFinished)
        assert here.types()[0] == "turn_started"
        assert here.types()[-1] == "turn_finished"
        here.agent.close()


def test_a_message_that_the_model_never_got_waits_as_a_prompt(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("sleep", {"seconds": 60})))
    here.agent.submit("go")
    here.wait(CallStarted)
    here.agent.submit("later")
    here.agent.steer("listen")
    here.agent.interrupt()
    here.wait(TurnFinished)
    assert here.agent.queued == ["listen", "later"]


def test_a_steer_when_idle_is_a_prompt(tmp_path: Path) -> None:
    here = world(tmp_path, "x")
    here.agent.steer("hi")
    assert here.wait(TurnStarted).prompt == "hi"
    here.wait(TurnFinished)


def test_jobs_run_between_turns_in_the_engine_thread(tmp_path: Path) -> None:
    first = Waiting()
    here = world(tmp_path, first, "two")
    here.agent.submit("1")
    first.asked.wait(10)
    here.agent.submit("2")
    order: list[str] = []

    def clear() -> int:
        order.append(threading.current_thread().name)
        order.append(f"{len(here.of(TurnFinished))} turns finished")
        count = len(here.agent.messages)
        here.agent.messages = []
        return count

    job = here.agent.do(clear)
    assert not job.done()
    first.go_on.set()
    assert job.result(10) == 2
    here.wait(TurnFinished, 2)
    assert order == ["engine", "1 turns finished"]
    assert history_of(here.model) == [Message("user", "2")]


def test_a_job_that_fails_tells_whoever_waits_and_the_engine_goes_on(tmp_path: Path) -> None:
    here = world(tmp_path, "x")
    failing = here.agent.do(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        failing.result(10)
    assert here.turn().reason == "done"


def test_another_provider_answers_from_the_next_turn_on(tmp_path: Path) -> None:
    first = Waiting()
    here = world(tmp_path, first, "old")
    other = Script("new")
    here.agent.submit("1")
    first.asked.wait(10)
    here.agent.set_provider(other)
    first.go_on.set()
    here.wait(TurnFinished)
    assert (len(here.model.requests), len(other.requests)) == (1, 0)
    here.turn("2")
    assert [m.content for m in other.requests[0].messages] == ["1", "x", "2"]
    assert here.agent.provider is other


def test_the_schedule_may_change_and_the_next_batch_uses_it(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("noop", {}), ("noop", {})), calls(("noop", {}), ("noop", {})), "x")

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        here.agent.schedule = "serial"
        return Answer(calls(("noop", {}), ("noop", {})))

    here.model.lines.insert(1, answer)
    here.turn()
    assert [event.plan["schedule"] for event in here.of(BatchPlanned)] == ["batch", "serial", "serial"]
    with pytest.raises(UsageError, match="batch, graph, serial"):
        here.agent.schedule = "fast"


def test_a_session_is_resumed_with_its_messages(tmp_path: Path) -> None:
    before = [Message("user", "a"), Message("assistant", "b")]
    here = world(tmp_path, "x", messages=before, session="s1")
    here.turn("c")
    assert history_of(here.model) == [*before, Message("user", "c")]
    assert here.of(TurnStarted)[0].session == here.agent.session == "s1"
    assert here.recorded == [Message("user", "c"), Message("assistant", "x")]


def test_closing_returns_at_once_though_a_call_is_stuck(tmp_path: Path) -> None:
    body = Stuck()
    here = world(
        tmp_path, calls(("stuck", {})), tools=[Plain("stuck", touches_nothing, body)], forced_grace=0.05
    )
    here.agent.submit("go")
    body.running.wait(10)
    here.agent.submit("never")
    job = here.agent.do(lambda: None)
    here.agent.close()
    assert here.model.closed
    assert here.wait(TurnFinished).reason == "interrupted"
    here.agent.submit("nor this")
    assert here.agent.do(lambda: None).cancelled()
    until(job.done)
    assert len(here.of(TurnStarted)) == 1
    body.let_go.set()


def test_closing_when_idle_ends_the_engine_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    here = world(tmp_path)
    (engine,) = set(threading.enumerate()) - before
    here.agent.close()
    until(lambda: not engine.is_alive())
