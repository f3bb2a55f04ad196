"""One of a few ways to go on, about something shown in full. The default is none of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.screens.lines import Lines
from hermes_tui.text import harmless


class DecideScreen(Dialog[int]):
    """Its result is the index of what was chosen. A number chooses, `y` where there is but one; Enter and Esc
    are no.
    """

    DEFAULT_CSS = """
    DecideScreen .title { text-style: bold; height: auto; margin-bottom: 1; }
    DecideScreen .keys { height: auto; margin-top: 1; }
    """
    AUTO_FOCUS = "Lines"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("n,enter", "close", "No")]

    def __init__(self, title: str, body: str, options: Sequence[str]) -> None:
        super().__init__()
        self._title, self._body = title, body
        marks = [str(number) for number in range(1, len(options) + 1)] if len(options) > 1 else ["y"]
        self._options = dict(zip(marks, options, strict=True))

    def content(self) -> ComposeResult:
        """Title, body, keys."""
        yield Static(Content(harmless(self._title)), classes="title")
        yield Lines(self._body, diff=True)
        yield Static(self._keys(), classes="keys")

    def flexible(self) -> Widget | None:
        """The text scrolls."""
        return self.query_one(Lines)

    def _keys(self) -> Content:
        offers = [*self._options.items(), ("n", "cancel, changes nothing (Enter, Esc)")]
        caps = [
            Content.assemble((f" {key} ", "bold reverse $accent"), f" {harmless(words)}")
            for key, words in offers
        ]
        return Content("   ").join(caps)

    def on_key(self, event: events.Key) -> None:
        """Take the key of an option."""
        if event.character in self._options:
            event.stop()
            self.dismiss([*self._options].index(event.character))

    def action_close(self) -> None:
        """Close without a choice."""
        self.close()
