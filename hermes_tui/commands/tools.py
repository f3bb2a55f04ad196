"""/tools: what the model can call here."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI


async def tools(hermes: Hermes, ui: UI, argument: str) -> None:
    """List the tools, and why one is missing."""
    lines = []
    for tool in hermes.toolbox:
        missing = tool.missing()
        first = tool.schema.description.split("\n")[0]
        lines.append(
            f"{tool.schema.name}  {first}" if missing is None else f"{tool.schema.name}  missing: {missing}"
        )
    lines += [f"{name}  switched off in config.toml" for name in hermes.toolbox.off()]
    ui.say("\n".join(lines))
