"""The line above the prompt after an interrupt: which batch can be rolled back, and the key that does it.

Draws what it is given and asks for the rollback; its key acts only while it has the focus.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from hermes_tui.frontends.receipt import Effects
from hermes_tui.frontends.tui.keymap import here
from hermes_tui.text import cells, one_line

HERE = "{roll_back} roll back · Esc leave it"
AWAY = "Tab here, then {roll_back}: roll back"


class WayBack(Widget):
    """One line, there only while there is something to roll back."""

    can_focus = True
    ALLOW_SELECT = False
    DEFAULT_CSS = """
    WayBack {
        height: 1; padding: 0 1; background: $surface; color: $foreground; display: none;
        &.-offered { display: block; }
        &:focus { background: $panel; text-style: bold; }
        &:ansi:focus { text-style: reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "roll_back", "Roll the interrupted batch back (asks first)", id="roll_back"),
    ]

    what: reactive[str] = reactive("")

    class Wanted(Message):
        """`r` was pressed: `text` is the command that does it."""

        def __init__(self, checkpoint: int) -> None:
            super().__init__()
            self.text = f"/rollback {checkpoint}"

    def __init__(self) -> None:
        super().__init__(id="way-back")
        self._checkpoint = 0

    def offer(self, effects: Effects) -> None:
        """Offer to roll back the batch that changed files; nothing where none did."""
        self._checkpoint = effects.checkpoint
        if effects.batch is not None:
            self.what = f"■ batch {effects.batch.number} · back to #{self._checkpoint}"
        self.set_class(effects.batch is not None, "-offered")

    def hide(self) -> None:
        """Offer nothing any more; the focus goes to the prompt if it was here."""
        if self.has_focus:
            self.screen.focus_next()
        self.remove_class("-offered")

    def render(self) -> Content:
        """Return the line; the keys on the right stay, the rest gives way."""
        width = self.content_size.width
        chosen = self.has_focus
        keys = here(self, HERE if chosen else AWAY)
        what = one_line(self.what, max(0, width - cells(keys) - 2))
        gap = " " * max(1, width - cells(what) - cells(keys))
        colours = ("", "") if chosen else ("$warning", "$accent")
        return Content.assemble((what, colours[0]), gap, (keys, colours[1]))

    def on_focus(self) -> None:
        """Say the keys that act now."""
        self.refresh()

    def on_blur(self) -> None:
        """Say how to come here."""
        self.refresh()

    def action_roll_back(self) -> None:
        """Ask for it, once."""
        self.hide()
        self.post_message(self.Wanted(self._checkpoint))
