"""Brings the vi keys to an editor: its text and cursor to the pure function, and what comes back to it."""

from __future__ import annotations

from textual import events
from textual.widgets import TextArea

from hermes_tui.frontends.tui.widgets.prompt.vi import Do, Vi, press


class ViKeys:
    """The vi keys of one editor."""

    def __init__(self, area: TextArea) -> None:
        self._area = area
        self._vi = Vi()

    @property
    def normal(self) -> bool:
        """Whether keys are commands now."""
        return not self._vi.insert

    def insert(self) -> None:
        """Go to insert mode: a new message begins."""
        self._vi = self._vi.ready(insert=True)

    def press(self, event: events.Key) -> bool:
        """Do what a key means; False when it is the editor's, the history's or the key ladder's."""
        area = self._area
        key = event.character if event.is_printable and event.character else event.key
        key = "space" if key == " " and self.normal else key
        text = area.text
        step = press(self._vi, text, offset(text, area.cursor_location), key)
        self._vi = step.vi
        if step.do is Do.ELSEWHERE:
            return False
        self._carry_out(step.do, step.edit)
        if step.do is Do.NOTHING:
            area.move_cursor(location(area.text, step.at))
        return True

    def _carry_out(self, do: Do, edit: tuple[int, int, str] | None) -> None:
        area = self._area
        if do is Do.UNDO:
            area.undo()
        elif do is Do.REDO:
            area.redo()
        elif edit is not None:
            area.history.checkpoint()  # each command is undone alone
            start, end = location(area.text, edit[0]), location(area.text, edit[1])
            area.replace(edit[2], start, end, maintain_selection_offset=False)


def offset(text: str, place: tuple[int, int]) -> int:
    """Return where a row and column lie in the text."""
    row, column = place
    return sum(len(line) + 1 for line in text.split("\n")[:row]) + column


def location(text: str, at: int) -> tuple[int, int]:
    """Return the row and column of a place in the text."""
    before = text[:at]
    return before.count("\n"), len(before) - before.rfind("\n") - 1
