"""The user's editor on the terminal, the screen put away meanwhile. The engine goes on; nothing is lost."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from hermes_tui.engine.errors import UsageError
from hermes_tui.frontends.external import edit

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp


def edited(app: HermesApp, text: str) -> str | None:
    """Return the text as it came back; None, and a word on the screen, when it did not."""
    why, after = "", None
    try:
        with app.suspend():
            try:
                after = edit(text, os.environ)
            except UsageError as error:  # told when the screen is back
                why = str(error)
    except SuspendNotSupported:
        why = "the editor needs a terminal"
    app.refresh(layout=True)
    if why:
        app.main.transcript.note(why, "warning")
    return after
