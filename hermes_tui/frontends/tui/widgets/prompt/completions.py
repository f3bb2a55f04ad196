"""The list that shows what the prompt can become. Draws lines and remembers which is chosen; asks nobody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from hermes_tui.frontends.offers import Offer
from hermes_tui.frontends.tui.widgets.fitting import pad, tail
from hermes_tui.text import cells, clip, one_line

MOST: Final = 8
"""Lines shown at once."""
HELP: Final = 70
"""Cells of help, at the most."""


class Completions(Widget):
    """Over the last lines of the conversation, while there is something to offer."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Completions {
        layer: popup; dock: bottom; height: auto; width: auto; max-width: 100%; padding: 0 1;
        background: $panel; color: $foreground; display: none;
        &.-shown { display: block; }
    }
    """

    class Picked(Message):
        """A line was clicked."""

        def __init__(self, offer: Offer) -> None:
            super().__init__()
            self.offer = offer

    def __init__(self) -> None:
        super().__init__(id="completions")
        self._offers: list[Offer] = []
        self._title = ""
        self._chosen = 0

    @property
    def shown(self) -> bool:
        """Whether the list is there; with a title it may be empty."""
        return bool(self._offers or self._title)

    @property
    def chosen(self) -> Offer | None:
        """The line that Tab or Enter takes."""
        return self._offers[self._chosen] if self._offers else None

    def offer(self, offers: Sequence[Offer], title: str = "") -> None:
        """Show these; none hides the list, unless there is a title to show."""
        if self._offers == list(offers) and self._title == title:
            return
        self._offers, self._title, self._chosen = list(offers), title, 0
        self.set_class(self.shown, "-shown")
        self.refresh(layout=True)

    def move(self, step: int) -> None:
        """Choose the next line or the one before, round at the ends."""
        self._chosen = (self._chosen + step) % max(1, len(self._offers))
        self.refresh()

    @property
    def _first(self) -> int:
        return max(0, min(self._chosen - MOST // 2, len(self._offers) - MOST))

    def render(self) -> Content:
        """Return the visible lines, the chosen one marked."""
        room = max(10, self.app.size.width - 6)
        window = self._offers[self._first : self._first + MOST]
        names = [tail(one_line(offer.text, 4 * room), room) for offer in window]
        width = max(map(cells, names), default=0)
        rows = [self._head(width)] if self._title else []
        for at, (offer, name) in enumerate(zip(window, names, strict=True), self._first):
            left = ("❯ " if at == self._chosen else "  ") + pad(name, width)
            row = Content.styled(left, "bold $accent") if at == self._chosen else Content(left)
            free = min(HELP, room - width - 2)
            if offer.help and free > 8:
                row += Content.styled(f"  {clip(one_line(offer.help, 200), free)}", "$text-muted")
            rows.append(row)
        return Content("\n").join(rows)

    def _head(self, width: int) -> Content:
        count = f"{self._chosen + 1} of {len(self._offers)}" if self._offers else "nothing found"
        return Content.styled(f"{self._title} · {count}", "$text-muted")

    def on_click(self, event: events.Click) -> None:
        """Take the line that was clicked."""
        index = self._first + event.get_content_offset_capture(self).y - bool(self._title)
        if 0 <= index < len(self._offers):
            self.post_message(self.Picked(self._offers[index]))
