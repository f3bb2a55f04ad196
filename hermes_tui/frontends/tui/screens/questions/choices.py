"""A list to pick one or several of, by arrow, digit or mouse. Draws itself; asks nobody."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from hermes_tui.text import harmless


class Choices(Widget):
    """Numbered choices, the chosen one marked."""

    can_focus = True
    DEFAULT_CSS = "Choices { height: auto; margin-top: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("enter", "pick", show=False),
        Binding("space", "tick", show=False),
    ]

    class Picked(Message):
        """Enter, a digit or a click: these are the choices, by index."""

        def __init__(self, chosen: list[int]) -> None:
            super().__init__()
            self.chosen = chosen

    class Left(Message):
        """Down on the last choice, or a text was begun: go on below. `key` is the character typed."""

        def __init__(self, key: str = "") -> None:
            super().__init__()
            self.key = key

    def __init__(
        self, choices: Sequence[str], multiple: bool, at: int = 0, ticked: Collection[int] = ()
    ) -> None:
        """`at`: the choice under the cursor."""
        super().__init__()
        self._choices = [harmless(choice) for choice in choices]
        self._multiple = multiple
        self._at = at
        self._ticked = set(ticked)
        self._writing = False
        """A free answer was begun: until the focus has moved, every character belongs to it."""

    @property
    def begun(self) -> tuple[int, frozenset[int]]:
        """The choice under the cursor, and those that are ticked."""
        return self._at, frozenset(self._ticked)

    def render(self) -> Content:
        """Return a line for each choice."""
        rows = []
        for index, choice in enumerate(self._choices):
            here = index == self._at and self.has_focus
            tick = ("☑ " if index in self._ticked else "☐ ") if self._multiple else ""
            text = f"{'❯' if here else ' '} {index + 1}  {tick}{choice}"
            rows.append(Content.styled(text, "bold $accent" if here else ""))
        return Content("\n").join(rows)

    def on_focus(self) -> None:
        """Show the cursor."""
        self._writing = False
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        """A digit picks; any other character begins a free answer."""
        character = event.character or ""
        if self._writing or (event.is_printable and character != " " and not self._picks(character)):
            event.stop()
            if event.is_printable:
                self._writing = True
                self.post_message(self.Left(character))
        elif self._picks(character):
            event.stop()
            self._at = int(character) - 1
            self._take()

    def _picks(self, character: str) -> bool:
        return character.isdecimal() and 0 < int(character) <= len(self._choices)

    def on_click(self, event: events.Click) -> None:
        """Pick the line that was clicked."""
        line = event.get_content_offset_capture(self).y
        if line < len(self._choices):
            self._at = line
            self._take()

    def _take(self) -> None:
        if self._multiple:
            self.action_tick()
        else:
            self.action_pick()

    def action_move(self, step: int) -> None:
        """Go up or down; past the end to what is below."""
        if self._at + step >= len(self._choices):
            self.post_message(self.Left())
            return
        self._at = max(0, self._at + step)
        self.refresh()

    def action_tick(self) -> None:
        """Tick the choice, or take the tick away; with a single choice allowed, pick it."""
        if not self._multiple:
            return
        self._ticked ^= {self._at}
        self.refresh()

    def action_pick(self) -> None:
        """Take what is ticked, or where the cursor is."""
        self.post_message(self.Picked(sorted(self._ticked) or [self._at]))
