"""Stands between a server and the SDK: mends the tools of a listing; the SDK refuses all for one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from hermes_tui.mcp.schema import repaired

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams


@asynccontextmanager
async def mended(
    transport: AbstractAsyncContextManager[TransportStreams], left_out: list[str]
) -> AsyncIterator[TransportStreams]:
    """Pass everything on; `left_out` gets a line on each tool that cannot be mended."""
    import anyio

    async with transport as (read, write), anyio.create_task_group() as tasks:
        sender, receiver = anyio.create_memory_object_stream[Any](0)

        async def pump() -> None:
            async with sender:
                try:
                    async for message in read:
                        mend(getattr(getattr(message, "message", None), "result", None), left_out)
                        await sender.send(message)
                except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                    return  # one of the two sides has gone

        tasks.start_soon(pump)
        try:
            yield receiver, write
        finally:
            tasks.cancel_scope.cancel()
            receiver.close()


def mend(result: Any, left_out: list[str]) -> None:
    """Mend the tools of one result, in place, if it lists any."""
    tools = result.get("tools") if isinstance(result, dict) else None
    if not isinstance(tools, list):
        return
    kept: list[dict[str, Any]] = []
    for tool in tools:
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str) or not name.strip():
            left_out.append("a tool without a name is left out")
            continue
        try:
            schema = repaired(tool.get("inputSchema"))
        except (ValueError, TypeError, RecursionError) as error:
            left_out.append(f"{name[:60]} is left out: {error}")
            continue
        wanted = ("name", "title", "description", "annotations")
        kept.append({key: tool[key] for key in wanted if tool.get(key) is not None} | {"inputSchema": schema})
    result["tools"] = kept
