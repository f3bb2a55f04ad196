"""/permission: what runs without a question."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.assemble import MODES, Hermes
from hermes_tui.commands.ui import UI

MEANING = {
    "plan": "nothing that has an effect",
    "ask": "reads inside the project run; the rest asks",
    "edits": "file edits inside the project run too",
    "all": "everything runs; only protected places ask",
}


async def permission(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show or set what runs without a question.

    /permission plan, ask, edits or all; without a word, pick one and see the rules in force.
    """
    mode = argument
    if not mode:
        for kind, rule in hermes.permissions.rules():
            ui.say(f"{kind}: {rule}")
        options = [f"{m}: {MEANING[m]}" for m in MODES]
        picked = await ui.choose("What may run unasked?", options, MODES.index(hermes.permissions.mode))
        if picked is None:
            return
        mode = MODES[picked]
    if mode not in MODES:
        ui.warn(f"no permission mode {mode!r}; there are {', '.join(MODES)}")
        return
    hermes.permissions.mode = mode
    ui.say(f"permission: {mode} ({MEANING[mode]})")


def complete_permission(hermes: Hermes) -> Sequence[str]:
    """The four modes."""
    return MODES
