"""Find anything by its name: every action with its key, every slash command with its arguments.

Its result is the entry that was taken; who opened it does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.frontends.fuzzy import NOT_AT_ALL, ranking
from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.text import cells, one_line

KEYS: Final = "↑↓ choose · Enter do it · Tab into the prompt · Esc back"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be done."""

    text: str
    """What it is: what a key does, or a command with its slash."""
    more: str = ""
    """A few words on it."""
    key: str = ""
    """The key that does it, as it is written."""
    action: str = ""
    """A binding's action and who has it, "prompt.recall"; empty: the text is a command."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What the user wants."""

    entry: Entry
    write: bool = False
    """Written into the prompt instead of done."""


class PaletteScreen(Dialog[Taken]):
    """A line to type in, and what fits."""

    DEFAULT_CSS = """
    PaletteScreen { align: center top; }
    PaletteScreen > .box { width: 90%; max-width: 96; }
    PaletteScreen {
        & Input { border: none; height: 1; margin: 0 0 1 0; padding: 0; background: $surface; }
        & OptionList { height: auto; max-height: 100%; min-height: 3; }
    }
    """
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("pagedown", "move(10)", show=False, priority=True),
        Binding("pageup", "move(-10)", show=False, priority=True),
        Binding("tab", "write", show=False, priority=True),
    ]

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__()
        self._entries = entries
        self._fitting: Sequence[Entry] = entries

    def content(self) -> ComposeResult:
        """Line, list, keys."""
        yield Input(placeholder="what do you want to do?", compact=True)
        yield OptionList(*(Option(self._line(entry)) for entry in self._entries), compact=True)
        yield Static(KEYS, markup=False, classes="hint")

    def flexible(self) -> Widget | None:
        """The list scrolls."""
        return self.query_one_optional(OptionList)

    def on_mount(self) -> None:
        """Start on the first."""
        self.query_one(OptionList).highlighted = 0

    def _line(self, entry: Entry) -> Content:
        room = min(self.app.size.width * 9 // 10, 96) - 6
        text = one_line(entry.text, room)
        more = one_line(entry.more, max(0, room - cells(text) - cells(entry.key) - 4))
        gap = " " * max(2, room - cells(text) - cells(more) - 2 - cells(entry.key))
        style = "" if entry.action else "$accent"
        return Content.assemble(
            (text, style), f"  {more}" if more else "  ", gap, (entry.key, "bold $accent")
        )

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fitting = fitting(event.value, self._entries)
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options([Option(self._line(entry)) for entry in self._fitting])
        rows.highlighted = 0 if self._fitting else None

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self._take()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take()

    def action_move(self, by: int) -> None:
        """Move the highlight."""
        rows = self.query_one(OptionList)
        if self._fitting:
            rows.highlighted = min(max((rows.highlighted or 0) + by, 0), len(self._fitting) - 1)

    def action_write(self) -> None:
        """Take a command into the prompt."""
        self._take(write=True)

    def _take(self, write: bool = False) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and at < len(self._fitting):
            self.dismiss(Taken(self._fitting[at], write and not self._fitting[at].action))


def fitting(letters: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that a few typed letters mean, best first: their text counts before the rest."""
    wanted = letters.strip().removeprefix("/")
    if not wanted:
        return list(entries)
    rank = ranking(wanted)
    ranked = []
    for at, entry in enumerate(entries):
        text = rank(entry.text.removeprefix("/").casefold())
        whole = wanted.casefold() in entry.more.casefold()
        if text[0] < NOT_AT_ALL:
            ranked.append((text[0], text[1], at, entry))
        elif whole:
            ranked.append((NOT_AT_ALL, 0, at, entry))
    return [entry for *_, entry in sorted(ranked, key=lambda each: each[:3])]
