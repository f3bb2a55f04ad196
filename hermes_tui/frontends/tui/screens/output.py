"""A long text, scrollable: a call's whole output. Shows it as it is, harmless."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.screens.lines import Lines
from hermes_tui.text import one_line


class OutputScreen(Dialog[None]):
    """The output of one call."""

    DEFAULT_CSS = """
    OutputScreen > .box { width: 96%; max-width: 100%; height: auto; max-height: 96%; }
    OutputScreen .title { text-style: bold; height: auto; }
    """
    AUTO_FOCUS = "Lines"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", show=False),
        Binding("g", "top", "First line", show=False),
        Binding("G", "bottom", "Last line", show=False),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def content(self) -> ComposeResult:
        """Title, lines, keys."""
        yield Static(self._title_line(), markup=False, classes="title")
        yield Lines(self._text or "(no output)")
        yield Static("↑↓ PgUp PgDn scroll · g first · G last · Esc back", markup=False, classes="hint")

    def flexible(self) -> Widget | None:
        """The text scrolls."""
        return self.query_one_optional(Lines)

    def _title_line(self) -> str:
        return one_line(self._title, 200)

    def action_leave(self) -> None:
        """Close."""
        self.close()

    def action_top(self) -> None:
        """Go to the first line."""
        self.query_one(Lines).scroll_home(animate=False)

    def action_bottom(self) -> None:
        """Go to the last line."""
        self.query_one(Lines).scroll_end(animate=False)
