"""The program's side of the socket: a child's requests become calls of this call, one after another."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Calls

ALLOWED: Final = ("read_file", "search_files", "write_file", "patch")
"""What code may call; commands it can start itself, behind the same walls."""
MOST: Final = 500
"""Calls of one run."""
LONGEST: Final = 20_000_000
"""Bytes of one request."""


@contextmanager
def serving(path: Path, calls: Calls) -> Iterator[None]:
    """Answer on a socket at `path`, in a private folder, while the body runs."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)
    threading.Thread(target=_accept, args=(server, calls), name="code rpc", daemon=True).start()
    try:
        yield
    finally:
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        server.close()


def _accept(server: socket.socket, calls: Calls) -> None:
    """Serve the one child, until it or the server goes away."""
    with suppress(OSError):
        connection, _ = server.accept()
        with connection, connection.makefile("rwb") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST), b"")):
                stream.write(json.dumps(_answer(line, number, calls)).encode() + b"\n")
                stream.flush()


def _answer(line: bytes, number: int, calls: Calls) -> dict[str, Any]:
    """Return the answer to one request; whatever is wrong with it is said."""
    try:
        request = json.loads(line)
        name, arguments = str(request["name"]), dict(request["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return {"ok": False, "content": "no such request"}
    if name not in ALLOWED:
        return {"ok": False, "content": f"code may call {', '.join(ALLOWED)}, not {name}"}
    if number >= MOST:
        return {"ok": False, "content": f"more than {MOST} calls in one run"}
    try:
        result = calls.call(name, arguments)
    except HermesError as error:
        result = Result(str(error) or "interrupted", ok=False)
    return {"ok": result.ok, "content": result.content}
