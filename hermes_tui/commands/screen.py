"""/theme, /clear and /quit: what concerns the screen."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI


async def theme(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show or set the colours.

    /theme NAME; without a name, pick one: each is tried as the cursor passes it.
    """
    names = ui.themes()
    name = argument
    if not names:
        ui.warn("there are no themes in line mode")
        return
    if not name:
        now = names.index(hermes.theme) if hermes.theme in names else None
        picked = await ui.choose("Which theme?", names, now, lambda at: ui.set_theme(names[at]))
        if picked is None:
            ui.set_theme(hermes.theme)
            return
        name = names[picked]
    ui.set_theme(name)
    hermes.theme = name


def complete_theme(hermes: Hermes, ui: UI) -> Sequence[str]:
    """All themes."""
    return ui.themes()


async def clear(hermes: Hermes, ui: UI, argument: str) -> None:
    """Start a new conversation in this folder.

    Files and checkpoints stay as they are; the model forgets what was said.
    """
    await ui.run(hermes.new_conversation)
    ui.clear()
    ui.say("a new conversation; files and checkpoints are as they were")


async def quit(hermes: Hermes, ui: UI, argument: str) -> None:
    """Leave; background processes end."""
    ui.quit()
