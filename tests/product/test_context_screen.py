"""What the user sees of it in a real terminal: /compact and its stop, /cost, /provider, written calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.product.test_context import WRITTEN, configure
from tests.support.server import Pause, ScriptedServer, error, say
from tests.support.terminal import COMMAND, Terminal


@contextmanager
def opened(shop: Path, environ: dict[str, str], *more: str) -> Iterator[Terminal]:
    with Terminal([str(COMMAND), *more], shop, 100, 30, environ) as terminal:
        terminal.wait("❯")
        yield terminal


def test_compacting_shows_what_it_did_and_the_model_goes_on_with_the_summary(
    shop: Path, environ: dict[str, str]
) -> None:
    with ScriptedServer([say("Noted."), say("A plan was made."), say("Yes.")]) as server:
        configure(environ, server)
        with opened(shop, environ) as terminal:
            terminal.line("remember the plan")
            terminal.wait("Noted.")
            terminal.line("/compact the plan")
            screen = terminal.wait("became a summary")
            assert "A plan was made." not in screen
            assert "remember the plan" in screen
            assert screen.count("/compact the plan") == 1
            terminal.line("still there?")
            terminal.wait("Yes.")
        assert "tools" not in server.requests[1]
        assert "A plan was made." in server.requests[2]["messages"][1]["content"]


def test_ctrl_c_stops_a_compaction_and_nothing_has_changed(shop: Path, environ: dict[str, str]) -> None:
    pause = Pause()
    with ScriptedServer([say("Noted."), say("half", pause), say("Yes.")]) as server:
        configure(environ, server)
        with opened(shop, environ) as terminal:
            terminal.line("remember the plan")
            terminal.wait("Noted.")
            terminal.line("/compact")
            assert pause.reached.wait(15)
            terminal.press("ctrl+c")
            terminal.wait("Interrupted", 5.0)
            terminal.line("still there?")
            terminal.wait("Yes.")
        contents = [message["content"] for message in server.requests[2]["messages"][1:]]
        assert contents == ["remember the plan", "Noted.", "still there?"]


def test_cost_says_tokens_and_price_of_the_turn_and_the_session(shop: Path, environ: dict[str, str]) -> None:
    script = [say("one", usage=(1_000, 100)), say("two", usage=(2_000, 100))]
    with ScriptedServer(script) as server:
        configure(environ, server, entry="price = { input = 2.0, output = 10.0 }")
        with opened(shop, environ) as terminal:
            for prompt, answer in (("first", "one"), ("second", "two")):
                terminal.line(prompt)
                terminal.wait(answer)
            terminal.line("/cost")
            for said in ("session: 2 requests, 3,000 tokens in, 200 out,", "$0.0080"):
                terminal.wait(said)
            for said in ("last turn: 1 request, 2,000 tokens in, 100 out,", "$0.0050"):
                terminal.wait(said)


def test_another_provider_answers_from_the_next_message_on(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([say("I am one.")]) as first, ScriptedServer([say("I am two.")]) as second:
        other = f'[providers.other]\nbase_url = "{second.url}"\nmodel = "m2"'
        configure(environ, first, entry=other)
        with opened(shop, environ) as terminal:
            terminal.line("who?")
            terminal.wait("I am one.")
            terminal.line("/provider other")
            terminal.wait("model: m2, from the next message on")
            terminal.line("and now?")
            terminal.wait("I am two.")
        assert second.requests[0]["messages"][1]["content"] == "who?"


def test_a_call_that_was_written_as_text_asks_and_says_why(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([say(WRITTEN), say("Read.")]) as server:
        configure(environ, server)
        with opened(shop, environ) as terminal:
            terminal.line("go")
            screen = terminal.wait("wrote this call into its text")
            assert "<tool_call>" not in screen


def test_a_wait_for_the_next_try_is_counted_down_and_ends_with_ctrl_c(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases i/151."""
    limited = error(429, "slow down", headers={"Retry-After": "15"})
    with ScriptedServer([limited]) as server:
        configure(environ, server)
        with opened(shop, environ) as terminal:
            terminal.line("go")
            terminal.wait("try 2 of 4 in 15.0")
            terminal.press("ctrl+c")
            terminal.wait("Interrupted", 3.0)
        assert len(server.requests) == 1


def test_a_compacted_and_forked_session_shows_what_was_said_when_it_is_resumed(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases h/146: the summary is for the model alone."""
    with ScriptedServer([say("Noted."), say("A plan was made."), say("Yes.")]) as server:
        configure(environ, server)
        with opened(shop, environ) as terminal:
            terminal.line("remember the plan")
            terminal.wait("Noted.")
            terminal.line("/compact")
            terminal.wait("became a summary")
            terminal.line("/fork")
            terminal.wait("this is a copy now")
            terminal.line("/quit")
            assert terminal.ended() == 0
        with opened(shop, environ, "--continue") as terminal:
            screen = terminal.wait("remember the plan")
            assert "A plan was made." not in screen
            terminal.line("still there?")
            terminal.wait("Yes.")
        sent = server.requests[2]["messages"][1:]
    assert [message["role"] for message in sent] == ["user"]
    assert "A plan was made." in sent[0]["content"]
    assert sent[0]["content"].endswith("still there?")
