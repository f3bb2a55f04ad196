"""What a server insists on is learnt from its refusal, once; pictures, limits and prices."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.errors import ContextTooLong
from hermes_tui.engine.messages import Image, Message, ToolCall, Usage
from hermes_tui.providers.endpoint import Endpoint, Price
from hermes_tui.providers.openai import OpenAIProvider
from tests.providers.kit import ask, provider, user
from tests.support.server import Reply, ScriptedServer, error, say

PNG = b"\x89PNG\r\n\x1a\n and more"


def picture(folder: Path, name: str = "shot.png") -> Image:
    path = folder / name
    path.write_bytes(PNG)
    return Image(name, "image/png", str(path), len(PNG))


# -- roles and ids -------------------------------------------------------------------------------------

BATCH = [
    Message("assistant", "", (ToolCall("call_1", "read_file", "{}"),)),
    Message("tool", "text", call_id="call_1"),
]


def test_prompts_that_follow_each_other_are_sent_as_one() -> None:
    """After an interrupt before the first word; servers of the Mistral kind take no two in a row."""
    with ScriptedServer([say("ok")]) as server:
        server.alternate = True
        ask(provider(server), user("one"), user("two"))
        assert server.requests[0]["messages"] == [{"role": "user", "content": "one\n\ntwo"}]


def test_a_server_that_wants_the_assistant_between_tool_and_user_gets_it_and_is_remembered() -> None:
    with ScriptedServer([say("ok"), say("ok")], lenient=True) as server:
        server.alternate = True
        who = provider(server)
        for _ in range(2):
            assert ask(who, user("go"), *BATCH, user("wait, not that")).message.content == "ok"
        roles = [[m["role"] for m in body["messages"]] for body in server.requests]
    usual, bridged = ["user", "assistant", "tool", "user"], ["user", "assistant", "tool", "assistant", "user"]
    assert roles == [usual, bridged, bridged]


def test_a_server_that_wants_ids_of_nine_letters_gets_them() -> None:
    text = "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9."
    with ScriptedServer([error(400, text), say("ok"), say("ok")]) as server:
        who = provider(server)
        for _ in range(2):
            ask(who, user("go"), *BATCH)
        bodies = server.requests
    ids = [(b["messages"][1]["tool_calls"][0]["id"], b["messages"][2]["tool_call_id"]) for b in bodies]
    assert ids[0] == ("call_1", "call_1")
    assert ids[1] == ids[2]
    assert ids[1][0] == ids[1][1]
    assert (len(ids[1][0]), ids[1][0].isalnum()) == (9, True)


def test_a_server_that_takes_no_null_for_the_text_of_a_call_gets_an_empty_one() -> None:
    """llama.cpp's Python server does not, and says so with a 500."""
    text = "7 validation errors: ('body', 'messages', 2, 'content'), 'msg': 'Input should be a valid string'"
    with ScriptedServer([error(500, text), say("ok"), say("ok")]) as server:
        who = provider(server)
        for _ in range(2):
            ask(who, user("go"), *BATCH)
        contents = [body["messages"][1]["content"] for body in server.requests]
    assert contents == [None, "", ""]


# -- pictures ------------------------------------------------------------------------------------------


def test_a_picture_goes_beside_its_text(tmp_path: Path) -> None:
    asked = Message("user", "what is this?", images=(picture(tmp_path),))
    with ScriptedServer([say("a cat")]) as server:
        ask(provider(server), asked)
        (message,) = server.requests[0]["messages"]
    url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    assert message["content"] == [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": url}},
    ]


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "Invalid content type. image_url is only supported by certain models."),
        (404, "No endpoints found that support image input"),
        (500, "image input is not supported - hint: you may need to provide the mmproj"),
    ],
)
def test_a_model_that_takes_no_pictures_is_told_of_them_in_words_from_then_on(
    tmp_path: Path, status: int, text: str
) -> None:
    asked = Message("user", "what is this?", images=(picture(tmp_path),))
    with ScriptedServer([error(status, text), say("no idea"), say("no idea")]) as server:
        who = provider(server)
        assert [ask(who, asked).message.content for _ in range(2)] == ["no idea"] * 2
        parts = server.requests[2]["messages"][0]["content"]
        assert len(server.requests) == 3
    assert parts[1]["text"] == "[the picture shot.png is not shown: this model takes none]"


def test_a_picture_that_is_gone_is_told_of_in_words(tmp_path: Path) -> None:
    lost = picture(tmp_path)
    Path(lost.path).unlink()
    with ScriptedServer([say("ok")]) as server:
        ask(provider(server), Message("user", "x", images=(lost,)))
        parts = server.requests[0]["messages"][0]["content"]
    assert parts[1] == {"type": "text", "text": "[the picture shot.png is no longer kept]"}


def test_pictures_of_two_prompts_in_a_row_stay_with_their_texts(tmp_path: Path) -> None:
    with ScriptedServer([say("ok")]) as server:
        ask(provider(server), user("first"), Message("user", "second", images=(picture(tmp_path),)))
        (message,) = server.requests[0]["messages"]
    assert [part.get("text") for part in message["content"]] == ["first", "second", None]


# -- how much a context holds --------------------------------------------------------------------------

LIMITS: dict[str, tuple[Any, int | None]] = {
    "OpenAI": (
        error(400, "This model's maximum context length is 4096 tokens. You sent 5000.", code="x"),
        4096,
    ),
    "Anthropic": (error(400, "prompt is too long: 210000 tokens > 200000 maximum"), 200_000),
    "llama.cpp, old": (error(400, "the request exceeds the available context size (2048 tokens)"), 2048),
    "llama.cpp": (
        Reply(
            body=b'{"error":{"code":400,"message":"the request exceeds the available context size",'
            b'"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
            status=400,
        ),
        8192,
    ),
    "Gemini": (error(400, "exceeds the maximum number of tokens allowed (1048576)."), 1_048_576),
    "no number": (error(400, "context_length_exceeded", code="context_length_exceeded"), None),
}


@pytest.mark.parametrize("case", LIMITS)
def test_a_refusal_tells_how_much_the_context_holds(case: str) -> None:
    """Cases h/142, h/145."""
    reply, limit = LIMITS[case]
    with ScriptedServer([reply]) as server:
        with pytest.raises(ContextTooLong) as caught:
            ask(provider(server))
        assert len(server.requests) == 1
    assert caught.value.limit == limit


# -- prices --------------------------------------------------------------------------------------------


def test_an_answer_carries_who_gave_it_and_what_it_cost() -> None:
    price = Price(input=2.0, output=10.0, cached=0.5)
    with ScriptedServer([say("ok", usage=(1_000, 100))]) as server:
        answer = ask(OpenAIProvider(Endpoint(server.url, model="scripted-1", price=price)))
    assert (answer.model, answer.usage, answer.cost) == ("scripted-1", Usage(1_000, 100), 0.003)


def test_what_was_cached_has_its_own_price_and_nothing_is_invented() -> None:
    price = Price(input=2.0, output=10.0, cached=0.5)
    assert price.of(Usage(1_000_000, 0, cached=500_000)) == 1.25
    assert Price(2.0, 10.0).of(Usage(1_000_000, 0, cached=500_000)) == 2.0
    assert price.of(None) is None


def test_without_a_price_the_cost_is_not_known() -> None:
    with ScriptedServer([say("ok")]) as server:
        assert ask(provider(server)).cost is None
