"""/model: which model answers."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI


async def model(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show the endpoint's models, or switch to one.

    /model NAME switches from the next message on; without a name, pick from what the endpoint lists.
    """
    name = argument
    if not name:
        choices = await ui.run(hermes.models)
        if not choices:
            ui.say(f"{hermes.provider_label} answers; it lists no other models")
            return
        now = choices.index(hermes.model) if hermes.model in choices else None
        picked = await ui.choose("Which model shall answer?", choices, now)
        if picked is None:
            return
        name = choices[picked]
    await ui.run(lambda: hermes.use_model(name))
    ui.say(f"model: {hermes.provider_label}, from the next message on")
