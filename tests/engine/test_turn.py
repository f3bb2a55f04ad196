"""A turn: ask, run, repeat, and end in order whatever happens."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from hermes_tui.engine.errors import Interrupted, ProviderError
from hermes_tui.engine.events import (
    BatchPlanned,
    CallFinished,
    ContextChanged,
    MessageDone,
    Notice,
    TextDelta,
    ThinkingDelta,
    TurnFinished,
)
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, Usage
from hermes_tui.engine.protocols import Answer, Request, Sink
from hermes_tui.engine.validity import BROKE_OFF
from tests.engine.around import calls
from tests.engine.kit import history_of, until, world


def test_a_plain_answer_is_one_request_and_its_events_in_order(tmp_path: Path) -> None:
    here = world(tmp_path, "hello")
    finished = here.turn("hi")
    assert (finished.reason, finished.error) == ("done", None)
    assert here.types() == ["turn_started", "text_delta", "context_changed", "message_done", "turn_finished"]
    assert here.of(MessageDone)[0].message == {
        "role": "assistant",
        "content": "hello",
        "calls": [],
        "reasoning": "",
    }
    assert len(here.model.requests) == 1
    assert here.model.requests[0].system == "be brief"
    assert here.recorded == [Message("user", "hi"), Message("assistant", "hello")]


def test_after_a_batch_the_request_ends_with_its_tool_messages(tmp_path: Path) -> None:
    """Cases a/7, a/16."""
    here = world(tmp_path, calls(("noop", {}), ("nope", {}), ("noop", "{")), "done")
    here.turn()
    sent = history_of(here.model)
    assert [(m.role, m.call_id) for m in sent] == [
        ("user", None),
        ("assistant", None),
        ("tool", "c1"),
        ("tool", "c2"),
        ("tool", "c3"),
    ]
    assert sent[1].calls[2].arguments == "{}"
    assert here.recorded == [*sent, Message("assistant", "done")]


def test_the_prompt_is_recorded_before_the_model_is_asked(tmp_path: Path) -> None:
    """Cases c/40."""
    seen: list[list[Message]] = []

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        seen.append(list(here.recorded))
        return Answer(Message("assistant", "x"))

    here = world(tmp_path, answer)
    here.turn("keep this")
    assert seen == [[Message("user", "keep this")]]


def test_batches_are_numbered_through_the_session(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("noop", {})), calls(("noop", {})), "x", calls(("noop", {})))
    here.turn()
    here.turn()
    assert [event.batch for event in here.of(BatchPlanned)] == [1, 2, 3]
    assert [(event.batch, event.id) for event in here.of(CallFinished)] == [
        (1, "c1"),
        (2, "c1-2"),
        (3, "c1-3"),
    ]


def test_reasoning_is_kept_with_its_answer(tmp_path: Path) -> None:
    """Cases a/11."""

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        sink.thinking("let me see")
        return Answer(Message("assistant", "", calls(("noop", {})).calls, reasoning="let me see"))

    here = world(tmp_path, answer)
    here.turn()
    assert [event.text for event in here.of(ThinkingDelta)] == ["let me see"]
    assert history_of(here.model)[1].reasoning == "let me see"


# -- how turns end -------------------------------------------------------------------------------------


def test_an_interrupt_while_the_model_speaks_keeps_what_it_said(tmp_path: Path) -> None:
    """Cases a/10, c/46."""
    speaking = threading.Event()

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        sink.text("half an ")
        sink.text("answer")
        speaking.set()
        token.future.result(10)
        raise Interrupted()

    here = world(tmp_path, answer)
    here.agent.submit("go")
    speaking.wait(10)
    assert here.agent.interrupt()
    finished = here.wait(TurnFinished)
    assert (finished.reason, finished.error) == ("interrupted", None)
    assert here.of(MessageDone)[0].message["content"] == "half an answer"
    here.turn("hi")
    marked = f"half an answer\n{BROKE_OFF}"
    assert [message.content for message in history_of(here.model)] == ["go", marked, "hi"]


def test_an_interrupt_before_the_first_word_leaves_no_empty_answer(tmp_path: Path) -> None:
    asked = threading.Event()

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        asked.set()
        token.future.result(10)
        raise Interrupted()

    here = world(tmp_path, answer)
    here.agent.submit("go")
    asked.wait(10)
    here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    here.turn("hi")
    assert history_of(here.model) == [Message("user", "go"), Message("user", "hi")]


def test_an_answer_that_breaks_off_keeps_its_text_and_ends_with_one_line(tmp_path: Path) -> None:
    """Cases i/149, i/158: no retry after text was shown."""

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        sink.text("I will")
        raise ProviderError("the connection broke off; send a message to go on")

    here = world(tmp_path, answer)
    finished = here.turn()
    assert (finished.reason, finished.error) == (
        "error",
        "the connection broke off; send a message to go on",
    )
    assert [event.text for event in here.of(TextDelta)] == ["I will"]
    assert here.recorded[-1] == Message("assistant", "I will", broken=True)
    assert len(here.model.requests) == 1


def test_a_provider_that_breaks_ends_the_turn_with_one_line_and_the_next_one_works(tmp_path: Path) -> None:
    here = world(tmp_path, ValueError("bad\n  stuff"), "fine")
    finished = here.turn()
    assert (finished.reason, finished.error) == ("error", "the provider failed: ValueError: bad stuff")
    assert here.turn().reason == "done"


def test_a_part_that_breaks_ends_the_turn_with_one_line(tmp_path: Path) -> None:
    class Gone:
        def get(self, name: str) -> None:
            return None

        def schemas(self) -> list[object]:
            raise LookupError("no tools today")

    here = world(tmp_path, toolbox=Gone())
    finished = here.turn()
    assert (finished.reason, finished.error) == ("error", "LookupError: no tools today")
    assert here.types()[-1] == "turn_finished"


@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_answer_is_asked_for_again_and_then_is_an_error(empty: str, tmp_path: Path) -> None:
    """Cases i/154: bounded, visible, and no empty message in the history."""
    here = world(tmp_path, empty, empty, "at last")
    assert here.turn().reason == "done"
    assert len(here.model.requests) == 3
    here.model.lines = [Message("assistant", "", reasoning="only thoughts"), empty, empty]
    finished = here.turn("and now?")
    assert finished.reason == "error"
    assert finished.error is not None
    assert finished.error.startswith("the model sent an empty answer 3 times")
    here.turn("hi")
    assert [(m.role, m.content) for m in history_of(here.model)][2:] == [("user", "and now?"), ("user", "hi")]


def test_a_turn_ends_at_its_step_limit_with_every_call_answered(tmp_path: Path) -> None:
    here = world(tmp_path, *[calls(("noop", {}))] * 9, step_limit=3)
    finished = here.turn()
    assert finished.reason == "limit"
    assert finished.error == "stopped after 3 batches; send a message to go on"
    assert [m.role for m in here.recorded] == ["user", *["assistant", "tool"] * 3]


@pytest.mark.parametrize("call", [("nope", {}), ("read", "{"), ("", {})])
def test_the_same_impossible_call_again_and_again_ends_the_turn(
    call: tuple[str, object], tmp_path: Path
) -> None:
    """Cases a/2, a/17."""
    here = world(tmp_path, *[calls(call)] * 9)
    finished = here.turn()
    assert finished.reason == "limit"
    assert finished.error is not None
    assert finished.error.startswith("the model sent the same call 4 times in a row, and it cannot run:")
    assert len(here.model.requests) == 4


def test_different_mistakes_are_not_a_row(tmp_path: Path) -> None:
    here = world(tmp_path, *[calls(("nope", {"try": number})) for number in range(9)])
    assert here.turn().reason == "done"


# -- what else the model gets --------------------------------------------------------------------------


def test_a_message_sent_while_a_batch_runs_reaches_the_model_behind_its_results(tmp_path: Path) -> None:
    here = world(
        tmp_path, calls(("sleep", {"seconds": 0.2}), ("noop", {}), ("noop", {})), "I see", schedule="serial"
    )
    here.agent.submit("go")
    until(lambda: "call_started" in here.types())
    here.agent.steer("use the other file")
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses() == {"c1": "ok", "c2": "not_started", "c3": "not_started"}
    assert here.result("c2").content == "not started: the user sent a new message first"
    assert [(m.role, m.content) for m in history_of(here.model)][-2:] == [
        ("tool", "not started: the user sent a new message first"),
        ("user", "use the other file"),
    ]


def test_a_message_sent_while_the_model_speaks_comes_before_its_batch(tmp_path: Path) -> None:
    speaking, sent = threading.Event(), threading.Event()

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        speaking.set()
        sent.wait(10)
        return Answer(calls(("write", {"path": "x", "text": "x"})))

    here = world(tmp_path, answer)
    here.agent.submit("go")
    speaking.wait(10)
    here.agent.steer("stop, not x")
    sent.set()
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses() == {"c1": "not_started"}
    assert not (tmp_path / "x").exists()
    assert history_of(here.model)[-1] == Message("user", "stop, not x", kind="steer")


def test_a_message_sent_during_the_last_answer_makes_the_turn_go_on(tmp_path: Path) -> None:
    speaking, sent = threading.Event(), threading.Event()

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        speaking.set()
        sent.wait(10)
        return Answer(Message("assistant", "done"))

    here = world(tmp_path, answer, "also done")
    here.agent.submit("go")
    speaking.wait(10)
    here.agent.steer("one more thing")
    sent.set()
    here.wait(TurnFinished)
    assert [m.content for m in history_of(here.model)] == ["go", "done", "one more thing"]
    assert len(here.of(TurnFinished)) == 1


# -- how full the context is ---------------------------------------------------------------------------


def test_the_servers_count_is_used_when_it_sends_one(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("noop", {})), "x", context=8000)
    here.model.usage = Usage(100, 20)
    here.turn()
    assert [(event.tokens, event.limit, event.cost) for event in here.of(ContextChanged)] == [
        (120, 8000, None)
    ] * 2
    assert here.agent.usage == Usage(200, 40)


def test_an_estimate_of_four_characters_a_token_is_used_until_then(tmp_path: Path) -> None:
    here = world(tmp_path, "y" * 4000)
    here.turn("x" * 4000)
    (event,) = here.of(ContextChanged)
    assert 2000 <= event.tokens < 2400
    assert here.agent.usage is None


def test_what_the_provider_says_reaches_the_user(tmp_path: Path) -> None:
    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        sink.notice("warning", "retrying in 2 s")
        return Answer(Message("assistant", "x"))

    here = world(tmp_path, answer)
    here.turn()
    assert [(event.level, event.text) for event in here.of(Notice)] == [("warning", "retrying in 2 s")]
