"""/trust: whether the folder's own files count."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI


async def trust(hermes: Hermes, ui: UI, argument: str) -> None:
    """Trust this folder's own files: AGENTS.md and .hermes-tui/.

    Bound to what they say now: when one changes, the folder has to be trusted again.
    """
    if hermes.project is None:
        ui.warn("the home folder and / cannot be trusted; start in a project's folder")
        return
    if hermes.trusted:
        ui.say(f"{hermes.project} is trusted")
        return
    body = f"AGENTS.md and .hermes-tui/ of {hermes.project} will count, as they are now."
    if await ui.confirm("Trust this folder?", body, "trust"):
        hermes.give_trust()
        ui.say("trusted; its settings count from the next start, its instructions from the next message")
