"""A long text, scrollable and searchable: a call's whole output. Shows it as it is, harmless."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static, TextArea

from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.screens.lines import Lines
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.text import one_line

KEYS: Final = "↑↓ PgUp PgDn scroll · g first · G last · / search · Esc back"
SEARCHING: Final = "Enter ↓ next · ↑ before · Esc end the search"
FOUND: Final = "n next · N before · / search · Esc back"


class SearchLine(Editor):
    """What is searched for: one line."""

    DEFAULT_CSS = """
    SearchLine { height: 1; max-height: 1; margin-top: 1; background: $panel; display: none; }
    SearchLine.-shown { display: block; }
    """

    class Step(Message):
        """Go to the next match, or with -1 to the one before."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Ended(Message):
        """The search is over; what was found stays marked."""

    def on_key(self, event: events.Key) -> None:
        """Take the keys that go to a match; a new line is none here."""
        steps = {"enter": 1, "down": 1, "ctrl+j": 1, "up": -1, "shift+enter": -1}
        if (by := steps.get(event.key)) is not None or event.key == "escape":
            event.stop()
            event.prevent_default()
            self.post_message(self.Step(by) if by is not None else self.Ended())


class OutputScreen(Dialog[None]):
    """A text that may be longer than the screen."""

    DEFAULT_CSS = """
    OutputScreen > .box { width: 96%; max-width: 100%; height: auto; max-height: 96%; }
    OutputScreen .title { text-style: bold; height: auto; }
    """
    AUTO_FOCUS = "Lines"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", show=False),
        Binding("g", "top", "First line"),
        Binding("G", "bottom", "Last line"),
        Binding("slash,ctrl+f", "search", "Search"),
        Binding("n", "go(1)", "Next match"),
        Binding("N", "go(-1)", "Match before"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._found = 0

    def content(self) -> ComposeResult:
        """Title, lines, what is searched for, keys."""
        yield Static(self._title_line(), markup=False, classes="title")
        yield Lines(self._text or "(no output)")
        yield SearchLine(placeholder="what to look for")
        yield Static(KEYS, markup=False, classes="hint")

    @property
    def lines(self) -> Lines:
        """The text."""
        return self.query_one(Lines)

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
        self.lines.scroll_home(animate=False)

    def action_bottom(self) -> None:
        """Go to the last line."""
        self.lines.scroll_end(animate=False)

    def action_search(self) -> None:
        """Open the line for what is searched for."""
        line = self.query_one(SearchLine)
        line.add_class("-shown")
        line.select_all()
        line.focus()
        self._hint(SEARCHING)
        self.call_after_refresh(self._fit)

    def action_go(self, by: int) -> None:
        """Go to a match."""
        number = self.lines.go(by)
        self._hint(f"{number} of {self._found} · {FOUND}" if self._found else KEYS)

    @on(TextArea.Changed)
    def _written(self, event: TextArea.Changed) -> None:
        event.stop()
        self._found = self.lines.search(event.text_area.text)
        self._step(1)

    @on(SearchLine.Step)
    def _to_match(self, event: SearchLine.Step) -> None:
        event.stop()
        self._step(event.by)

    def _step(self, by: int) -> None:
        number = self.lines.go(by)
        what = self.query_one(SearchLine).text
        said = f"{number} of {self._found} · " if self._found else "nothing found · " if what else ""
        self._hint(said + SEARCHING)

    @on(SearchLine.Ended)
    def _end(self, event: SearchLine.Ended) -> None:
        event.stop()
        self.query_one(SearchLine).remove_class("-shown")
        self.lines.focus()
        self._hint(FOUND if self._found else KEYS)
        self.call_after_refresh(self._fit)

    def _hint(self, text: str) -> None:
        self.query_one(".hint", Static).update(text)
