"""Which hosts the web tools may talk to: checked on the addresses themselves, when the connection is made.

A name that is looked up twice may have two answers, so the address that was checked is the one connected to.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Collection, Iterable
from typing import Any

import httpcore

from hermes_tui.engine.errors import Interrupted, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.tools.addresses import is_public


class Private(ToolError):
    """The host lies in this machine's own network."""


class GuardedBackend(httpcore.NetworkBackend):
    """Connects to checked addresses only, and lets go of every connection once the token is set."""

    def __init__(self, allowed: Collection[str], token: Token, deadline: float) -> None:
        """`allowed`: `host` or `host:port` that may be private; `deadline`: monotonic seconds."""
        self._allowed = allowed
        self._token = token
        self._deadline = deadline
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        token.future.add_done_callback(lambda _: self._shut())

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Look the host up, check every address, and connect to the first that answers."""
        problem = f"{host} has no address"
        for address in self._addresses(host, port):
            try:
                connection = socket.create_connection((address, port), self._left(timeout))
            except OSError as error:
                problem = f"{host} cannot be reached: {error.strerror or error}"
                continue
            with self._lock:
                self._open.append(connection)
            if self._token.is_set:
                self._shut()
            return _Stream(connection, self)
        self._token.raise_if_set()
        raise ToolError(problem)

    def connect_unix_socket(self, path: str, *rest: Any, **more: Any) -> httpcore.NetworkStream:
        """Refuse: no web address leads to one."""
        raise ToolError("a web address cannot lead to a socket of this machine")

    def sleep(self, seconds: float) -> None:
        """Wait, as httpcore does between tries; none is configured."""
        time.sleep(seconds)

    def left(self) -> float:
        """Return the seconds that are left; raises when there are none or the call was stopped."""
        return self._left(None)

    def _addresses(self, host: str, port: int) -> list[str]:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise ToolError(f"{host} cannot be found: {getattr(error, 'strerror', None) or error}") from None
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if host in self._allowed or f"{host}:{port}" in self._allowed:
            return addresses
        private = [address for address in addresses if not is_public(address)]
        if private:
            raise Private(
                f"{host} is {private[0]}, in this machine's own network, and was not asked. The user can "
                f'allow it in config.toml: [web] allow_private = ["{host}:{port}"]'
            )
        return addresses

    def _left(self, timeout: float | None) -> float:
        self._token.raise_if_set()
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise ToolError("it took too long and was given up")
        return left if timeout is None else min(left, timeout)

    def _shut(self) -> None:
        """Wake every read that waits: closing a socket does not, shutting it down does."""
        with self._lock:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # it is closed already


class _Stream(httpcore.NetworkStream):
    """A connection whose every step is bounded by the time that is left."""

    def __init__(self, connection: socket.socket, backend: GuardedBackend) -> None:
        self._connection = connection
        self._backend = backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return what has come."""
        self._connection.settimeout(self._backend.left())
        try:
            data = self._connection.recv(max_bytes)
        except OSError as error:
            raise self._broken(error) from None
        if not data:
            self._backend.left()  # shut down by an interrupt reads as the end
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all of it."""
        self._connection.settimeout(self._backend.left())
        try:
            self._connection.sendall(buffer)
        except OSError as error:
            raise self._broken(error) from None

    def close(self) -> None:
        """Close it."""
        self._connection.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> _Stream:
        """Go on encrypted, the certificate checked against the name that was asked for."""
        self._connection.settimeout(self._backend.left())
        try:
            self._connection = ssl_context.wrap_socket(self._connection, server_hostname=server_hostname)
        except OSError as error:
            raise self._broken(error) from None
        return self

    def get_extra_info(self, info: str) -> Any:
        """Say that the connection is readable when it is not fit for another request."""
        return None

    def _broken(self, error: OSError) -> Exception:
        try:
            self._backend.left()
        except (ToolError, Interrupted) as why:
            return why
        return ToolError(f"the connection broke: {error.strerror or error}")
