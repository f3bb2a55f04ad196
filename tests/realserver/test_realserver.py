"""A second implementation of the protocol that is not ours: llama.cpp's server with a very small model."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.errors import BrokenAnswer, Interrupted, ProviderError
from hermes_tui.engine.interrupt import Token
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.openai import OpenAIProvider
from hermes_tui.tools.registry import discover
from tests.product.support import checkout, environment
from tests.providers.kit import Recorder, request, user
from tests.realserver.server import Forcing, RealServer
from tests.support.terminal import COMMAND

pytestmark = [pytest.mark.realserver, pytest.mark.timeout(600)]

LONG = user("Count from one to five hundred, one number a line.")


def provider(server: RealServer) -> OpenAIProvider:
    return OpenAIProvider(Endpoint(server.url, idle_timeout=300.0))


class Doing(Recorder):
    """A sink that does something once a few pieces have come."""

    def __init__(self, what: Any) -> None:
        super().__init__()
        self._what = what

    def text(self, piece: str) -> None:
        super().text(piece)
        if len(self.pieces) == 3:
            self._what()


def test_it_lists_its_model_and_streams_an_answer(real: RealServer) -> None:
    who, sink = provider(real), Recorder()
    answer = who.answer(request(user("Say hello.")), sink, Token())
    assert who.model
    assert len(sink.pieces) > 1
    assert answer.message.content == sink.said


def test_an_interrupt_returns_at_once_with_what_was_said_and_the_next_request_works(real: RealServer) -> None:
    who, token = provider(real), Token()
    stopped: list[float] = []

    def stop() -> None:
        stopped.append(time.monotonic())
        token.set()

    with pytest.raises(Interrupted) as caught:
        who.answer(request(LONG), Doing(stop), token)
    assert time.monotonic() - stopped[0] < 1.0
    assert caught.value.content
    assert who.answer(request(user("Say hello.")), Recorder(), Token()).message.content


def ask_headless(prompt: str, url: str, folder: Path) -> list[dict[str, Any]]:
    """Run the whole program with two tools: the model reads its instructions at the pace of one core."""
    shop, home = checkout(folder / "shop", files=3), folder / "home"
    (home / "hermes").mkdir(parents=True)
    others = [
        tool.schema.name for tool in discover() if tool.schema.name not in ("search_files", "read_file")
    ]
    settings = f"[tools]\nmax_steps = 4\ndisabled = {json.dumps(others)}\n"
    (home / "hermes" / "config.toml").write_text(settings)
    words = [str(COMMAND), "-p", prompt, "--output", "stream-json", "--base-url", url]
    environ = environment(home, OPENAI_API_KEY="")
    done = subprocess.run(words, cwd=shop, env=environ, capture_output=True, timeout=400, check=False)
    assert b"Traceback" not in done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_forced_tool_call_runs_and_its_result_goes_back(real: RealServer, tmp_path: Path) -> None:
    relay = Forcing(real.port, "search_files")
    try:
        lines = ask_headless("search for value", relay.url, tmp_path)
    finally:
        relay.close()
    first = next(line for line in lines if line["type"] == "call_finished")
    assert first["status"] in ("ok", "failed")
    sent = relay.bodies[1]["messages"]
    assert [message["role"] for message in sent[-2:]] == ["assistant", "tool"]
    assert sent[-2]["tool_calls"][0]["function"]["name"] == "search_files"
    assert sent[-1]["content"] == first["content"]
    started = next(line for line in lines if line["type"] == "call_started")
    assert isinstance(started["arguments"], dict), "its calls came in pieces that were put together wrong"
    assert (lines[-1]["type"], lines[-1]["reason"]) == ("turn_finished", "done")


def test_a_server_that_is_killed_in_mid_answer_is_one_line_and_what_was_said_is_kept(
    tmp_path: Path,
) -> None:
    with RealServer(tmp_path / "server.log") as server:
        who = provider(server)
        with pytest.raises(BrokenAnswer) as caught:
            who.answer(request(LONG), Doing(server.kill), Token())
        assert caught.value.content
        assert "\n" not in str(caught.value)
        with pytest.raises(ProviderError, match="nothing listens at"):
            who.answer(request(user("Say hello.")), Recorder(), Token())
        server.start()
        assert who.answer(request(user("Say hello.")), Recorder(), Token()).message.content
