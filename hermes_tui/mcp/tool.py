"""One tool of a server, as the scheduler and the model see it. Unsafe unless the user said otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from hermes_tui.engine.footprint import ANYTHING, Access, Footprint, Hazard, Level, Subject, undeclared
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import ToolSchema
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.mcp.schema import exposed_name
from hermes_tui.mcp.specs import Spec
from hermes_tui.text import harmless

if TYPE_CHECKING:
    from mcp_types import Tool

DESCRIBED: Final = 2_000
"""Characters of a server's description that the model gets."""


class Ask(Protocol):
    """Calls a tool on its server and waits."""

    def __call__(self, tool: str, arguments: Mapping[str, Any], token: Token) -> Result:
        """Return the answer; `ToolError` when there is none, `Interrupted` at once when the token is set."""


class McpTool:
    """Implements `engine.protocols.Tool`."""

    for_agents = True

    def __init__(self, spec: Spec, tool: Tool, ask: Ask, lacks: Callable[[], str | None]) -> None:
        """`lacks` says why its server cannot answer now; the tool's schema has been mended."""
        self._spec = spec
        self._name = tool.name
        self._ask = ask
        self._lacks = lacks
        hint = tool.annotations.read_only_hint if tool.annotations else None
        self._beside = spec.parallel or (spec.believe_hints and hint is True)
        description = f"({spec.name}, an MCP server) {tool.description or tool.title or tool.name}"
        name = exposed_name(spec.name, tool.name)
        self._schema = ToolSchema(name, harmless(description)[:DESCRIBED], tool.input_schema)

    @property
    def schema(self) -> ToolSchema:
        """What the model is told."""
        return self._schema

    def missing(self) -> str | None:
        """Why its server cannot answer."""
        return self._lacks()

    def footprint(self, arguments: Mapping[str, Any], folder: Path) -> Footprint:
        """Return that it may do anything; side by side, reading everything, where the user opted in."""
        what = f"{self._spec.name}/{self._name}"
        why = f"calls {self._name} of the MCP server {self._spec.name}"
        subject = Subject("mcp", what, Access.RUN, Hazard.UNKNOWN, pattern=what, why=why)
        if self._beside:
            return Footprint(Level.SAFE, (ANYTHING,), (), Hazard.UNKNOWN, (subject,))
        return undeclared(f"{why}, which may change anything", (subject,))

    def preview(self, arguments: Mapping[str, Any], folder: Path) -> str:
        """Return exactly what is sent."""
        shown = json.dumps(dict(arguments), ensure_ascii=False, indent=2, default=str)
        return f"{self._spec.name}: {self._name}\n{shown}"

    def run(self, arguments: Mapping[str, Any], call: Call) -> Result:
        """Ask the server."""
        return self._ask(self._name, arguments, call.token)
