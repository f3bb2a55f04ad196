"""The settings: each with its value and where it comes from; what can be changed now is changed in place.

Nothing is written anywhere before `s` asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Final, Protocol

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.engine.errors import HermesError
from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.widgets.fitting import tail
from hermes_tui.frontends.tui.widgets.topbar import tilde
from hermes_tui.text import harmless, one_line

KEYS: Final = "↑↓ choose · ← → Enter change, seen at once · s save to config.toml · Esc back"
VALUE: Final = 16
"""Cells of the column with the values of those that can be changed."""
ORIGIN: Final = 36
"""Cells for where a value comes from; of a path its end is kept."""


class Row(Protocol):
    """One setting."""

    @property
    def key(self) -> str:
        """Its name."""

    @property
    def value(self) -> str:
        """What it is, as people read it."""

    @property
    def origin(self) -> str:
        """Where that comes from."""

    @property
    def meaning(self) -> str:
        """What it is for."""

    @property
    def choices(self) -> Sequence[str]:
        """What it can be now; empty: it cannot be changed here."""


class Sheet(Protocol):
    """The settings of the program."""

    def rows(self) -> Sequence[Row]:
        """Return all of them."""

    def change(self, key: str, text: str) -> None:
        """Set one from now on."""

    def save(self, key: str) -> str:
        """Write one into the user's file; return what to say."""


class SettingsScreen(Dialog[None]):
    """A list; the meaning of the chosen one below it."""

    DEFAULT_CSS = """
    SettingsScreen > .box { width: 94%; max-width: 120; max-height: 94%; }
    SettingsScreen {
        & OptionList { height: auto; max-height: 100%; text-wrap: nowrap; text-overflow: ellipsis; }
        & .meaning { height: 3; margin-top: 1; color: $text-muted; }
        & .hint { margin: 0; }
    }
    """
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "step(1)", "Change to the next"),
        Binding("left", "step(-1)", "Change to the one before"),
        Binding("s", "save", "Save it to config.toml"),
    ]

    def __init__(self, sheet: Sheet, changed: Callable[[], None]) -> None:
        """`changed` is called when something has another value."""
        super().__init__()
        self._sheet, self._changed = sheet, changed
        self._rows: Sequence[Row] = sheet.rows()

    def content(self) -> ComposeResult:
        """List, meaning, keys."""
        self.box.border_title = "Settings"
        yield OptionList(*(Option(line) for line in self._lines()), compact=True)
        yield Static(classes="meaning", markup=False)
        yield Static(KEYS, markup=False, classes="hint")

    def flexible(self) -> Widget | None:
        """The list scrolls."""
        return self.query_one_optional(OptionList)

    def _lines(self) -> list[Content]:
        width = max(len(row.key) for row in self._rows)
        return [line(row, width) for row in self._rows]

    @property
    def _chosen(self) -> Row:
        return self._rows[self.query_one(OptionList).highlighted or 0]

    def _say(self, text: str) -> None:
        self.query_one(".meaning", Static).update(harmless(text))

    @on(OptionList.OptionHighlighted)
    def _moved(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._explain()

    def _explain(self) -> None:
        row = self._chosen
        what = (
            f"one of {', '.join(row.choices)}" if row.choices else "set in config.toml, from the next start"
        )
        self._say(f"{row.meaning or row.key}\n{one_line(what, 400)} · now from: {one_line(row.origin, 200)}")

    @on(OptionList.OptionSelected)
    def _entered(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_step(1)

    def action_step(self, by: int) -> None:
        """Change the chosen setting to the next of its values."""
        row = self._chosen
        if not row.choices:
            self._say(f"{row.key} cannot be changed while the program runs; set it in config.toml")
            return
        at = row.choices.index(row.value) if row.value in row.choices else -by
        self._do(lambda: self._sheet.change(row.key, row.choices[(at + by) % len(row.choices)]))
        self._changed()

    def action_save(self) -> None:
        """Write the chosen setting into the user's config.toml."""
        if said := self._do(lambda: self._sheet.save(self._chosen.key)):
            self._say(said)

    def _do(self, act: Callable[[], str | None]) -> str | None:
        """Do it and draw the list again; an error is said."""
        try:
            said = act()
        except HermesError as error:
            self._say(str(error))
            return None
        self._rows = self._sheet.rows()
        rows = self.query_one(OptionList)
        for at, content in enumerate(self._lines()):
            rows.replace_option_prompt_at_index(at, content)
        self._explain()
        return said


def line(row: Row, width: int) -> Content:
    """Return one setting as a line: those that can be changed stand out."""
    origin = tilde(Path(row.origin)) if row.origin.startswith("/") else row.origin
    origin = tail(one_line(origin, 400), ORIGIN)
    if row.choices:
        value = Content.styled(f"‹ {one_line(row.value, VALUE)} ›".ljust(VALUE + 4), "bold $accent")
        return Content.assemble(f"{one_line(row.key, 60):<{width}}  ", value, (f"  {origin}", "$text-muted"))
    rest = f"  {one_line(row.value, VALUE * 2)}  ({origin})"
    return Content.assemble((f"{one_line(row.key, 60):<{width}}", "$text-muted"), (rest, "$text-muted"))
