"""/help: what the program is, its commands, its keys."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI

REHEARSAL = """\
This is the rehearsal: no language model, only rules that turn plain requests into real calls.
Try "compare A B C", "read F", "search X in D", "replace A with B in F", "write F: text", "run CMD",
"ask me A or B", several joined by "and"; in English or Chinese.
For a model, set OPENAI_API_KEY, or start with --base-url."""


async def help(hermes: Hermes, ui: UI, argument: str) -> None:
    """List the commands and keys.

    /help NAME says how one command is used.
    """
    if argument:
        command = hermes.commands.get(argument.removeprefix("/"))
        ui.say(
            f"/{command.name}: {command.help}\n{command.usage}".rstrip()
            if command
            else f"no command /{argument}"
        )
        return
    commands = [(f"/{name}", text) for name, text in hermes.commands.names()]
    parts = (about(hermes), columns(commands), columns(ui.keys()))
    ui.say("\n\n".join(part for part in parts if part))


def columns(rows: Sequence[tuple[str, str]]) -> str:
    """Return names and what they do, a line each, the second column straight."""
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows)


def about(hermes: Hermes) -> str:
    """Say who answers: a model, or the rehearsal, which is none."""
    if hermes.rehearsing:
        return REHEARSAL
    return f"{hermes.provider_label} answers. Ask for anything in {hermes.folder}."
