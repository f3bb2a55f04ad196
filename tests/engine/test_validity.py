"""Whatever happens to a conversation, the next request is one that the strictest endpoint takes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_tui.engine.compact import Compactor, Job
from hermes_tui.engine.context import Meter
from hermes_tui.engine.errors import ContextTooLong, ProviderError
from hermes_tui.engine.history import History, boundaries, resumed, seams
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Kind, Message, ToolCall
from hermes_tui.engine.protocols import Request
from hermes_tui.engine.validity import (
    BROKE_OFF,
    EMPTY_RESULT,
    GO_ON,
    NO_BEGINNING,
    NO_RESULT,
    answerable,
    free_id,
    repaired,
)
from hermes_tui.providers.encode import encode
from hermes_tui.providers.endpoint import Habits
from hermes_tui.providers.faults import ALTERNATING_ROLES, SHORT_IDS
from tests.engine.around import Say, Script
from tests.engine.kit import Recorded
from tests.providers.kit import TOOLS, Recorder
from tests.support.strict import violations


def user(text: str, kind: Kind = "") -> Message:
    return Message("user", text, kind=kind)


def says(text: str) -> Message:
    return Message("assistant", text)


def asks(*ids: str, text: str = "") -> Message:
    return Message("assistant", text, tuple(ToolCall(call_id, "read", "{}") for call_id in ids))


def result(call_id: str, text: str = "ok") -> Message:
    return Message("tool", text, call_id=call_id)


REPAIRS: dict[str, tuple[list[Message], list[Message]]] = {
    "an id that was used before, in two batches": (
        [user("go"), asks("a"), result("a"), asks("a"), result("a", "second")],
        [user("go"), asks("a"), result("a"), asks("a-2"), result("a-2", "second")],
    ),
    "an id twice in one batch, both answered": (
        [user("go"), asks("a", "a"), result("a", "1"), result("a", "2")],
        [user("go"), asks("a", "a-2"), result("a", "1"), result("a-2", "2")],
    ),
    "no id at all": (
        [user("go"), asks(""), result("", "x")],
        [user("go"), asks("call-1"), result("call-1", "x")],
    ),
    "an answer where the user should begin": (
        [says("hello")],
        [user(NO_BEGINNING, "note"), says("hello")],
    ),
    "two answers in a row": ([user("go"), says("a"), says("b")], [user("go"), says("a\n\nb")]),
    "an answer and a batch in a row": (
        [user("go"), says("a"), asks("x", text="b"), result("x")],
        [user("go"), asks("x", text="a\n\nb"), result("x")],
    ),
    "an answer of blanks, and one of thinking alone": (
        [user("go"), says(" \n"), Message("assistant", "", reasoning="hm"), user("on")],
        [user("go"), user("on")],
    ),
    "an empty prompt": ([user(" "), user("go")], [user("go")]),
    "an empty result": (
        [user("go"), asks("a"), result("a", "")],
        [user("go"), asks("a"), result("a", EMPTY_RESULT)],
    ),
    "a system message in the middle": (
        [user("go"), Message("system", "x"), says("a")],
        [user("go"), says("a")],
    ),
    "a result behind the next prompt": (
        [user("go"), asks("a"), user("on"), result("a")],
        [user("go"), asks("a"), result("a", NO_RESULT), user("on")],
    ),
}


@pytest.mark.parametrize("case", REPAIRS)
def test_a_conversation_that_is_out_of_order_is_put_right(case: str) -> None:
    """Cases a/8, a/10, h/137, i/154."""
    messages, expected = REPAIRS[case]
    assert repaired(messages) == expected
    assert repaired(expected) == expected


def test_what_is_sent_has_something_to_answer_at_its_end() -> None:
    assert answerable([user("go"), says("a")])[-1] == user(GO_ON, "note")
    assert answerable([]) == [user(GO_ON, "note")]


def test_an_answer_that_broke_off_is_told_as_that_to_the_model() -> None:
    """Cases i/158."""
    kept = [user("go"), Message("assistant", "half", broken=True), user("on")]
    assert answerable(kept)[1].content == f"half\n{BROKE_OFF}"


@pytest.mark.parametrize("wanted", ["", "  ", "a", "x" * 300])
def test_an_id_is_short_and_its_own(wanted: str) -> None:
    first = free_id(wanted, set())
    second = free_id(wanted, {first})
    assert 0 < len(first) <= 64
    assert 0 < len(second) <= 64
    assert first != second


def test_turns_begin_at_prompts_with_the_notes_before_them() -> None:
    messages = [
        user("summary", "summary"),
        user("one"),
        asks("a"),
        result("a"),
        user("and this", "steer"),
        says("ok"),
        user("note", "note"),
        user("two"),
        says("b"),
        user("note", "note"),
    ]
    assert boundaries(messages) == [0, 1, 6]
    assert seams(messages) == [0, 1, 2, 4, 5, 6, 7, 8, 9]


# -- any sequence of what can happen -------------------------------------------------------------------

ARGUMENTS = ("{}", "", "  ", '{"a": 1}', '{"p": }', "[1]", '{"a":1}{"a":1}', '{"x": NaN}', "nonsense \ud800")
NAMES = ("read_file", "", " terminal ", "multi_tool_use.parallel", "é" * 99)
IDS = ("", "a", "b", "call_1", " a ", "x" * 99)
TEXTS = ("", " ", "text", "half \ud800 pair", "a\u2028b\x00", "long " * 400)
SUMMARIES: tuple[Say, ...] = ("they talked", "", ProviderError("no"), ContextTooLong("no"))

a_call = st.builds(ToolCall, st.sampled_from(IDS), st.sampled_from(NAMES), st.sampled_from(ARGUMENTS))
a_batch = st.lists(a_call, max_size=3).map(tuple)
a_step = st.one_of(
    st.tuples(st.just("prompt"), st.sampled_from(TEXTS)),
    st.tuples(st.just("steer"), st.sampled_from(TEXTS)),
    st.tuples(st.just("note"), st.sampled_from(TEXTS)),
    st.tuples(st.just("answer"), st.sampled_from(TEXTS), a_batch, st.integers(0, 3)),
    st.tuples(st.just("interrupt"), st.sampled_from(TEXTS)),
    st.tuples(st.just("crash"), st.integers(0, 99)),
    st.tuples(st.just("fork"), st.integers(0, 99)),
    st.tuples(st.just("rollback"), st.integers(0, 99)),
    st.tuples(st.just("compact"), st.sampled_from(SUMMARIES), st.integers(10, 2_000), st.booleans()),
)


def take(history: History, step: tuple[object, ...]) -> History:
    """Let one thing happen to a conversation; return the one that goes on."""
    messages = history.messages
    match step:
        case ("prompt" | "steer" | "note" as kind, str(text)):
            history.add(Message("user", text, kind="" if kind == "prompt" else kind))
        case ("answer", str(text), tuple(calls), int(answered)):
            answer = history.add_answer(Message("assistant", text, calls, reasoning="hm"))
            for call in answer.calls[:answered]:
                history.add(Message("tool", text, call_id=call.id))
        case ("interrupt", str(text)):
            history.add_answer(Message("assistant", text or "x", broken=True))
        case ("crash", int(lost)):
            return made(messages[: max(0, len(messages) - lost % 4)])
        case ("fork", int(place)):
            return made(messages[place % (len(messages) + 1) :])
        case ("rollback", int(place)):
            history.cut(([0, *boundaries(messages)])[-1 - place % (1 + len(boundaries(messages)))])
        case ("compact", summary, int(goal), bool(by_hand)):
            compact(history, Script(summary, summary), goal, by_hand)  # type: ignore[arg-type]  # a Say
    return history


def compact(history: History, model: Script, goal: int, by_hand: bool) -> None:
    job = Job(list(history.messages), 10, goal, goal * 2, "- a thing to do", by_hand=by_hand)
    compactor = Compactor(model, Meter(), lambda name, text: "")
    history.replace(compactor.run(job, Recorder(), Token()).messages)


def made(messages: list[Message]) -> History:
    return History(messages, Recorded([]))


@settings(deadline=None, max_examples=300)
@given(st.lists(a_step, max_size=25))
def test_no_sequence_of_events_makes_an_invalid_request(steps: list[tuple[object, ...]]) -> None:
    """Interrupts, crashes, compactions, forks, rollbacks. Cases a/8, a/10, h/136, h/137, i/154."""
    history = made([])
    for step in steps:
        history = take(history, step)
        request = Request("be brief", history.valid(), TOOLS)
        assert violations(encode(request, "m", Habits())) == []
        strictest = Habits(taught={ALTERNATING_ROLES, SHORT_IDS})
        body = encode(request, "m", strictest)
        assert violations(body, alternate=True) == []
        assert json.dumps(body).isascii()


@settings(deadline=None)
@given(st.lists(a_step, max_size=25))
def test_a_session_that_is_resumed_twice_is_the_same(steps: list[tuple[object, ...]]) -> None:
    history = made([])
    for step in steps:
        history = take(history, step)
    once = resumed(history.messages)
    assert resumed(once) == once
