"""An interrupt returns at once, wherever the request stands, and lets go of the connection."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.interrupt import Token
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.openai import OpenAIProvider
from tests.providers.kit import Recorder, ask, provider
from tests.support.server import Pause, Reply, ScriptedServer, calls, chunk, error, hang, say

AT_ONCE = 2.0
"""Seconds; the idle time-outs and waits below are far longer."""


def interrupted(who: OpenAIProvider, when: Callable[[], object], sink: Recorder | None = None) -> Interrupted:
    """Ask, set the token once `when` returns, and return what that raised."""
    token = Token()
    told: list[float] = []

    def stop() -> None:
        when()
        told.append(time.monotonic())
        token.set()

    thread = threading.Thread(target=stop, daemon=True)
    thread.start()
    with pytest.raises(Interrupted) as caught:
        ask(who, sink=sink, token=token)
    assert time.monotonic() - told[0] < AT_ONCE
    thread.join()
    return caught.value


def test_while_the_server_thinks() -> None:
    pause = Pause()
    with ScriptedServer([Reply((pause,))]) as server:
        assert interrupted(provider(server), pause.reached.wait).content == ""
        server.wait_for_disconnects(1)


def test_while_text_streams_what_was_said_is_kept() -> None:
    """Cases i/148: a server that stops in the middle."""
    sink = Recorder()
    with ScriptedServer([hang("Hel", "lo")]) as server:
        stop = interrupted(provider(server), lambda: until(lambda: sink.said == "Hello"), sink)
        server.wait_for_disconnects(1)
    assert stop.content == "Hello"


def test_while_a_call_is_half_written_nothing_of_it_is_kept() -> None:
    pause = Pause()
    whole = calls(("read_file", {"path": "a"}))
    with ScriptedServer([Reply((*whole.parts[:2], pause))]) as server:
        assert interrupted(provider(server), pause.reached.wait).content == ""


def test_while_a_retry_is_waited_for() -> None:
    """Cases i/151."""
    sink = Recorder()
    with ScriptedServer([error(429, "slow", headers={"Retry-After": "15"})]) as server:
        interrupted(provider(server), lambda: until(lambda: bool(sink.notices)), sink)
        assert len(server.requests) == 1


def test_while_the_models_are_listed() -> None:
    listener = Silent()
    who = OpenAIProvider(Endpoint(f"http://127.0.0.1:{listener.port}/v1"))
    interrupted(who, listener.accept)
    listener.close()


def test_in_a_flood_of_text() -> None:
    sink = Recorder()
    flood = Reply((*([chunk({"content": "x" * 50})] * 20_000),))
    with ScriptedServer([flood], lenient=True) as server:
        interrupted(provider(server), lambda: until(lambda: len(sink.pieces) > 50), sink)
    assert len(sink.pieces) < 20_000


def test_before_anything_was_sent() -> None:
    token = Token()
    token.set()
    with ScriptedServer() as server:
        with pytest.raises(Interrupted):
            ask(provider(server), token=token)
        assert server.requests == []


def test_the_next_request_after_an_interrupt_works_at_once() -> None:
    """Cases c/46."""
    pause = Pause()
    with ScriptedServer([Reply((pause,)), say("ok")]) as server:
        who = provider(server)
        interrupted(who, pause.reached.wait)
        assert ask(who).message.content == "ok"


def test_close_returns_at_once_and_ends_the_thread() -> None:
    pause = Pause()
    before = set(threading.enumerate())
    with ScriptedServer([Reply((pause,))]) as server:
        who = provider(server)
        token = Token()
        asking = threading.Thread(target=_swallow, args=(who, token), daemon=True)
        asking.start()
        pause.reached.wait(10)
        own = [t for t in threading.enumerate() if t not in before and t.name == "provider"]
        started = time.monotonic()
        who.close()
        assert time.monotonic() - started < AT_ONCE
        for thread in own:
            thread.join(5)
        assert [thread.is_alive() for thread in own] == [False]
        server.wait_for_disconnects(1)
        token.set()
        asking.join(5)


def _swallow(who: OpenAIProvider, token: Token) -> None:
    with pytest.raises(Interrupted):
        ask(who, token=token)


def until(condition: Callable[[], bool], deadline: float = 10.0) -> None:
    end = time.monotonic() + deadline
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


class Silent:
    """A socket that accepts and never answers."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def accept(self) -> None:
        self._open.append(self._socket.accept()[0])

    def close(self) -> None:
        for connection in self._open:
            connection.close()
        self._socket.close()
