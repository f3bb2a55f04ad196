"""The one way from the browser to the network: a proxy on loopback that checks each address it connects to.

A redirect, a web socket or a name that is looked up anew passes by the browser's own checks; nothing passes
by this. The address that was checked is the one connected to. It keeps nothing and reads no page.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Collection
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from hermes_tui.engine.errors import ToolError
from hermes_tui.tools.addresses import is_public

LARGEST_HEAD: Final = 64_000
REFUSED: Final = "x-hermes-tui-refused"
"""A header of the gate's own answers."""
PIECE: Final = 65_536
PATIENCE: Final = 15.0
"""Seconds to connect, and to hear the head of a request or an answer."""
HOP: Final = (b"connection", b"proxy-connection", b"keep-alive")
"""Headers that concern one connection, not the page."""


class Gate:
    """Serves until it is closed. A request that may not be made is answered with 403 and the reason."""

    def __init__(self, allowed: Collection[str]) -> None:
        """`allowed`: private hosts, or `host:port`, that may be asked."""
        self._allowed = allowed
        self._server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self.problem = ""
        """Why the last request that was not made was not."""
        threading.Thread(target=self._accept, name="browser gate", daemon=True).start()

    def close(self) -> None:
        """Take no more; connections that are open end with the browser."""
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                threading.Thread(target=self._serve, args=(client,), name="browser gate", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        """Serve one connection: a tunnel, or one request."""
        with client, suppress(OSError):
            head, rest = _head(client)
            method, _, target = head.partition(b"\r\n")[0].rpartition(b" ")[0].partition(b" ")
            try:
                host, port = _where(method, target.decode("ascii", "replace"))
                server = self._connect(host, port)
            except ToolError as error:
                self.problem = str(error)
                client.sendall(_refusal(str(error)))
                return
            with server:
                if method == b"CONNECT":
                    client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                    server.sendall(rest)
                    _relay(client, server)
                else:
                    server.sendall(_closing(head, _path(target)) + rest)
                    _relay(client, server, once=True)

    def _connect(self, host: str, port: int) -> socket.socket:
        """Look a host up, check every address, and connect to the first that answers."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise ToolError(f"{host} cannot be found") from None
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if host not in self._allowed and f"{host}:{port}" not in self._allowed:
            private = [address for address in addresses if not is_public(address)]
            if private:
                raise ToolError(
                    f"{host} is {private[0]}, in this machine's own network, and was not opened. The user "
                    f'can allow it in config.toml: [web] allow_private = ["{host}:{port}"]'
                )
        for address in addresses:
            with suppress(OSError):
                return socket.create_connection((address, port), PATIENCE)
        raise ToolError(f"{host} cannot be reached")


def _head(connection: socket.socket) -> tuple[bytes, bytes]:
    """Return the head with its empty line, and what came behind it; `OSError` when none comes."""
    connection.settimeout(PATIENCE)
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(PIECE)
        if not piece or len(data) > LARGEST_HEAD:
            raise OSError("no head")
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    return head + b"\r\n\r\n", rest


def _where(method: bytes, target: str) -> tuple[str, int]:
    """Return host and port of a request to a proxy."""
    try:
        parts = urlsplit(f"//{target}" if method == b"CONNECT" else target)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or (method != b"CONNECT" and parts.scheme != "http"):
        raise ToolError("this is no request to a web page")
    return host, port or (443 if method == b"CONNECT" else 80)


def _path(target: bytes) -> bytes:
    _, _, path = target.partition(b"://")[2].partition(b"/")
    return b"/" + path


def _refusal(why: str) -> bytes:
    body = why.encode()
    head = f"HTTP/1.1 403 Refused\r\n{REFUSED}: 1\r\nContent-Type: text/plain; charset=utf-8\r\n"
    return head.encode() + b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def _closing(head: bytes, path: bytes | None = None) -> bytes:
    """Return a head that ends its connection, so that the next request is checked as this one was."""
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    if path is not None:
        first = b" ".join((first.partition(b" ")[0], path, first.rpartition(b" ")[2]))
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() not in HOP]
    return b"\r\n".join([first, *kept, b"Connection: close", b"", b""])


def _relay(client: socket.socket, server: socket.socket, once: bool = False) -> None:
    """Pass both ways until an end closes; `once`: the answer ends the connection."""
    client.settimeout(None)
    up = threading.Thread(target=_pass, args=(client, server), name="browser gate", daemon=True)
    up.start()
    try:
        if once:
            head, rest = _head(server)
            client.sendall(_closing(head) + rest)
        server.settimeout(None)
        _pass(server, client)
    finally:
        for end in (client, server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        up.join()


def _pass(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(PIECE):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
