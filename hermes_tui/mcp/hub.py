"""All servers of a run: started at once in the background, each failing alone, ended with the program."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import Interrupted, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import one_line
from hermes_tui.engine.protocols import Result, Tool
from hermes_tui.mcp.answer import as_result
from hermes_tui.mcp.connection import Connection
from hermes_tui.mcp.specs import Spec
from hermes_tui.mcp.tool import McpTool

Notice = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class ServerState:
    """One server, for `/mcp`."""

    name: str
    state: str
    """starting, ready, failed or closed."""
    why: str
    origin: str
    tools: tuple[str, ...]
    tail: str
    """The end of its standard error."""


class Hub:
    """The servers and their tools. Thread-safe."""

    def __init__(self, folder: Path, environ: Mapping[str, str], notice: Notice) -> None:
        """`environ`: what every server inherits; `notice`: tells the user, level and text."""
        self._folder = folder
        self._environ = environ
        self._notice = notice
        self._lock = threading.Lock()
        self._news = threading.Condition(self._lock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connections: dict[str, Connection] = {}
        self._tools: dict[str, list[Tool]] = {}
        self._coming: set[str] = set()
        """Servers that have not said how they are."""
        self._closed = False

    # -- for the program ------------------------------------------------------------------------------

    def start(self, specs: Iterable[Spec]) -> None:
        """Start servers in the background; one whose name is taken is a notice. Returns at once."""
        for spec in specs:
            if spec.name in self._connections:
                self._notice(
                    "warning", f"MCP: there are two servers {spec.name}; that of {spec.origin} is not used"
                )
                continue
            self._open(spec)

    def settle(self, seconds: float) -> None:
        """Wait until every server has said how it is, for at most so long."""
        with self._news:
            self._news.wait_for(lambda: not self._coming, seconds)

    def tools(self) -> Sequence[Tool]:
        """Return the tools of all servers that have listed theirs."""
        with self._lock:
            return [tool for tools in self._tools.values() for tool in tools]

    def states(self) -> list[ServerState]:
        """Return how each server is."""
        with self._lock:
            connections = list(self._connections.values())
        return [
            ServerState(
                c.spec.name,
                c.state.name,
                c.state.why,
                c.spec.origin,
                tuple(tool.name for tool in c.state.tools),
                c.tail(),
            )
            for c in connections
        ]

    def restart(self, name: str) -> None:
        """Start a server anew; `ToolError` when there is none of this name. Returns at once."""
        connection = self._connections.get(name)
        if connection is None:
            raise ToolError(f"no MCP server {name!r}; there are {', '.join(self._connections) or 'none'}")
        if self._loop is not None:
            self._loop.call_soon_threadsafe(connection.stop)
        self._open(connection.spec)

    def close(self) -> None:
        """End every server now; waits for none."""
        self._closed = True
        with self._lock:
            connections = list(self._connections.values())
            loop = self._loop
        for connection in connections:
            connection.kill()
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)

    # -- on the way to a server -----------------------------------------------------------------------

    def _open(self, spec: Spec) -> None:
        loop = self._running_loop()
        connection = Connection(spec, self._folder, self._environ, self._changed)
        with self._lock:
            self._connections[spec.name] = connection
            self._tools.pop(spec.name, None)
            self._coming.add(spec.name)
        asyncio.run_coroutine_threadsafe(connection.run(), loop)

    def _changed(self, connection: Connection) -> None:
        """A server is ready, or gone: its tools with it."""
        name = connection.spec.name
        if self._closed or self._connections.get(name) is not connection:
            return
        if connection.state.name == "ready":
            made = self._made(connection)
            with self._lock:
                self._tools[name] = made
            self._notice("info", f"MCP server {name}: {len(made)} tools")
        elif connection.state.name == "failed":
            self._notice("warning", f"MCP server {name}: {connection.state.why} · /mcp restart {name}")
        with self._news:
            self._coming.discard(name)
            self._news.notify_all()

    def _made(self, connection: Connection) -> list[Tool]:
        """Return its tools; what is left out is said."""
        made: dict[str, Tool] = {}
        for text in connection.state.left_out:
            self._notice("warning", f"MCP server {connection.spec.name}: {text}")
        for tool in connection.state.tools:
            mine = McpTool(connection.spec, tool, partial(self._ask, connection), partial(_lacks, connection))
            if mine.schema.name in made:
                self._notice("warning", f"MCP server {connection.spec.name}: it has {tool.name} twice")
                continue
            made[mine.schema.name] = mine
        return list(made.values())

    def _ask(self, connection: Connection, tool: str, arguments: Mapping[str, Any], token: Token) -> Result:
        name = connection.spec.name
        if self._loop is None or connection.state.name != "ready":
            raise ToolError(f"the MCP server {name} is not there: {_lacks(connection)}")
        future = asyncio.run_coroutine_threadsafe(connection.call(tool, arguments), self._loop)
        waits: list[Future[Any]] = [future, token.future]
        wait(waits, return_when=FIRST_COMPLETED)
        if token.is_set:
            future.cancel()
            raise Interrupted
        try:
            return as_result(name, future.result())
        except ConnectionError as error:
            raise ToolError(
                f"the MCP server {name} is gone: {error}. The user can /mcp restart {name}"
            ) from None
        except Exception as error:
            raise ToolError(f"the MCP server {name} refused {tool}: {one_line(error)}") from None

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="mcp", daemon=True).start()
            return self._loop


def _lacks(connection: Connection) -> str | None:
    """Why a server's tools cannot work now."""
    state = connection.state
    if state.name == "ready":
        return None
    return f"the MCP server {connection.spec.name} is {state.name}" + (f": {state.why}" if state.why else "")
