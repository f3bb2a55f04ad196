"""/memory: what is remembered from session to session."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.text import harmless


async def memory(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show the notes that later sessions go by, and the files they stand in.

    The files are yours to edit; a change counts from the next session or /clear. Below them, what the
    external memory of [memory] in config.toml does, if there is one.
    """
    lines = []
    for target, file in hermes.extras.memory.files.items():
        entries = hermes.extras.memory.entries(target)
        lines.append(f"{'this project' if target == 'project' else 'you'} · {file}")
        lines += [f"  - {harmless(entry)}" for entry in entries] or ["  (nothing yet)"]
    ui.say("\n".join([*lines, *external(hermes)]))


def external(hermes: Hermes) -> list[str]:
    """Return what the external memory does; nothing when none is configured."""
    remembering, settings = hermes.extras.remembering, hermes.settings.memory
    if not remembering.name:
        return []
    does = [word for word, on in (("recalls", settings.recall), ("stores", settings.store)) if on]
    lines = [f"external memory {remembering.name} · {' and '.join(does) or 'only searched'}"]
    lines += [f"  {remembering.folder} (remove it to forget all of this project)"]
    return lines + ([f"  {harmless(remembering.trouble)}"] if remembering.trouble else [])
