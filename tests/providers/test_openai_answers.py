"""What an endpoint says arrives whole, over a real socket and from servers with every odd habit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolCall, ToolSchema, Usage
from hermes_tui.engine.protocols import Answer
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.openai import OpenAIProvider
from tests.providers.kit import TOOLS, Recorder, ask, provider, request, results, user
from tests.support.server import Call, Pause, Reply, ScriptedServer, calls, chunk, raw_calls, say, sse

DONE = b"data: [DONE]\n\n"


def test_text_arrives_piece_by_piece_and_whole() -> None:
    sink = Recorder()
    with ScriptedServer([say("Hel", "lo ", "世界", thinking="hm")]) as server:
        answer = ask(provider(server), sink=sink)
    assert (sink.pieces, sink.thoughts, sink.notices) == (["Hel", "lo ", "世界"], ["hm"], [])
    assert answer == Answer(
        Message("assistant", "Hello 世界", reasoning="hm"), Usage(10, 5), model="scripted-1"
    )


def test_a_batch_of_calls_arrives_in_order_with_text_before_it() -> None:
    wanted = [Call("read_file", {"path": name}, id=f"id{name}") for name in "abc"]
    with ScriptedServer([calls(*wanted, text="Reading.")]) as server:
        answer = ask(provider(server))
    assert answer.message.content == "Reading."
    assert answer.message.calls == tuple(
        ToolCall(f"id{name}", "read_file", json.dumps({"path": name})) for name in "abc"
    )


def test_the_request_is_what_a_strict_server_takes() -> None:
    tool = ToolSchema("read_file", "Reads.", {"type": "object", "properties": {"path": {"type": "string"}}})
    history = [
        user("go"),
        Message("assistant", "", (ToolCall("A", "read_file", '{"path":"a"}'),)),
        Message("tool", "text", call_id="A"),
    ]
    with ScriptedServer([say("Done.")]) as server:
        provider(server).answer(request(*history, system="Be brief.", tools=[tool]), Recorder(), Token())
        (body,) = server.requests
    call = {"id": "A", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"a"}'}}
    assert body == {
        "model": "scripted-1",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "A", "content": "text"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [
            {
                "type": "function",
                "function": {"name": "read_file", "description": "Reads.", "parameters": tool.parameters},
            }
        ],
    }


def test_a_history_that_no_server_would_take_is_put_right() -> None:
    """Cases a/2, a/8, a/17: broken or blank arguments, odd names, an empty message, half a pair."""
    bad = (
        ToolCall("A", "read_file", '{"p": }'),
        ToolCall("B", "multi_tool_use.parallel", "  "),
        ToolCall("C", "", "[1]"),
    )
    history = [
        user("go \ud800"),
        Message("assistant", "", bad),
        *(Message("tool", "no", call_id=i) for i in "ABC"),
        Message("assistant", ""),
        user("on"),
    ]
    with ScriptedServer([say("Done.")]) as server:
        ask(provider(server), *history)
        messages = server.requests[0]["messages"]
    assert [call["function"] for call in messages[1]["tool_calls"]] == [
        {"name": "read_file", "arguments": "{}"},
        {"name": "multi_tool_use_parallel", "arguments": "{}"},
        {"name": "unnamed", "arguments": "{}"},
    ]
    assert messages[0]["content"] == "go ?"
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "tool", "user"]


def test_a_call_without_id_or_with_a_used_one_gets_its_own() -> None:
    reply = [{"index": 0, "id": "A", "function": {"name": "read_file", "arguments": "{}"}}]
    with ScriptedServer([raw_calls(reply), raw_calls(reply), say("Done.")]) as server:
        who = provider(server)
        first = ask(who)
        history = [user("hi"), *results(first)]
        second = ask(who, *history)
        ask(who, *history, *results(second))
    ids = [first.message.calls[0].id, second.message.calls[0].id]
    assert ids[0] == "A"
    assert ids[1] != "A"


def test_a_finish_told_twice_gives_each_call_once() -> None:
    """Cases a/13: the second finish comes together with the token counts."""
    parts = (
        chunk({"tool_calls": [{"index": 0, "id": "A", "function": {"name": "f", "arguments": "{}"}}]}),
        chunk({}, "tool_calls"),
        chunk({}, "tool_calls"),
        chunk({}, usage=(3, 4)),
        DONE,
    )
    with ScriptedServer([Reply(parts)]) as server:
        answer = ask(provider(server))
    assert answer == Answer(
        Message("assistant", "", (ToolCall("A", "f", "{}"),)), Usage(3, 4), model="scripted-1"
    )


def test_raw_arguments_are_kept_whatever_they_are() -> None:
    r"""Cases a/14: single backslashes stay for the engine to judge; nothing becomes `{}`."""
    raw = r'{"pattern":"\d+","path":"C:\tmp"}'
    with ScriptedServer([calls(Call("search_files", raw=raw), pieces=7)]) as server:
        answer = ask(provider(server))
    assert [call.arguments for call in answer.message.calls] == [raw]


def _choice(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


TEXT = chunk({"content": "ok"})
END = chunk({}, "stop")
ODD_STREAMS = {
    "comments and empty events first": (b": ping\n\n", b"event: x\n\n", b"\n", TEXT, END, DONE),
    "no blank behind data:": (TEXT.replace(b"data: ", b"data:"), END, DONE),
    "CRLF": tuple(part.replace(b"\n", b"\r\n") for part in (TEXT, END, DONE)),
    "no [DONE]": (TEXT, END),
    "no [DONE], no last blank line": (TEXT, END.rstrip(b"\n")),
    "no finish, but [DONE]": (TEXT, DONE),
    "no blank lines between events": (TEXT[:-1], END[:-1], DONE),
    "the finish in the chunk of the text": (sse(_choice({"content": "ok"}, "stop")), DONE),
    "a chunk without choices": (sse({"choices": []}), sse({}), TEXT, END, DONE),
    "null everywhere": (
        sse(_choice({"content": None, "tool_calls": None, "reasoning_content": None})),
        sse({"choices": None, "usage": None}),
        sse({"choices": [{"delta": None}]}),
        TEXT,
        END,
        DONE,
    ),
    "a line that is no JSON": (b"data: hello\n\n", TEXT, END, DONE),
    "content in parts": (sse(_choice({"content": [{"type": "text", "text": "ok"}]})), END, DONE),
    "a refusal": (sse(_choice({"refusal": "ok"})), END, DONE),
    "cut in the middle of a character": (*[bytes([b]) for b in TEXT], END, DONE),
}


@pytest.mark.parametrize("case", ODD_STREAMS)
def test_a_stream_with_odd_habits_is_read(case: str) -> None:
    """Cases i/157."""
    sink = Recorder()
    with ScriptedServer([Reply(ODD_STREAMS[case])]) as server:
        answer = ask(provider(server), sink=sink)
    assert (answer.message, sink.said, sink.notices) == (Message("assistant", "ok"), "ok", [])


def test_a_server_that_does_not_stream_is_understood() -> None:
    """Cases a/2, the answer in one piece."""
    message = {
        "role": "assistant",
        "content": "ok",
        "tool_calls": [{"id": "A", "type": "function", "function": {"name": "todo", "arguments": ""}}],
    }
    payload = {
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    with ScriptedServer([Reply(body=json.dumps(payload).encode())]) as server:
        answer = ask(provider(server))
    assert answer == Answer(
        Message("assistant", "ok", (ToolCall("A", "todo", ""),)), Usage(1, 2), model="scripted-1"
    )


def test_a_server_that_keeps_the_connection_after_the_end_is_not_waited_for() -> None:
    with ScriptedServer([Reply((TEXT, END, DONE, Pause())), Reply((TEXT, END, Pause()))]) as server:
        who = provider(server, idle_timeout=60)
        assert [ask(who).message.content for _ in range(2)] == ["ok", "ok"]


def test_thinking_goes_back_to_a_server_that_sent_it_with_calls() -> None:
    """Cases a/11: this server refuses a request that leaves it out."""
    script = [calls(("read_file", {"path": "a"}), thinking="I should look"), say("Done.")]
    with ScriptedServer(script, reasoning="demand") as server:
        who = provider(server)
        first = ask(who)
        answer = ask(who, user("hi"), *results(first))
    assert answer.message.content == "Done."


def test_thinking_does_not_go_to_a_server_that_never_sent_any() -> None:
    """Cases a/11: this one refuses unknown fields; the thinking came from another model."""
    call = ToolCall("A", "read_file", "{}")
    history = [
        user("hi"),
        Message("assistant", "", (call,), reasoning="elsewhere"),
        Message("tool", "x", call_id="A"),
    ]
    with ScriptedServer([say("Done.")], reasoning="forbid") as server:
        assert ask(provider(server), *history).message.content == "Done."


def test_thinking_is_offered_when_a_resumed_session_turns_out_to_need_it() -> None:
    """Cases a/11: a fresh process has not seen the server's habit; its refusal teaches it."""
    call = ToolCall("A", "read_file", "{}")
    history = [
        user("hi"),
        Message("assistant", "", (call,), reasoning="before"),
        Message("tool", "x", call_id="A"),
    ]
    with ScriptedServer([say("Done.")], reasoning="demand", lenient=True) as server:
        assert ask(provider(server), *history).message.content == "Done."
        assert len(server.requests) == 2


def test_the_first_model_is_taken_when_none_is_named() -> None:
    with ScriptedServer([say("a"), say("b")], models=("text-embed-1", "chat-1", "chat-2")) as server:
        who = OpenAIProvider(Endpoint(server.url))
        assert who.model == ""
        ask(who)
        ask(who)
        assert (who.model, server.model_requests) == ("chat-1", 1)
        assert [body["model"] for body in server.requests] == ["chat-1", "chat-1"]
        assert [info.id for info in who.list_models()] == ["text-embed-1", "chat-1", "chat-2"]


def test_a_turn_sends_only_the_request_it_needs() -> None:
    with ScriptedServer([say("a")]) as server:
        who = provider(server, key="sk-secret")
        who.prepare()
        ask(who)
        assert (len(server.requests), server.model_requests) == (1, 0)
        assert server.headers[0]["authorization"] == "Bearer sk-secret"


def test_tools_are_offered_as_they_are() -> None:
    with ScriptedServer([say("a")]) as server:
        provider(server).answer(request(tools=TOOLS), Recorder(), Token())
        names = [tool["function"]["name"] for tool in server.requests[0]["tools"]]
    assert names == [tool.name for tool in TOOLS]
