"""Stands above the conversation until the first message: what this is, what to try, how to stop and undo.

Somebody who was here before reads two lines. Draws what it is told; one key picks an example.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from hermes_tui.frontends.tui import welcome as words
from hermes_tui.frontends.tui.keymap import here
from hermes_tui.frontends.tui.widgets.topbar import tilde

PAUSE: Final = 0.3
"""Seconds of silence before a key that picks."""


class Welcome(Widget):
    """There until something is sent."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Welcome { height: auto; max-height: 85%; padding: 1 2 0 2; color: $foreground; }
    Welcome.-gone { display: none; }
    Welcome.-known, .-short Welcome { text-wrap: nowrap; text-overflow: ellipsis; }
    .-narrow Welcome { padding: 0 2; }
    """

    class Picked(Message):
        """An example was picked; it goes into the prompt."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, folder: Path, known: bool) -> None:
        """`known`: somebody who was here before."""
        super().__init__(id="welcome", classes="-known" if known else "")
        self._folder = folder
        self._known = known
        self._examples = [] if known else words.examples(folder)
        self._answers = words.LOOKING
        self._typed = 0.0
        """When (monotonic) a key came last while nothing was written."""

    @property
    def shown(self) -> bool:
        """Whether it is there."""
        return not self.has_class("-gone")

    def answered_by(self, text: str) -> None:
        """Say which model answers."""
        self._answers = text
        self.refresh(layout=True)

    def go(self) -> None:
        """Make room for the conversation."""
        self.add_class("-gone")

    def takes(self, key: str) -> bool:
        """Whether a key picks an example; it is picked then. A digit in the midst of a text does not."""
        before, self._typed = self._typed, time.monotonic()
        if self._typed - before < PAUSE:
            return False  # the text before it is still on its way to the prompt
        if not self.shown or not key.isdecimal() or not 0 < int(key) <= len(self._examples):
            return False
        self.post_message(self.Picked(self._examples[int(key) - 1]))
        return True

    def on_click(self, event: events.Click) -> None:
        """Pick the example that was clicked."""
        self.takes(str(event.style.meta.get("example", "")))

    def render(self) -> Content:
        """Return the text; on a low screen the few lines alone."""
        low = self.is_attached and self.screen.has_class("-short")
        lines = self._short() if self._known or low else self._whole()
        return Content("\n").join(lines)

    def _short(self) -> list[Content]:
        name = Content.assemble(("hermes-tui", "bold $accent"), f"  {tilde(self._folder)}")
        hints = here(self, f"Ctrl-C stops · /rollback undoes · {words.HELP}")
        answers = Content(self._answers.split("\n")[0])
        return [name, answers, *self._picks(), Content.styled(hints, "$text-muted")]

    def _whole(self) -> list[Content]:
        hints = here(self, " · ".join((words.STOP, words.UNDO, words.ASKS, words.HELP)))
        return [
            Content(words.what_it_does(self._folder)),
            Content(""),
            *self._picks(),
            Content.styled("     1, 2 or 3 writes one below, Enter sends it; or ask anything", "$text-muted"),
            Content(""),
            *(Content(line) for line in self._answers.split("\n")),
            Content(""),
            Content.styled(hints, "$text-muted"),
        ]

    def _picks(self) -> list[Content]:
        picks = []
        for number, text in enumerate(self._examples, 1):
            line = Content.assemble((f" {number} ", "bold reverse $accent"), f"  {text}")
            picks.append(line.stylize(Style.from_meta({"example": number})))
        return picks
