"""The conversation is always one that a strict endpoint takes."""

from __future__ import annotations

import json

import pytest

from hermes_tui.engine.history import NO_RESULT, History, repaired
from hermes_tui.engine.messages import Message, ToolCall
from tests.engine.kit import Recorded


def user(text: str) -> Message:
    return Message("user", text)


def asks(*ids: str) -> Message:
    return Message("assistant", "", tuple(ToolCall(call_id, "read", "{}") for call_id in ids))


def result(call_id: str, text: str = "ok") -> Message:
    return Message("tool", text, call_id=call_id)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([user("hi")], [user("hi")]),
        # cases a/10: every call gets its result before the next message
        (
            [user("go"), asks("a", "b"), result("a"), user("hi")],
            [user("go"), asks("a", "b"), result("a"), result("b", NO_RESULT), user("hi")],
        ),
        # cases h/137: a call whose result never came
        ([user("go"), asks("a")], [user("go"), asks("a"), result("a", NO_RESULT)]),
        # cases h/136: a result whose call is gone
        ([result("a"), user("go"), result("b")], [user("go")]),
        # call order, each result once
        (
            [user("go"), asks("a", "b"), result("b"), result("a"), result("a", "again"), result("x")],
            [user("go"), asks("a", "b"), result("a"), result("b")],
        ),
        # cases i/154: no empty answer in the history
        ([user("go"), Message("assistant", ""), user("hi")], [user("go"), user("hi")]),
    ],
)
def test_what_is_sent_has_exactly_one_result_behind_each_call(
    messages: list[Message], expected: list[Message]
) -> None:
    assert repaired(messages) == expected


def test_a_cut_at_any_place_leaves_a_valid_conversation() -> None:
    """Cases h/136: all indices."""
    whole = [user("go"), asks("a", "b"), result("a"), result("b"), Message("assistant", "x"), user("hi")]
    for start in range(len(whole)):
        for end in range(start, len(whole) + 1):
            sent = repaired(whole[start:end])
            open_calls = [call.id for message in sent for call in message.calls]
            assert [message.call_id for message in sent if message.role == "tool"] == open_calls


def history(*messages: Message) -> tuple[History, list[Message]]:
    recorded: list[Message] = []
    return History(messages, Recorded(recorded)), recorded


def test_ids_are_unique_in_the_conversation_and_never_empty() -> None:
    made, recorded = history(user("go"), asks("a"), result("a"))
    answer = made.add_answer(asks("a", "", "b", "b", " "))
    assert [call.id for call in answer.calls] == ["a-2", "call-1", "b", "b-2", "call-2"]
    assert [call.id for call in made.messages[-1].calls] == ["a-2", "call-1", "b", "b-2", "call-2"]
    assert recorded == [made.messages[-1]]


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ('{"path": "a"}', '{"path": "a"}'),
        ('{"p": }', "{}"),
        ("", "{}"),
        ("  ", "{}"),
        ("[1]", "{}"),
        ('{"n": NaN}', "{}"),
        ('{"a":1}{"a":1}', "{}"),
        ('{"pattern":"\\d+"}', "{}"),
        ("[" * 100_000, "{}"),
    ],
)
def test_arguments_sent_back_parse_to_an_object_while_the_call_runs_with_what_was_sent(
    raw: str, kept: str
) -> None:
    """Cases a/8."""
    made, _ = history(user("go"))
    answer = made.add_answer(Message("assistant", "", (ToolCall("a", "read", raw),)))
    assert answer.calls[0].arguments == raw
    assert made.messages[-1].calls[0].arguments == kept
    assert isinstance(json.loads(kept), dict)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("multi_tool_use.parallel", "multi_tool_use_parallel"),
        ("", "unknown"),
        (" read ", "read"),
        ("é" * 99, "_" * 64),
    ],
)
def test_names_sent_back_are_ones_that_endpoints_take(name: str, kept: str) -> None:
    """Cases a/17."""
    made, _ = history()
    answer = made.add_answer(Message("assistant", "", (ToolCall("a", name, "{}"),)))
    assert answer.calls[0].name == name
    assert made.messages[-1].calls[0].name == kept


def test_a_resumed_conversation_is_cleaned_as_well() -> None:
    made, _ = history(user("go"), Message("assistant", "", (ToolCall("a", "read", "{broken"),)))
    assert made.messages[1].calls[0].arguments == "{}"
    assert made.messages[2] == result("a", NO_RESULT)
