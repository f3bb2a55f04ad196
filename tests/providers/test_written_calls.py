"""Calls that a model wrote as text are found where they are meant, and left alone everywhere else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.engine.errors import BrokenAnswer, Interrupted
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message
from hermes_tui.engine.protocols import Answer
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.openai import OpenAIProvider
from hermes_tui.providers.written_calls import Holder, read_calls
from tests.providers.kit import TOOLS, Recorder, request, results, user
from tests.support.server import Drop, ScriptedServer, calls, say

READ = '{"name": "read_file", "arguments": {"path": "a"}}'
WRITE = '{"name": "write_file", "arguments": {"path": "b", "content": "x"}}'
NAMES = frozenset(tool.name for tool in TOOLS)


def block(call: str) -> str:
    return f"<tool_call>\n{call}\n</tool_call>"


def ask(server: ScriptedServer, sink: Recorder, *history: Message, written: bool | None = None) -> Answer:
    who = OpenAIProvider(Endpoint(server.url, model="scripted-1", written_calls=written))
    return who.answer(request(*history, tools=TOOLS), sink, Token())


MEANT: dict[str, str] = {
    "one block": block(READ),
    "a block on one line": f"<tool_call>{READ}</tool_call>",
    "blanks around it": f"\n\n  {block(READ)}\n",
    "a block without its end": f"<tool_call>\n{READ}",
    "nothing but an object": READ,
    "parameters instead of arguments": READ.replace("arguments", "parameters"),
    "arguments as text": json.dumps({"name": "read_file", "arguments": '{"path": "a"}'}),
    "the shape of the protocol": json.dumps(
        {"type": "function", "function": {"name": "read_file", "arguments": {"path": "a"}}}
    ),
    "a fence around the whole message": f"```json\n{READ}\n```",
    "thinking before it": f"<think>\nI should look.\n</think>\n\n{block(READ)}",
}

NOT_MEANT: dict[str, str] = {
    "inside a sentence": f"I would send {READ} now.",
    "a block inside a sentence": f"I would send <tool_call>{READ}</tool_call> now.",
    "a block with prose behind it": f"{block(READ)}\nThat is how a call looks.",
    "a block in a fence within prose": f"A call looks like this:\n```\n{block(READ)}\n```\nDone.",
    "an object in a fence within prose": f"For example:\n```json\n{READ}\n```",
    "a name that nobody offered": READ.replace("read_file", "format_disk"),
    "a block with such a name": block(READ.replace("read_file", "format_disk")),
    "an object with other keys": '{"name": "read_file", "arguments": {}, "version": 2}',
    "an object without arguments": '{"name": "read_file"}',
    "arguments that are no object": '{"name": "read_file", "arguments": [1]}',
    "two objects": READ + READ,
    "a list": f"[{READ}]",
    "an object that breaks off": READ[:-3],
    "a JSON file": '{"name": "hermes", "version": "1.0"}',
    "a number": "42",
}


@pytest.mark.parametrize("case", MEANT)
def test_a_message_that_is_nothing_but_a_call_is_one(case: str) -> None:
    sink = Recorder()
    with ScriptedServer([say(*MEANT[case])]) as server:
        answer = ask(server, sink)
    (call,) = answer.message.calls
    assert (call.name, json.loads(call.arguments), call.written) == ("read_file", {"path": "a"}, True)
    assert call.id
    assert "tool_call" not in sink.said
    assert READ not in sink.said


@pytest.mark.parametrize("case", NOT_MEANT)
def test_text_about_a_call_stays_text(case: str) -> None:
    sink = Recorder()
    with ScriptedServer([say(*NOT_MEANT[case])]) as server:
        answer = ask(server, sink)
    assert answer.message == Message("assistant", NOT_MEANT[case])
    assert sink.said == NOT_MEANT[case]


def test_several_blocks_are_a_batch() -> None:
    with ScriptedServer([say(f"{block(READ)}\n{block(WRITE)}")]) as server:
        answer = ask(server, Recorder())
    assert [call.name for call in answer.message.calls] == ["read_file", "write_file"]
    assert len({call.id for call in answer.message.calls}) == 2
    assert answer.message.content == ""


def test_blocks_behind_prose_count_where_the_user_said_that_the_server_reads_no_calls() -> None:
    text = f"Let me look.\n{block(READ)}"
    sink = Recorder()
    with ScriptedServer([say(*text), say(*text)]) as server:
        guessed = ask(server, Recorder())
        told = ask(server, sink, written=True)
    assert guessed.message == Message("assistant", text)
    assert told.message.content.strip() == "Let me look."
    assert [call.name for call in told.message.calls] == ["read_file"]
    assert sink.said.strip() == "Let me look."


def test_once_a_server_has_sent_a_real_call_text_is_text() -> None:
    with ScriptedServer([calls(("read_file", {"path": "a"})), say(READ)]) as server:
        who = OpenAIProvider(Endpoint(server.url, model="scripted-1"))
        first = who.answer(request(tools=TOOLS), Recorder(), Token())
        second = who.answer(request(user("hi"), *results(first), tools=TOOLS), Recorder(), Token())
    assert (first.message.calls[0].written, second.message) == (False, Message("assistant", READ))


def test_nothing_is_looked_for_where_no_tools_were_offered_or_the_user_said_no() -> None:
    with ScriptedServer([say(READ), say(READ)]) as server:
        who = OpenAIProvider(Endpoint(server.url, model="scripted-1"))
        assert who.answer(request(), Recorder(), Token()).message == Message("assistant", READ)
        assert ask(server, Recorder(), written=False).message == Message("assistant", READ)


def test_the_calls_go_back_as_calls_that_a_strict_server_takes() -> None:
    with ScriptedServer([say(block(READ)), say("Done.")]) as server:
        who = OpenAIProvider(Endpoint(server.url, model="scripted-1"))
        first = who.answer(request(tools=TOOLS), Recorder(), Token())
        who.answer(request(user("hi"), *results(first), tools=TOOLS), Recorder(), Token())
        assert server.requests[1]["messages"][1]["tool_calls"][0]["function"]["name"] == "read_file"


def test_a_call_that_breaks_off_was_not_shown_and_is_asked_for_again() -> None:
    with ScriptedServer([say("<tool_call>\n", READ[:20], Drop()), say(block(READ))]) as server:
        assert len(ask(server, Recorder()).message.calls) == 1
        assert len(server.requests) == 2


def test_text_that_breaks_off_is_kept() -> None:
    with ScriptedServer([say("Hel", "lo", Drop())]) as server, pytest.raises(BrokenAnswer) as caught:
        ask(server, Recorder())
    assert caught.value.content == "Hello"


def test_an_answer_of_plain_text_is_not_held_back() -> None:
    holder = Holder(NAMES, after_text=False)
    assert [holder.feed(piece) for piece in ("Hi", " <tool", "_call> {")] == ["Hi", " <tool", "_call> {"]


def test_a_json_answer_streams_as_soon_as_it_is_no_call() -> None:
    holder = Holder(NAMES, after_text=False)
    assert [holder.feed(piece) for piece in ('{"ver', 'sion": ', "1}")] == ["", '{"version": ', "1}"]


@given(st.text(alphabet='<tool_ca>/{}"nmergus:,`\n ', max_size=60), st.booleans(), st.integers(1, 7))
def test_no_text_is_lost_or_changed(text: str, after_text: bool, size: int) -> None:
    holder = Holder(NAMES, after_text)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    shown = "".join(holder.feed(piece) for piece in pieces)
    rest, found = holder.end()
    assert found or shown + rest == text


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    assert isinstance(read_calls(f"<tool_call>{text}", NAMES), tuple)


def test_an_interrupt_in_the_middle_of_a_call_keeps_nothing_of_it() -> None:
    token = Token()

    class Stopping(Recorder):
        def notice(self, level: str, text: str) -> None:
            token.set()

    with ScriptedServer([say("<tool_call>\n", *["x"] * 3, Drop())]) as server:
        who = OpenAIProvider(Endpoint(server.url, model="scripted-1"))
        with pytest.raises(Interrupted) as caught:
            who.answer(request(tools=TOOLS), Stopping(), token)
    assert caught.value.content == ""
