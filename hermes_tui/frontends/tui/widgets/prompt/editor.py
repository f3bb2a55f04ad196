"""A text area that moves and deletes by grapheme, takes only harmless text and sends with Enter.

The prompt and the free answers of questions are made of it. Decides nothing about what is sent.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rich.cells import split_graphemes
from textual import events
from textual.binding import Binding, BindingType
from textual.document._document import Selection
from textual.message import Message
from textual.widgets import TextArea

from hermes_tui.frontends.pastes import Pastes, clean

EDITABLE: Final = 20_000
"""A longer text would make each key slow."""


class Editor(TextArea):
    """Several lines; Enter sends, Ctrl+J or Shift+Enter makes a new line."""

    DEFAULT_CSS = """
    Editor {
        height: auto; max-height: 8; border: none; padding: 0; background: transparent;
        scrollbar-size-vertical: 1; color: $foreground;
        &:focus { border: none; }
        & .text-area--placeholder { color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "app.ladder('ctrl+c')", show=False),
        Binding("ctrl+j,shift+enter", "new_line", "New line", key_display="^j", id="new_line"),
        Binding("ctrl+g", "edit_outside", "Write it in your editor ($VISUAL, $EDITOR)", id="editor"),
        Binding("ctrl+z,super+z", "undo", "Undo what was written", id="undo"),
        Binding("ctrl+y,super+y", "redo", "Redo it", id="redo"),
    ]

    class Sent(Message):
        """Enter was pressed; `text` is what was written, placeholders expanded."""

        def __init__(self, editor: Editor, text: str, other_way: bool = False) -> None:
            """`other_way`: not as Enter does it while the model works, but the other way: queue or steer."""
            super().__init__()
            self.editor = editor
            self.text = text
            self.other_way = other_way

        @property
        def control(self) -> Editor:
            """The editor it comes from."""
            return self.editor

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(
            id=id, placeholder=placeholder, compact=True, highlight_cursor_line=False, tab_behavior="focus"
        )
        self.cursor_blink = False  # nothing moves, and no timer runs, while nothing happens
        self.match_cursor_bracket = False
        self.pastes = Pastes()

    @property
    def written(self) -> str:
        """The whole text, with what the placeholders stand for."""
        return self.pastes.expand(self.text)

    def put(self, text: str) -> None:
        """Replace everything, undoably, with the cursor at the end."""
        self.replace(text, (0, 0), self.document.end)
        self.move_cursor(self.document.end)

    def load(self, text: str) -> None:
        """Replace everything with a text of any length: one that nobody could edit here is a placeholder."""
        self.put(self.pastes.take(text) if len(text) > EDITABLE else text)

    def action_edit_outside(self) -> None:
        """Write on in the user's own editor, everything expanded."""
        from hermes_tui.frontends.tui.app import HermesApp
        from hermes_tui.frontends.tui.outside import edited

        assert isinstance(self.app, HermesApp)
        if (text := edited(self.app, self.written)) is not None:
            self.load(clean(text))

    def on_key(self, event: events.Key) -> None:
        """Enter sends, in the order in which the keys came."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.enter(event)

    def enter(self, event: events.Key) -> None:
        """Send."""
        self.post_message(self.Sent(self, self.written))

    def on_paste(self, event: events.Paste) -> None:
        """Take pasted text: harmless, and collapsed when it is long."""
        event.stop()
        event.prevent_default()
        self._paste(event.text)

    def _paste(self, text: str) -> None:
        start, end = self.selection
        self.replace(self.pastes.take(clean(text)), start, end, maintain_selection_offset=False)

    def action_paste(self) -> None:
        """Paste what was copied in the program itself."""
        self._paste(self.app.clipboard)

    def action_new_line(self) -> None:
        """Begin a new line."""
        self.insert("\n", maintain_selection_offset=False)

    def get_cursor_left_location(self) -> tuple[int, int]:
        """Return the place one grapheme to the left."""
        row, column = self.cursor_location
        starts = [start for start, _, _ in self._graphemes(row) if start < column]
        return (row, starts[-1]) if starts else super().get_cursor_left_location()

    def get_cursor_right_location(self) -> tuple[int, int]:
        """Return the place one grapheme to the right."""
        row, column = self.cursor_location
        ends = (end for _, end, _ in self._graphemes(row) if end > column)
        end = next(ends, None)
        return super().get_cursor_right_location() if end is None else (row, end)

    def action_delete_left(self) -> None:
        """Delete the selection, a whole placeholder, or one grapheme to the left."""
        row, column = self.cursor_location
        mark = self.pastes.ending(self.document[row][:column]) if self.selection.is_empty else None
        if mark:
            self.selection = Selection((row, column - len(mark)), (row, column))
        elif self.selection.is_empty and column:
            self.selection = Selection(self.get_cursor_left_location(), (row, column))
        super().action_delete_left()

    def action_delete_right(self) -> None:
        """Delete the selection or one grapheme to the right."""
        if self.selection.is_empty and not self.cursor_at_end_of_line:
            self.selection = Selection(self.cursor_location, self.get_cursor_right_location())
        super().action_delete_right()

    def _graphemes(self, row: int) -> list[tuple[int, int, int]]:
        return split_graphemes(self.document[row])[0]
