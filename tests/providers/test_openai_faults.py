"""What goes wrong is told in one line that says what to do; what may pass by itself is tried again."""

from __future__ import annotations

import time

import pytest

from hermes_tui.engine.errors import BrokenAnswer, ContextTooLong, ProviderError
from hermes_tui.engine.messages import Message
from tests.providers.kit import Recorder, ask, provider
from tests.support.server import Drop, Reply, ScriptedServer, chunk, error, hang, say, sse

KEY = "sk-TESTKEY1234567"


PATIENT, IMPATIENT = 20.0, 1.0
"""Seconds of silence: more than a busy machine needs, and few where the silence is the test."""


def failure(
    server: ScriptedServer, sink: Recorder | None = None, key: str = "", idle_timeout: float = PATIENT
) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(provider(server, key=key, idle_timeout=idle_timeout), sink=sink)
    text = str(caught.value)
    assert "\n" not in text
    assert KEY not in text
    return caught.value


def events(*payloads: object) -> Reply:
    return Reply((*(sse(payload) for payload in payloads),))


FINAL = {
    "401": (
        error(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key"),
        "does not accept the API key",
    ),
    "403": (error(403, "Country not supported"), "refuses access (403)"),
    "404, the model": (error(404, "The model `scripted-1` does not exist"), "has no model 'scripted-1'"),
    "404, the address": (Reply(body=b"<html>nginx</html>", status=404), "check the base URL"),
    "400": (error(400, "tools[0] is bad"), "refused the request (400): tools[0] is bad"),
    "422": (error(422, "no"), "refused the request (422)"),
    "no quota": (error(429, "pay", code="insufficient_quota"), "no quota left"),
    "a web page instead of an answer": (
        Reply(body=b"<html></html>", headers={"Content-Type": "text/html"}),
        "usually ends in /v1",
    ),
    "an object that is no answer": (Reply(body=b'{"models": []}'), "usually ends in /v1"),
    "a wrong key told inside the stream": (
        events({"error": {"message": "bad key", "code": "invalid_api_key"}}),
        "does not accept the API key",
    ),
    "a bad request told inside the stream": (
        events({"error": {"message": "no", "type": "invalid_request_error"}}),
        "refused the request",
    ),
}


@pytest.mark.parametrize("case", FINAL)
def test_a_fault_that_stays_is_told_at_once_and_not_tried_again(case: str) -> None:
    """Cases h/145, l/181."""
    reply, expected = FINAL[case]
    sink = Recorder()
    with ScriptedServer([reply]) as server:
        assert expected in str(failure(server, sink, KEY))
        assert (len(server.requests), sink.said, sink.notices) == (1, "", [])


TOO_LONG = {
    "by code": error(400, "too big", code="context_length_exceeded"),
    "in words": error(400, "This model's maximum context length is 4096 tokens."),
    "llama.cpp": error(400, "the request exceeds the available context size, try increasing it"),
    "inside the stream": events({"error": {"message": "x", "code": "context_length_exceeded"}}),
}


@pytest.mark.parametrize("case", TOO_LONG)
def test_a_conversation_that_is_too_long_is_told_as_that_and_sent_once(case: str) -> None:
    """Cases h/142, h/145."""
    with ScriptedServer([TOO_LONG[case]]) as server:
        assert isinstance(failure(server), ContextTooLong)
        assert len(server.requests) == 1


TRANSIENT = {
    "429": error(429, "slow down"),
    "500": error(500, "oops"),
    "502 as a web page": Reply(body=b"<html>Bad gateway</html>", status=502),
    "529": error(529, "overloaded"),
    "the connection is cut before the answer": Reply((Drop(),)),
    "the connection is cut after the head": Reply((chunk({"role": "assistant"}), Drop())),
    "an error inside the stream": events(
        {"error": {"message": "rate limited", "code": "rate_limit_exceeded"}}
    ),
    "an error as text": events({"error": "boom"}),
    "an error of another shape": events({"object": "error", "message": "boom", "code": 50001}),
    "an error in a choice": events({"choices": [{"error": {"message": "x", "code": 502}, "delta": {}}]}),
    "an empty answer": Reply((chunk({}, "stop"), b"data: [DONE]\n\n")),
    "an end without a reason": Reply((chunk({"role": "assistant"}),)),
    "calls that break off": Reply(
        (
            chunk({"tool_calls": [{"index": 0, "id": "A", "function": {"name": "f", "arguments": '{"a'}}]}),
            Drop(),
        )
    ),
    "silence": hang(),
}


@pytest.mark.parametrize("case", TRANSIENT)
def test_a_fault_that_may_pass_is_tried_again_while_nothing_was_shown(case: str) -> None:
    """Cases i/148, i/149, i/151, i/154."""
    sink = Recorder()
    with ScriptedServer([TRANSIENT[case], say("ok")]) as server:
        idle_timeout = IMPATIENT if case == "silence" else PATIENT
        answer = ask(provider(server, idle_timeout=idle_timeout), sink=sink)
        assert len(server.requests) == 2
    assert (answer.message, sink.said) == (Message("assistant", "ok"), "ok")
    assert any("; try 2 of " in text for _, text in sink.notices)


BROKEN = {
    "silence": hang("Hel", "lo"),
    "a cut connection": say("Hel", "lo", Drop()),
    "an error inside the stream": Reply(
        (chunk({"content": "Hello"}), sse({"error": {"message": "limit", "code": "rate_limit_exceeded"}}))
    ),
    "an end without a reason": Reply((chunk({"content": "Hello"}),)),
    "a reason that is an error": Reply((chunk({"content": "Hello"}), chunk({}, "error"))),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_answer_that_breaks_off_is_kept_and_never_asked_for_again(case: str) -> None:
    """Cases i/148, i/149, i/151, i/158."""
    sink = Recorder()
    with ScriptedServer([BROKEN[case], say("Hello again")]) as server:
        fault = failure(server, sink, idle_timeout=IMPATIENT if case == "silence" else PATIENT)
        assert len(server.requests) == 1
    assert isinstance(fault, BrokenAnswer)
    assert (fault.content, sink.said) == ("Hello", "Hello")


def test_thinking_without_an_answer_is_told_and_not_repeated() -> None:
    """Cases i/154, with nothing but thinking."""
    reply = Reply((chunk({"reasoning_content": "hm"}), chunk({}, "stop"), b"data: [DONE]\n\n"))
    with ScriptedServer([reply]) as server:
        assert "thought, but gave no answer" in str(failure(server))


def test_four_tries_are_the_most() -> None:
    """Cases i/151, i/154."""
    with ScriptedServer([Reply((chunk({}, "stop"),))] * 9) as server:
        assert "gave an empty answer" in str(failure(server))
        assert len(server.requests) == 4


def test_a_retry_waits_as_long_as_the_server_asks_and_says_so() -> None:
    """Cases i/151."""
    sink = Recorder()
    with ScriptedServer([error(429, "slow", headers={"Retry-After": "1"}), say("ok")]) as server:
        started = time.monotonic()
        ask(provider(server), sink=sink)
        waited = time.monotonic() - started
    ((level, text),) = sink.notices
    assert (level, text.endswith("slow; try 2 of 4 in 1.0 s")) == ("warning", True)
    assert waited >= 1.0


@pytest.mark.parametrize("value", ["60", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_a_wait_beyond_the_limit_is_told_instead_of_waited(value: str) -> None:
    with ScriptedServer([error(429, "slow", headers={"Retry-After": value})]) as server:
        text = str(failure(server))
        assert len(server.requests) == 1
    assert "is limiting requests (429): slow; it asks to wait" in text


@pytest.mark.parametrize("field", ["stream_options", "parallel_tool_calls"])
def test_an_optional_field_that_is_refused_is_left_out_and_remembered(field: str) -> None:
    """Cases i/152. `parallel_tool_calls` is never sent in the first place."""
    with ScriptedServer([say("a"), say("b")], unsupported=(field,)) as server:
        who = provider(server)
        assert [ask(who).message.content for _ in range(2)] == ["a", "b"]
        with_it = [field in body for body in server.requests]
    assert with_it == ([True, False, False] if field == "stream_options" else [False, False])


def test_a_silent_server_is_told_of_before_it_is_given_up() -> None:
    """Cases i/148."""
    sink = Recorder()
    with ScriptedServer([hang(), hang()]) as server:
        assert "nothing came from" in str(failure(server, sink, idle_timeout=IMPATIENT))
        assert len(server.requests) == 2
    assert any(text.startswith("no word from 127.0.0.1") for _, text in sink.notices)


@pytest.mark.parametrize(
    ("reason", "told"), [("length", "limit on the length"), ("content_filter", "filter")]
)
def test_an_answer_that_the_server_cut_short_says_so(reason: str, told: str) -> None:
    sink = Recorder()
    reply = Reply((chunk({"content": "half"}), chunk({}, reason)))
    with ScriptedServer([reply]) as server:
        assert ask(provider(server), sink=sink).message.content == "half"
    ((level, text),) = sink.notices
    assert (level, told in text) == ("warning", True)


def test_hostile_error_text_is_made_harmless() -> None:
    with ScriptedServer([error(400, "a\x1b[2J\x07\nb \u202e" + "x" * 5000)]) as server:
        text = str(failure(server))
    assert not set(text) & set("\x1b\x07\n\u202e")
    assert len(text) < 500
