"""Model servers on this machine are found by asking them; nothing else is mistaken for one."""

from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from hermes_tui.providers.local import LocalServer, find_local_servers
from tests.support.server import ScriptedServer


class WebPage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>a developer's own site</html>")

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet."""


def test_servers_are_found_in_order_with_their_models() -> None:
    with ScriptedServer(models=("embed-1", "chat-1")) as one, ScriptedServer(models=("chat-2",)) as two:
        found = find_local_servers({"Two": two.port, "One": one.port}, timeout=5)
    assert found == [
        LocalServer("Two", two.url, ("chat-2",), "chat-2"),
        LocalServer("One", one.url, ("embed-1", "chat-1"), "chat-1"),
    ]


def test_what_is_no_model_server_is_passed_over() -> None:
    page = HTTPServer(("127.0.0.1", 0), WebPage)
    threading.Thread(target=page.serve_forever, args=(0.02,), daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with ScriptedServer(models=()) as empty:
        found = find_local_servers({"Page": page.server_port, "Closed": port, "Empty": empty.port}, timeout=5)
    page.shutdown()
    page.server_close()
    assert found == []


def test_a_server_that_never_answers_does_not_hold_the_start() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, ScriptedServer() as server:
        started = time.monotonic()
        found = find_local_servers({"Silent": silent.getsockname()[1], "Real": server.port}, timeout=1.0)
        assert time.monotonic() - started < 5
    assert [each.name for each in found] == ["Real"]
