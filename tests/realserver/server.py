"""llama.cpp's own Python server as a process, and a relay that forces a tool call: the model is very small.

Set up by setup.sh. Nothing of ours answers here: only the relay's change to the request's body is ours.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
HOME = Path(os.environ.get("REALSERVER", ROOT / ".venv-realserver"))
PATIENCE = 120.0
"""Seconds for the server to load its model on a busy machine."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


class RealServer:
    """The server; a context manager. It can be killed and started again on the same port."""

    def __init__(self, log: Path) -> None:
        self.port = free_port()
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        """Start it and return once it lists its model."""
        words = [str(HOME / "bin" / "python"), "-m", "llama_cpp.server"]
        words += ["--model", str(HOME / "model.gguf"), "--host", "127.0.0.1", "--port", str(self.port)]
        words += ["--n_ctx", "8192", "--chat_format", "chatml-function-calling"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(words, stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text(errors="replace")
            assert time.monotonic() < deadline, "it did not answer in time"
            time.sleep(0.05)

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/v1/models")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def __enter__(self) -> RealServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()


class Forcing:
    """Relays to a server; the first request is told which tool to call, every one how long to answer."""

    def __init__(self, port: int, tool: str) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.replies: list[bytes] = []
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                """Be quiet."""

            def do_GET(self) -> None:
                self._relay("GET", None)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                relay.bodies.append(body)
                body = {**body, "max_tokens": 60}
                if len(relay.bodies) == 1:
                    body["tool_choice"] = {"type": "function", "function": {"name": tool}}
                self._relay("POST", json.dumps(body).encode())

            def _relay(self, method: str, body: bytes | None) -> None:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                connection.request(method, self.path, body, {"Content-Type": "application/json"})
                reply = connection.getresponse()
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.getheader("Content-Type", ""))
                self.end_headers()
                whole = b""
                while block := reply.read1(65536):
                    whole += block
                    self.wfile.write(block)
                relay.replies.append(whole)

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
