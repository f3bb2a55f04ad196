"""The scripted server refuses what strict providers refuse: each rule is broken once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.strict import violations

USER = {"role": "user", "content": "hi"}


def call(call_id: str = "A", arguments: str = "{}", name: str = "f") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **more}


def tool(call_id: str = "A") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "x"}


GOOD = [
    [{"role": "system", "content": "s"}, USER],
    [USER, asks(call("A"), call("B")), tool("B"), tool("A")],
    [USER, asks(call()), tool(), USER],
    [USER, {"role": "assistant", "content": "half"}, USER],
]
BAD: list[tuple[str, list[Any]]] = [
    ("no tool message for B", [USER, asks(call("A"), call("B")), tool("A"), USER]),
    ("no tool message for A at the end", [USER, asks(call("A"))]),
    ("which no call waits for", [USER, tool()]),
    ("which no call waits for", [USER, asks(call()), tool(), tool()]),
    ("which no call waits for", [USER, asks(call()), tool(), USER, tool()]),
    ("used twice", [USER, asks(call()), tool(), asks(call()), tool()]),
    ("arguments are no JSON object", [USER, asks(call(arguments='{"p": }')), tool()]),
    ("arguments are no JSON object", [USER, asks(call(arguments="")), tool()]),
    ("arguments are no JSON object", [USER, asks(call(arguments="[]")), tool()]),
    ("bad function name", [USER, asks(call(name="a.b")), tool()]),
    ("bad function name", [USER, asks(call(name="")), tool()]),
    ("tool_calls is empty", [USER, asks()]),
    ("empty assistant message", [USER, {"role": "assistant", "content": ""}, USER]),
    ("assistant without content", [USER, {"role": "assistant", "content": None}, USER]),
    ("empty user message", [{"role": "user", "content": ""}]),
    ("two assistant messages", [USER, *[{"role": "assistant", "content": "a"}] * 2, USER]),
    ("nothing to answer", [USER, {"role": "assistant", "content": "a"}]),
    ("starts with 'assistant'", [{"role": "assistant", "content": "a"}, USER]),
    ("not the first", [USER, {"role": "system", "content": "s"}, USER]),
    ("unknown role", [{"role": "robot", "content": "s"}]),
    ("unknown field 'extra'", [{**USER, "extra": 1}]),
    ("unknown field 'reasoning_content'", [USER, asks(call(), reasoning_content="r"), tool()]),
    ("no object", ["hi"]),
    ("missing or empty", []),
]


@pytest.mark.parametrize("messages", GOOD)
def test_a_good_conversation_is_taken(messages: list[Any]) -> None:
    assert violations({"model": "m", "messages": messages}) == []


@pytest.mark.parametrize(("expected", "messages"), BAD)
def test_a_bad_conversation_is_refused(expected: str, messages: list[Any]) -> None:
    assert expected in "\n".join(violations({"model": "m", "messages": messages}))


def test_thinking_is_demanded_where_it_is() -> None:
    messages = [USER, asks(call()), tool()]
    assert "reasoning_content is missing" in violations({"model": "m", "messages": messages}, "demand")[0]
    kept = [USER, asks(call(), reasoning_content="r"), tool()]
    assert violations({"model": "m", "messages": kept}, "demand") == []


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, "no schema of type object"),
        ({"type": ["object", "null"]}, "no schema of type object"),
        ({"type": "object", "properties": {}, "required": ["a"]}, "does not declare"),
    ],
)
def test_a_bad_schema_is_refused(parameters: dict[str, Any], expected: str) -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": parameters}}]
    assert expected in "\n".join(violations({"model": "m", "messages": [USER], "tools": tools}))
