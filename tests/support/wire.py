"""The HTTP side of the scripted server: turns replies into bytes on a socket, and hang-ups into notes."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, cast

from tests.support.replies import Drop, Part, Pause, Reply, error


class Owner(Protocol):
    """What the wire needs of the scripted server."""

    models: Sequence[str]
    model_requests: int

    def take(self, body: dict[str, Any], headers: dict[str, str]) -> Reply:
        """Record a request and return what to answer."""

    def embed(self, body: dict[str, Any]) -> Reply:
        """Record a request for vectors and return what to answer."""

    def hung_up(self) -> None:
        """Note that the client went away."""

    def pause(self, gate: threading.Event, connection: socket.socket) -> bool:
        """Wait for the gate; False when the client hung up or the server closes."""


class HttpServer(ThreadingHTTPServer):
    """Listens on a free port of 127.0.0.1."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, owner: Owner) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.owner = owner

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Be quiet: a client that leaves is part of the tests."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Be quiet."""

    @property
    def owner(self) -> Owner:
        """The scripted server."""
        return cast(HttpServer, self.server).owner

    def do_GET(self) -> None:
        if not self.path.endswith("/v1/models"):
            self._whole(error(404, f"no such page: {self.path}"))
            return
        self.owner.model_requests += 1
        data = [
            {"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in self.owner.models
        ]
        self._whole(Reply(body=json.dumps({"object": "list", "data": data}).encode()))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/v1/embeddings"):
            self._whole(self.owner.embed(json.loads(raw)))
            return
        if not self.path.endswith("/v1/chat/completions"):
            self._whole(error(404, f"no such page: {self.path}"))
            return
        reply = self.owner.take(json.loads(raw), {k.lower(): v for k, v in self.headers.items()})
        try:
            if reply.body is not None:
                self._whole(reply)
            else:
                self._stream(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.owner.hung_up()
            self.close_connection = True

    def _whole(self, reply: Reply) -> None:
        body = reply.body or b""
        self._head(reply, {"Content-Type": "application/json", "Content-Length": str(len(body))})
        self.wfile.write(body)

    def _stream(self, reply: Reply) -> None:
        self._headed = False
        if all(self._part(reply, part) for part in reply.parts):
            self._head_once(reply)
            self.wfile.write(b"0\r\n\r\n")
        else:
            self._cut()

    def _part(self, reply: Reply, part: Part) -> bool:
        """Send one part; False when the connection is to be cut."""
        if isinstance(part, Drop):
            return False
        if isinstance(part, Pause):
            part.reached.set()
            return self.owner.pause(part.gate, self.connection)
        self._head_once(reply)
        if part:
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        return True

    def _head_once(self, reply: Reply) -> None:
        if not self._headed:
            self._headed = True
            self._head(reply, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})

    def _head(self, reply: Reply, headers: dict[str, str]) -> None:
        self.send_response(reply.status)
        for name, value in {**headers, **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _cut(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
