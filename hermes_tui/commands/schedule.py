"""/schedule: how the next batches are planned."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.assemble import SCHEDULES, Hermes
from hermes_tui.commands.ui import UI

MEANING = {
    "batch": "all at once when no path is shared, else one after another",
    "graph": "a call waits for exactly the earlier calls it conflicts with",
    "serial": "one after another",
}


async def schedule(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show or set how batches are planned.

    /schedule batch, graph or serial; without a word, pick one.
    """
    name = argument
    if not name:
        options = [f"{s}: {MEANING[s]}" for s in SCHEDULES]
        picked = await ui.choose("How shall batches run?", options, SCHEDULES.index(hermes.agent.schedule))
        if picked is None:
            return
        name = SCHEDULES[picked]
    if name not in SCHEDULES:
        ui.warn(f"no schedule {name!r}; there are {', '.join(SCHEDULES)}")
        return
    hermes.agent.schedule = name
    ui.say(f"schedule: {name} ({MEANING[name]})")


def complete_schedule(hermes: Hermes) -> Sequence[tuple[str, str]]:
    """The three schedules."""
    return [(name, MEANING[name]) for name in SCHEDULES]
