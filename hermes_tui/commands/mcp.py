"""/mcp: the MCP servers, their tools, and what they said last."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.text import harmless


async def mcp(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show the MCP servers; /mcp NAME its tools and errors; /mcp restart NAME starts it anew.

    Servers stand in [mcp.NAME] of config.toml, and in .mcp.json of a trusted project.
    """
    word, _, name = argument.partition(" ")
    if word == "restart":
        hermes.extras.servers.restart(name.strip())
        ui.say(f"{name.strip()} is started anew")
        return
    states = hermes.extras.servers.states()
    if not states:
        ui.say("no MCP servers; put them into [mcp.NAME] of config.toml, or .mcp.json and /trust")
        return
    if argument:
        found = next((state for state in states if state.name == argument), None)
        if found is None:
            ui.warn(f"no MCP server {argument!r}; there are {', '.join(state.name for state in states)}")
            return
        tools = ", ".join(found.tools) or "none"
        ui.say(harmless(f"{found.name} · {found.state} {found.why}\ntools: {tools}\n{found.tail}".rstrip()))
        return
    lines = [f"{s.name}  {s.state}  {len(s.tools)} tools  ({s.origin})  {s.why}".rstrip() for s in states]
    ui.say(harmless("\n".join(lines)))


def complete_mcp(hermes: Hermes) -> Sequence[str]:
    """Return what can follow."""
    names = [state.name for state in hermes.extras.servers.states()]
    return [*names, *(f"restart {name}" for name in names)]
