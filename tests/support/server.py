"""A scripted OpenAI-compatible endpoint on a real socket, as strict as the strictest provider.

    with ScriptedServer([calls(("read_file", {"path": "a"})), say("Done.")]) as server:
        ... point the product at server.url ...
    # leaving checks that no request broke a rule of strict.py

Each POST takes the next step of the script: a `Reply`, or a function from the request's body to one.
A request that breaks a rule, or comes when the script is at its end, gets a 400 and is remembered in
`server.violations`. Replies are built with the functions of tests/support/replies.py.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any

from tests.support.replies import (
    Call,
    Drop,
    Pause,
    Reply,
    calls,
    chunk,
    error,
    hang,
    raw_calls,
    say,
    sse,
    vectors,
)
from tests.support.strict import Reasoning, violations
from tests.support.wire import HttpServer

__all__ = [
    "Call",
    "Drop",
    "Pause",
    "Reply",
    "ScriptedServer",
    "calls",
    "chunk",
    "error",
    "hang",
    "raw_calls",
    "say",
    "sse",
]

Step = Reply | Callable[[dict[str, Any]], Reply]
DEADLINE = 30.0
"""Seconds after which a pause that nobody ends gives up, so that a broken test ends."""


class ScriptedServer:
    """The endpoint; a context manager. Thread-safe."""

    def __init__(
        self,
        script: Iterable[Step] = (),
        *,
        models: Sequence[str] = ("scripted-1",),
        key: str | None = None,
        reasoning: Reasoning = "forbid",
        unsupported: Sequence[str] = (),
        lenient: bool = False,
    ) -> None:
        self.models = models
        self.key = key
        """Demanded as bearer token; None: none is."""
        self.reasoning = reasoning
        self.unsupported = unsupported
        """Body keys answered with 400 "unsupported parameter"."""
        self.lenient = lenient
        """Do not fail at the end for violations; they are in `violations`."""
        self.alternate = False
        """Set it to take no user message behind another or behind a tool's."""
        self.requests: list[dict[str, Any]] = []
        """Bodies of the POSTs, in order, refused ones included."""
        self.headers: list[dict[str, str]] = []
        """Their headers, names in lower case."""
        self.embeddings: list[dict[str, Any]] = []
        """Bodies of POST /embeddings, in order."""
        self.embedding: Reply | None = None
        """What each of them gets instead of vectors; None: vectors."""
        self.model_requests = 0
        """How often GET /models was asked."""
        self.violations: list[str] = []
        self.disconnects = 0
        """How often the client hung up while a reply was paused or being sent."""
        self._script = list(script)
        self._sent: list[str] = []
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._http = HttpServer(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The base URL to give to the product."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def left(self) -> int:
        """How many steps of the script have not been asked for."""
        with self._changed:
            return len(self._script)

    def add(self, *steps: Step) -> None:
        """Put more steps at the end of the script."""
        with self._changed:
            self._script += steps

    def replace(self, *steps: Step) -> None:
        """Put these steps in the place of those that are left."""
        with self._changed:
            self._script[:] = steps

    def wait_for_requests(self, count: int, timeout: float = 10.0) -> None:
        """Return once `count` POSTs have come; fail when they do not."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.requests) >= count, timeout):
                raise AssertionError(f"{len(self.requests)} of {count} requests came within {timeout} s")

    def wait_for_disconnects(self, count: int, timeout: float = 10.0) -> None:
        """Return once the client hung up `count` times; fail when it does not."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.disconnects >= count, timeout):
                raise AssertionError(f"{self.disconnects} of {count} hang-ups came within {timeout} s")

    def assert_every_call_answered(self) -> None:
        """Fail unless the newest request holds exactly one tool message for each call ever sent."""
        answered = [m["tool_call_id"] for m in self.requests[-1]["messages"] if m["role"] == "tool"]
        assert answered == self._sent, f"calls sent: {self._sent}, tool messages got: {answered}"

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        if kind is None and not self.lenient:
            assert self.violations == [], self.violations

    # -- for the handler ------------------------------------------------------------------------------

    def take(self, body: dict[str, Any], headers: dict[str, str]) -> Reply:
        """Record a request and return what to answer."""
        with self._changed:
            self.requests.append(body)
            self.headers.append(headers)
            self._changed.notify_all()
            refusal = self._refuse(body, headers)
            if refusal is not None:
                return refusal
            step = self._script.pop(0)
        reply = step(body) if callable(step) else step
        with self._changed:
            self._sent += reply.call_ids
        return reply

    def embed(self, body: dict[str, Any]) -> Reply:
        """Record a request for vectors and return what to answer."""
        with self._changed:
            self.embeddings.append(body)
            self._changed.notify_all()
        return self.embedding or vectors(body)

    def _refuse(self, body: dict[str, Any], headers: dict[str, str]) -> Reply | None:
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            return error(401, "Incorrect API key provided.", code="invalid_api_key")
        for name in self.unsupported:
            if name in body:
                text = f"Unsupported parameter: '{name}'."
                return error(400, text, param=name, code="unsupported_parameter")
        found = violations(body, self.reasoning, self.alternate)
        if not found and not self._script:
            found = ["a request after the end of the script"]
        if found:
            self.violations += [f"request {len(self.requests)}: {text}" for text in found]
            return error(400, found[0], code="invalid_request_error")
        return None

    def hung_up(self) -> None:
        """Note that the client went away."""
        with self._changed:
            self.disconnects += 1
            self._changed.notify_all()

    def pause(self, gate: threading.Event, connection: socket.socket) -> bool:
        """Wait for the gate; False when the client hung up or the server closes."""
        waited = 0.0
        while not gate.wait(0.01):
            waited += 0.01
            if self._closing.is_set() or waited > DEADLINE:
                return False
            if select.select([connection], [], [], 0)[0] and not connection.recv(1, socket.MSG_PEEK):
                self.hung_up()
                return False
        return True
