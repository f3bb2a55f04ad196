"""One server: started in the background, asked on the private loop, its errors kept. Knows the SDK."""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
import uuid
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hermes_tui import __version__
from hermes_tui.engine.judge import one_line
from hermes_tui.mcp.mend import mended
from hermes_tui.mcp.specs import Spec
from hermes_tui.processes.environment import marked
from hermes_tui.processes.kill import kill_marked
from hermes_tui.text import harmless

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult, Tool

START_LIMIT: Final = 30.0
"""Seconds that a server has to answer for the first time."""
MOST_TOOLS: Final = 500
TAIL: Final = 4_000
"""Bytes of a server's standard error that are kept for `/mcp`."""


@dataclass(slots=True)
class State:
    """How a server is, for the tools, `/mcp` and notices."""

    name: str = "starting"
    """starting, ready, failed, or closed."""
    why: str = ""
    """Why it failed or closed, in one line."""
    tools: list[Tool] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """A line on each tool that cannot be used."""


class Connection:
    """Everything here runs on the private loop, except `state`, `tail` and `kill`, which anybody may use."""

    def __init__(
        self, spec: Spec, folder: Path, environ: Mapping[str, str], changed: Callable[[Connection], None]
    ) -> None:
        self.spec = spec
        self.state = State()
        self._folder = folder
        self._environ = environ
        self._changed = changed
        self._mark = uuid.uuid4().hex
        self._client: Client | None = None
        self._done = asyncio.Event()
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - lives as long as the server

    async def run(self) -> None:
        """Start the server, hold the connection until `stop`, and end it."""
        logging.getLogger("mcp").addHandler(logging.NullHandler())
        logging.getLogger("mcp").propagate = False  # the screen is no place for the SDK's remarks
        try:
            async with AsyncExitStack() as stack:
                try:
                    async with asyncio.timeout(START_LIMIT):
                        client = await stack.enter_async_context(await self._make(stack))
                        self.state.tools = await _tools(client)
                except TimeoutError:
                    self._is("failed", f"it did not answer within {START_LIMIT:g} s")
                    return
                self._client = client
                self._is("ready")
                await self._done.wait()
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:  # a group of whatever SDK, process and network raise
            self._is("failed", self._reason(error))
        finally:
            self._client = None
            if self.state.name == "ready":
                self._is("closed", "stopped")
            kill_marked(self._mark)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Call a tool; raises `ConnectionError` when the server is not there."""
        if self._client is None:
            raise ConnectionError(self.state.why or f"it is {self.state.name}")
        try:
            return await self._client.call_tool(tool, dict(arguments))
        except Exception as error:
            if _is_broken(error):
                self._is("failed", f"the connection broke: {self._reason(error)}")
                self._done.set()
                raise ConnectionError(self.state.why) from None
            raise

    def stop(self) -> None:
        """End the connection, and the server with it."""
        self._done.set()

    def kill(self) -> None:
        """End the server's processes now, from any thread."""
        if self.spec.command:
            kill_marked(self._mark)

    def tail(self) -> str:
        """Return the end of what the server wrote to its standard error."""
        size = os.fstat(self._errors.fileno()).st_size
        data = os.pread(self._errors.fileno(), TAIL, max(0, size - TAIL))
        return harmless(data.decode("utf-8", "replace")).strip()

    async def _make(self, stack: AsyncExitStack) -> Client:
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client
        from mcp_types import Implementation

        left_out = self.state.left_out
        me = Implementation(name="hermes-tui", version=__version__)
        if self.spec.url:
            import httpx2

            http = await stack.enter_async_context(
                httpx2.AsyncClient(headers=dict(self.spec.headers), timeout=httpx2.Timeout(30, read=None))
            )
            return Client(
                mended(streamable_http_client(self.spec.url, http_client=http), left_out), client_info=me
            )
        server = StdioServerParameters(
            command=self.spec.command,
            args=list(self.spec.args),
            env=marked({**self._environ, **self.spec.env}, self._mark),
            cwd=self._folder,
            encoding_error_handler="replace",
        )
        return Client(mended(stdio_client(server, self._errors), left_out), client_info=me, mode="legacy")

    def _is(self, name: str, why: str = "") -> None:
        self.state.name, self.state.why = name, why
        self._changed(self)

    def _reason(self, error: BaseException) -> str:
        """Return in one line what went wrong: the first of a group, and what the server said last."""
        while isinstance(error, BaseExceptionGroup) and error.exceptions:
            error = error.exceptions[0]
        if isinstance(error, ModuleNotFoundError) and error.name == "mcp":
            return "install hermes-tui[mcp]"
        if isinstance(error, FileNotFoundError):
            return f"no program {self.spec.command!r}; install it, or mend the command"
        last = self.tail().rpartition("\n")[2][:200]
        said = one_line(error) if isinstance(error, Exception) else type(error).__name__
        return f"{said}; it said: {last}" if last else said


async def _tools(client: Client) -> list[Tool]:
    """Return all its tools, page by page."""
    found: list[Tool] = []
    cursor: str | None = None
    while len(found) < MOST_TOOLS:
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if not cursor:
            break
    return found[:MOST_TOOLS]


def _is_broken(error: BaseException) -> bool:
    """Whether the server has gone, rather than refused."""
    import anyio

    gone = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, ConnectionError)
    return isinstance(error, gone) or "onnection closed" in str(error)
