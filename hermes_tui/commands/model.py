"""/model and /provider: who answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI


async def model(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show the endpoint's models, or switch to one.

    /model NAME switches from the next message on; without a name, pick from what the endpoint lists and
    from the providers of config.toml.
    """
    choices = [] if argument else await ui.run(hermes.models)
    if not argument and not choices:
        ui.say(f"{hermes.provider_label} answers; it lists no other models")
        return
    await _switch(hermes, ui, argument, choices, hermes.use_model)


def complete_model(hermes: Hermes) -> list[str]:
    """What the endpoint lists; asks it."""
    return hermes.models()


async def provider(hermes: Hermes, ui: UI, argument: str) -> None:
    """Switch to another provider of config.toml.

    /provider NAME switches from the next message on; without a name, pick one. NAME is that of a
    [providers.NAME] table, a model server found on this machine, or rehearsal.
    """
    await _switch(hermes, ui, argument, hermes.menu.providers(), hermes.use_provider)


def complete_provider(hermes: Hermes) -> list[str]:
    """The tables of config.toml and what was found on this machine."""
    return hermes.menu.providers()


async def _switch(
    hermes: Hermes, ui: UI, name: str, choices: Sequence[str], use: Callable[[str], None]
) -> None:
    """Switch to what was named, or to what is picked."""
    if not name:
        now = (hermes.menu.choice.name, hermes.model)
        current = next((number for number, each in enumerate(choices) if each in now), None)
        picked = await ui.choose("Who shall answer?", choices, current)
        if picked is None:
            return
        name = choices[picked]
    await ui.run(lambda: use(name))
    ui.say(f"model: {hermes.provider_label}, from the next message on")
