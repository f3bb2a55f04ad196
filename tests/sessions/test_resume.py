"""Whatever moment a crash comes at, the session goes on, and what was left open says what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.engine import events as ev
from hermes_tui.engine.history import History, resumed
from hermes_tui.engine.messages import Message
from hermes_tui.engine.validity import NO_RESULT
from hermes_tui.sessions.export import replayable
from hermes_tui.sessions.resume import ENDED, NOT_STARTED
from tests.sessions.kit import Desk, call, check, until


def go_on(home: Path) -> tuple[list[Message], list[dict[str, object]]]:
    """Continue the project's newest session; return its conversation and its events, once and again."""
    desk = Desk(home)
    taken = desk.current.go_on(True)
    desk.close()
    again = Desk(home)
    assert again.current.go_on(True).messages == taken.messages
    events = [json.loads(line) for line in again.current.lines().splitlines()]
    again.close()
    assert resumed(taken.messages) == taken.messages
    assert check(desk.path) == "ok"
    return taken.messages, events


def test_a_prompt_that_nobody_answered_is_there(tmp_path: Path) -> None:
    """Cases c/40."""
    desk = Desk(tmp_path)
    desk.begin("do it")
    desk.vanish()
    messages, events = go_on(tmp_path)
    assert messages == [Message("user", "do it")]
    assert [event["type"] for event in events] == ["turn_started", "turn_finished"]
    assert (events[-1]["reason"], events[-1]["error"]) == ("interrupted", ENDED)


def test_a_prompt_that_was_shown_but_had_not_joined_the_conversation_is_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    desk.recorder.event(ev.TurnStarted(prompt="two", session="s", model="m"))
    desk.vanish()
    assert [m.content for m in go_on(tmp_path)[0]] == ["one", "1", "two"]


def test_a_compaction_that_was_cut_off_adds_no_prompt(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    desk.recorder.event(ev.TurnStarted(prompt="/compact the loader", session="s", model="m"))
    desk.vanish()
    assert [m.content for m in go_on(tmp_path)[0]] == ["one", "1"]


def test_half_an_answer_is_kept_and_marked(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin("tell me")
    desk.recorder.event(ev.TextDelta(text="Once upon "))
    until(lambda: b"Once upon" in desk.current.lines())
    desk.vanish()
    messages, events = go_on(tmp_path)
    assert messages == [Message("user", "tell me"), Message("assistant", "Once upon ", broken=True)]
    assert [event["type"] for event in events] == ["turn_started", "message_done", "turn_finished"]


def test_a_call_whose_result_was_shown_has_that_result(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin("go")
    desk.answer("reading", call("a"), call("b"))
    desk.plan("a", "b")
    desk.start("a")
    desk.finish("a", "the text of a")
    desk.start("b")
    desk.finish("b", "the text of b")
    desk.recorder.message(Message("tool", "the text of a", call_id="a"))
    desk.vanish()
    messages, _ = go_on(tmp_path)
    assert messages[2:] == [
        Message("tool", "the text of a", call_id="a"),
        Message("tool", "the text of b", call_id="b"),
    ]


def test_calls_without_a_result_say_whether_they_may_have_done_something(tmp_path: Path) -> None:
    """Cases h/137: running: nobody knows; not begun: nothing was done."""
    desk = Desk(tmp_path)
    desk.talk("before", "that")
    desk.begin("go")
    desk.answer("running", call("a"), call("b"), call("c"))
    desk.plan("a", "b", "c", batch=7)
    desk.start("a", 7)
    desk.finish("a", "done", 7)
    desk.start("b", 7)
    desk.vanish()
    messages, events = go_on(tmp_path)
    assert messages[-3:] == [
        Message("tool", "done", call_id="a"),
        Message("tool", NO_RESULT, call_id="b"),
        Message("tool", NOT_STARTED, call_id="c"),
    ]
    tail = [(event["type"], event.get("status")) for event in events[-5:]]
    assert tail == [
        ("call_started", None),
        ("call_finished", "abandoned"),
        ("call_finished", "not_started"),
        ("batch_finished", None),
        ("turn_finished", None),
    ]


def test_what_the_engine_had_to_put_right_is_stored(tmp_path: Path) -> None:
    """Two answers that follow each other are sent as one: the next cut must count the same messages."""
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    desk.answer("and 2")
    desk.close()
    later = Desk(tmp_path)
    history = History(later.current.go_on(True).messages, later.recorder)
    history.add(Message("user", "three"))
    history.cut(2)
    later.close()
    again = Desk(tmp_path)
    assert again.current.go_on(True).messages == history.messages
    assert [m.content for m in history.messages] == ["one", "1\n\nand 2"]
    again.close()


def test_the_next_batch_has_the_next_number(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin("go")
    desk.answer("", call("a"))
    desk.plan("a", batch=41)
    desk.vanish()
    later = Desk(tmp_path)
    assert later.current.go_on(True).batches == 41
    later.close()


@pytest.mark.parametrize("stop", range(13))
def test_after_every_step_the_session_goes_on(tmp_path: Path, stop: int) -> None:
    """The events end as every turn's do, and what was shown is there."""
    desk = Desk(tmp_path)
    steps: list[Callable[[], None]] = [
        lambda: desk.begin("go"),
        lambda: desk.recorder.event(ev.ThinkingDelta(text="hm")),
        lambda: desk.recorder.event(ev.TextDelta(text="I read")),
        lambda: desk.answer("I read a and b", call("a"), call("b")),
        lambda: desk.plan("a", "b"),
        lambda: desk.start("a"),
        lambda: desk.start("b"),
        lambda: desk.finish("b", "B"),
        lambda: desk.finish("a", "A"),
        lambda: desk.recorder.event(ev.BatchFinished(batch=1, seconds=1.0, serial_seconds=2.0)),
        lambda: desk.recorder.message(Message("tool", "A", call_id="a")),
        lambda: desk.recorder.message(Message("tool", "B", call_id="b")),
        lambda: desk.answer("Both read."),
    ]
    for step in steps[: stop + 1]:
        step()
    desk.vanish()
    messages, events = go_on(tmp_path)
    assert messages[0] == Message("user", "go")
    if stop >= 3:
        assert [m.call_id for m in messages if m.role == "tool"] == ["a", "b"]
    kinds = [event["type"] for event in events]
    assert kinds[-1] == "turn_finished"
    assert kinds.count("batch_planned") == kinds.count("batch_finished")
    assert kinds.count("call_finished") == (2 if stop >= 4 else 0)
    replayed = [event["type"] for event in replayable(iter(events))]
    assert replayed.count("text_delta") == kinds.count("message_done")
