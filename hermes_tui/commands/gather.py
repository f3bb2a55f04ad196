"""All slash commands of a run: the program's own, those of plugins, and prompt files."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from hermes_tui.commands.prompts import from_files
from hermes_tui.commands.registry import Command, Commands, load

if TYPE_CHECKING:
    from hermes_tui.assemble import Hermes


def gather(hermes: Hermes) -> Commands:
    """Return every command; what cannot be used is a notice."""
    own = load()
    commands = own.all()
    taken = {command.name for command in commands}
    for function in hermes.extras.plugins.commands:
        name = getattr(function, "__name__", "")
        if not inspect.iscoroutinefunction(function) or name in taken:
            hermes.notice("warning", f"a plugin's command {name!r} is not used: taken, or no async def")
            continue
        first, _, rest = (inspect.getdoc(function) or "").partition("\n")
        commands.append(Command(name, first.rstrip("."), rest.strip(), function))
        taken.add(name)
    prompts, notices = from_files(hermes.extras.folders("commands"), taken)
    for text in notices:
        hermes.notice("warning", text)
    return Commands([*commands, *prompts])
