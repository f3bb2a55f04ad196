"""The lines above the prompt: what waits to go to the model. Draws what it is told; takes no key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from textual.content import Content
from textual.widget import Widget

from hermes_tui.frontends.tui.keymap import here
from hermes_tui.text import cells, one_line

MOST: Final = 4
"""Lines at the most; the newest are shown."""
LOW: Final = 20
"""On a screen with fewer rows there are half as many."""


class Item(NamedTuple):
    """One line: a mark, the text, and on the right what can be done with it."""

    mark: str
    text: str
    hint: str


class Waiting(Widget):
    """The queue, messages on their way into the running turn, output that may go with the next message."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Waiting {
        height: auto; max-height: 4; padding: 0 1; color: $text-muted; display: none;
        &.-some { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__(id="waiting")
        self._queued: tuple[str, ...] = ()
        self._held = False
        self._steering: list[str] = []
        self._outputs: tuple[tuple[str, bool], ...] = ()

    def show_queue(self, texts: Sequence[str], held: bool) -> None:
        """Show the queue, oldest first; `held`: an interrupt keeps it back."""
        if (tuple(texts), held) != (self._queued, self._held):
            self._queued, self._held = tuple(texts), held
            self._changed()

    def show_outputs(self, outputs: Sequence[tuple[str, bool]]) -> None:
        """Show the command lines whose output may go with the next message, and whether it does."""
        self._outputs = tuple(outputs)
        self._changed()

    def steer(self, text: str) -> None:
        """Show a message that is on its way into the running turn."""
        self._steering.append(text)
        self._changed()

    def delivered(self, text: str) -> None:
        """The model has got that message."""
        if text in self._steering:
            self._steering.remove(text)
            self._changed()

    def turn_ended(self) -> None:
        """What did not reach the turn stands in the queue now."""
        if self._steering:
            self._steering.clear()
            self._changed()

    def items(self) -> list[Item]:
        """Return all lines, oldest first."""
        tick = here(self, "with the next message: {give_output} yes/no")
        outputs = [
            Item("☑" if goes else "☐", f"output of ! {command}", tick) for command, goes in self._outputs
        ]
        steering = [Item("↪", text, "at its next step") for text in self._steering]
        hint = "held back: Enter sends" if self._held else "queued"
        queued = [Item("⋯", text, hint) for text in self._queued]
        if queued:
            queued[-1] = queued[-1]._replace(hint=f"{hint} · ↑ edits")
        return [*outputs, *steering, *queued]

    def render(self) -> Content:
        """Return the lines; of more than `MOST` the newest, saying how many there are before."""
        items, width = self.items(), self.content_size.width
        most = MOST if self.app.size.height >= LOW else MOST // 2
        if (left := len(items) - most) > 0:
            items = [Item("⋮", f"{left + 1} more", ""), *items[left + 1 :]]
        return Content("\n").join(self._line(item, width) for item in items)

    def _line(self, item: Item, width: int) -> Content:
        hint = item.hint if width - cells(item.hint) > 24 else ""
        text = one_line(item.text, max(0, width - 4 - cells(hint)))
        gap = " " * max(1, width - 2 - cells(text) - cells(hint))
        return Content.assemble((f"{item.mark} ", "$accent"), (text, "$foreground"), gap, hint)

    def _changed(self) -> None:
        self.set_class(bool(self.items()), "-some")
        self.refresh(layout=True)
