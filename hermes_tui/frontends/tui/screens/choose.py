"""Pick one of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.text import harmless


class ChooseScreen(Dialog[int]):
    """Its result is the index, or None when nothing was picked."""

    DEFAULT_CSS = """
    ChooseScreen > .box { max-width: 80; }
    ChooseScreen .title { text-style: bold; height: auto; margin-bottom: 1; }
    ChooseScreen OptionList { height: auto; max-height: 100%; }
    """
    AUTO_FOCUS = "OptionList"

    def __init__(
        self,
        title: str,
        options: Sequence[str],
        current: int | None,
        look: Callable[[int], None] | None = None,
    ) -> None:
        """`look` is told where the cursor stands, each time it moves."""
        super().__init__()
        self._title, self._options, self._current, self._look = title, options, current, look

    def content(self) -> ComposeResult:
        """Title, options, keys."""
        yield Static(Content(harmless(self._title)), classes="title")
        rows = [Option(Content(self._label(at, text))) for at, text in enumerate(self._options)]
        yield OptionList(*rows, compact=True)
        yield Static("↑↓ choose · Enter take · Esc back", markup=False, classes="hint")

    def flexible(self) -> Widget | None:
        """The list scrolls."""
        return self.query_one(OptionList)

    def _label(self, at: int, text: str) -> str:
        return f"{'●' if at == self._current else ' '} {harmless(text)}"

    def on_mount(self) -> None:
        """Start on the one in use."""
        self.query_one(OptionList).highlighted = self._current or 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Let it be seen what it would be like."""
        event.stop()
        if self._look is not None:
            self._look(event.option_index)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take it."""
        event.stop()
        self.dismiss(event.option_index)
