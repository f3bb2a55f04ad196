"""/help: what the program is, its commands, its keys."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI

KEYS = """\
Enter send · Ctrl+J new line · Shift+Tab permission mode · Ctrl+T runs panel · Tab to the panel and back
Ctrl-C stop what runs, else clear the line, else quit · Esc close or stop; twice when idle: checkpoints"""


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
    rows = hermes.commands.names()
    width = max(len(name) for name, _ in rows)
    lines = [f"/{name:<{width}}  {text}" for name, text in rows]
    ui.say("\n".join([about(hermes), "", *lines, "", KEYS]))


def about(hermes: Hermes) -> str:
    """Say who answers: a model, or the rehearsal, which is none."""
    if hermes.rehearsing:
        return REHEARSAL
    return f"{hermes.provider_label} answers. Ask for anything in {hermes.folder}."
