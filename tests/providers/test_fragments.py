"""Calls in every odd fragmentation of section a of the cases, over a real socket."""

from __future__ import annotations

from typing import Any

import pytest

from hermes_tui.engine.messages import Message, ToolCall
from tests.providers.kit import ask, provider, results, user
from tests.support.server import Reply, ScriptedServer, chunk, raw_calls, say


def fragment(index: int | None, call_id: str = "", name: str = "", arguments: str = "") -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value}
    entry: dict[str, Any] = {"function": function}
    if index is not None:
        entry["index"] = index
    return entry | ({"id": call_id} if call_id else {})


READ_A, READ_B = ToolCall("A", "read_file", '{"path":"a"}'), ToolCall("B", "read_file", '{"path":"b"}')

ODD: dict[str, tuple[Reply, tuple[ToolCall, ...]]] = {
    "a/4: both calls have index 0": (
        raw_calls(
            [fragment(0, "A", "read_file", '{"path":"a"}')], [fragment(0, "B", "read_file", '{"path":"b"}')]
        ),
        (READ_A, READ_B),
    ),
    "a/5: no index at all": (
        raw_calls(
            [fragment(None, "A", "read_file", '{"path":"a"}')],
            [fragment(None, "B", "read_file", '{"pa')],
            [fragment(None, arguments='th":"b"}')],
        ),
        (READ_A, READ_B),
    ),
    "a/7: two entries of one index in one chunk": (
        raw_calls(
            [fragment(0, "A", "read_file"), fragment(0, arguments='{"path"')],
            [fragment(0, arguments=':"a"}')],
        ),
        (READ_A,),
    ),
    "a/13: the end is told twice": (
        raw_calls([fragment(0, "A", "read_file", '{"path":"a"}')], finish=2),
        (READ_A,),
    ),
    "a/16: two calls of one tool": (
        raw_calls(
            [fragment(0, "A", "read_file", '{"path":"a"}'), fragment(1, "B", "read_file", '{"path":"b"}')]
        ),
        (READ_A, READ_B),
    ),
    "each as function_call besides, as llama.cpp's Python server does": (
        Reply(
            (
                *(
                    chunk({"function_call": f["function"], "tool_calls": [f]})
                    for f in (
                        fragment(0, "A", "read_file", '{"path"'),
                        fragment(0, "A", "read_file", ':"a"}'),
                    )
                ),
                chunk({}, "tool_calls"),
            ),
            call_ids=("A",),
        ),
        (READ_A,),
    ),
    "a/1: everything is sent twice": (
        raw_calls(*[[fragment(0, "A", "read_file", '{"path":"a"}')]] * 2),
        (ToolCall("A", "read_file", '{"path":"a"}{"path":"a"}'),),
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_the_calls_come_out_as_meant_and_go_back_as_a_strict_server_takes_them(case: str) -> None:
    """Cases a/1, a/4, a/5, a/7, a/13, a/16."""
    reply, expected = ODD[case]
    with ScriptedServer([reply, say("Done.")]) as server:
        who = provider(server)
        answer = ask(who)
        assert answer.message == Message("assistant", "", expected)
        ask(who, user("hi"), *results(answer))
