"""/memory: what is remembered from session to session."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.text import harmless


async def memory(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show the notes that later sessions go by, and the files they stand in.

    The files are yours to edit; a change counts from the next session or /clear.
    """
    lines = []
    for target, file in hermes.extras.memory.files.items():
        entries = hermes.extras.memory.entries(target)
        lines.append(f"{'this project' if target == 'project' else 'you'} · {file}")
        lines += [f"  - {harmless(entry)}" for entry in entries] or ["  (nothing yet)"]
    ui.say("\n".join(lines))
