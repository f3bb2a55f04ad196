"""/tools: what the model can call here, set by set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.engine.errors import ToolError, UsageError
from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.judge import declare
from hermes_tui.engine.protocols import Tool
from hermes_tui.text import harmless, one_line
from hermes_tui.tools.base import samples
from hermes_tui.tools.registry import family

SHOWN = 60
"""Cells of a sample in the list."""


async def tools(hermes: Hermes, ui: UI, argument: str) -> None:
    """List the tools by set, each with its level for a sample input, or why it is missing.

    /tools NAME tells all of one. The level says what may run side by side: safe, scoped (when no paths
    overlap), interactive (asks you), undeclared (alone); another input may have another one. [tools] in
    config.toml switches tools and sets: enabled = ["@terminal", "read_file"], disabled = ["@web", "ha_*"].
    """
    off = hermes.toolbox.off()
    if argument:
        ui.say(one(hermes, argument, off))
        return
    sets: dict[str, list[str]] = {}
    for tool in (*hermes.toolbox, *off):
        sets.setdefault(family(tool), []).append(line(hermes, tool, tool in off))
    alone = sorted(lines[0] for name, lines in sets.items() if lines[0].split()[0] == name)
    several = [
        "\n".join([f"@{name}", *(f"  {each}" for each in lines)])
        for name, lines in sorted(sets.items())
        if lines[0].split()[0] != name
    ]
    ui.say("\n".join([*alone, *several]))


def complete_tools(hermes: Hermes) -> list[str]:
    """Return the names of the tools."""
    return [tool.schema.name for tool in hermes.toolbox]


def line(hermes: Hermes, tool: Tool, is_off: bool) -> str:
    """Return what the list says of a tool."""
    name = one_line(tool.schema.name, SHOWN)
    if is_off:
        return f"{name}  off: [tools] in config.toml"
    missing = tool.missing()
    if missing is not None:
        return f"{name}  missing: {one_line(missing, 200)}"
    sample, footprint = sampled(hermes, tool)
    level = footprint.level.value if footprint else "undeclared"
    return f"{name}  {level} for {one_line(written(sample), SHOWN)}"


def one(hermes: Hermes, wanted: str, off: Iterable[Tool]) -> str:
    """Return all there is to say of one tool; `UsageError` when there is none of this name."""
    everything = {tool.schema.name: tool for tool in (*hermes.toolbox, *off)}
    tool = everything.get(wanted)
    if tool is None:
        raise UsageError(f"no tool {wanted}; /tools lists them")
    lines = [f"{wanted}  (@{family(tool)})", harmless(tool.schema.description)]
    if tool in off:
        lines.append("off: [tools] in config.toml")
    elif (missing := tool.missing()) is not None:
        lines.append(f"missing: {harmless(missing)}")
    sample, footprint = sampled(hermes, tool)
    if footprint is not None:
        why = f" · {harmless(footprint.why)}" if footprint.why else ""
        lines.append(f"{footprint.level.value} for {harmless(written(sample))}{why}")
        lines += [f"  reads {', '.join(footprint.reads)}"] if footprint.reads else []
        lines += [f"  writes {', '.join(footprint.writes)}"] if footprint.writes else []
    return "\n".join(lines)


def sampled(hermes: Hermes, tool: Tool) -> tuple[Mapping[str, Any], Footprint | None]:
    """Return an input that a tool takes and what it would touch; None when its own examples do not fit."""
    sample: Mapping[str, Any] = {}
    for sample in samples(tool.schema.parameters):
        try:
            return sample, declare(tool, sample, hermes.folder)
        except ToolError:
            continue
    return sample, None


def written(sample: Mapping[str, Any]) -> str:
    """Return an input as the model would send it."""
    return json.dumps(sample, ensure_ascii=False)
