"""/todo: the steps that the model has set itself."""

from __future__ import annotations

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.text import one_line

BOXES = {"pending": "☐", "in_progress": "▸", "completed": "☑", "cancelled": "✗"}


async def todo(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show the todo list.

    The model keeps it for longer tasks; its items are ticked as they are done.
    """
    items = hermes.todos.items()
    if not items:
        ui.say("no todo list: the model makes one for a longer task")
        return
    done = sum(item.status == "completed" for item in items)
    lines = [f"  {BOXES[item.status]} {one_line(item.content, 400)}" for item in items]
    ui.say("\n".join([f"{done} of {len(items)} done", *lines]))
