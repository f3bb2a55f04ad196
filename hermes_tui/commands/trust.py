"""/trust: whether the folder's own files count."""

from __future__ import annotations

from typing import Final

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.project import marks
from hermes_tui.text import one_line

SHOWN: Final = 40
"""Names of files that the question lists."""


async def trust(hermes: Hermes, ui: UI, argument: str) -> None:
    """Trust this folder's own files: AGENTS.md, .mcp.json and .hermes-tui/.

    Bound to what they say now: when one changes, the folder has to be trusted again.
    """
    if hermes.project is None:
        ui.warn("the home folder and / cannot be trusted; start in a project's folder")
        return
    if hermes.trusted:
        ui.say(f"{hermes.project} is trusted")
        return
    files = [one_line(name, 100) for name in marks(hermes.project, hermes.folder)]
    more = [f"… and {len(files) - SHOWN} more"] if len(files) > SHOWN else []
    listed = "\n".join([*files[:SHOWN], *more]) or "(there is none yet)"
    body = f"These files of {hermes.project} will count, as they are now:\n{listed}"
    if await ui.confirm("Trust this folder?", body, "trust"):
        hermes.give_trust()
        ui.say("trusted; its settings count from the next start, its instructions from the next message")
