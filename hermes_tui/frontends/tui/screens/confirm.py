"""Yes or no about something shown in full. The default is no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.screens.lines import Lines
from hermes_tui.text import harmless


class ConfirmScreen(Dialog[bool]):
    """`yes` names what y does: "restore". Enter and Esc are no."""

    DEFAULT_CSS = """
    ConfirmScreen .title { text-style: bold; height: auto; margin-bottom: 1; }
    ConfirmScreen .keys { height: auto; margin-top: 1; }
    """
    AUTO_FOCUS = "Lines"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,enter", "answer(False)", "No"),
    ]

    def __init__(self, title: str, body: str, yes: str) -> None:
        super().__init__()
        self._title, self._body, self._yes = title, body, yes

    def content(self) -> ComposeResult:
        """Title, body, keys."""
        yield Static(Content(harmless(self._title)), classes="title")
        if self._body.strip():
            yield Lines(self._body, diff=True)
        yield Static(self._keys(), classes="keys")

    def flexible(self) -> Widget | None:
        """The text scrolls."""
        return self.query_one_optional(Lines)

    def _keys(self) -> Content:
        return Content.assemble(
            (" y ", "bold reverse $accent"),
            f" {harmless(self._yes)}   ",
            (" n ", "bold reverse $accent"),
            " cancel, changes nothing (Enter, Esc)",
        )

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)
