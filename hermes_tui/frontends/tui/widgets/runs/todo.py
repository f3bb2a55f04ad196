"""The todo list beside the runs: the steps that the model has set itself, ticked as they are done.

Draws what it is told; there only while there is a list. Narrow, or when all is done: one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from hermes_tui.text import one_line

if TYPE_CHECKING:
    from hermes_tui.engine.state import Todo

MOST: Final = 12
"""Lines at the most."""
MARKS: Final = {
    "pending": ("○", "", ""),
    "in_progress": ("◐", "$accent", "bold"),
    "completed": ("✓", "$success", "$text-muted"),
    "cancelled": ("·", "$text-muted", "$text-muted strike"),
}
"""Status → its mark, the mark's style, the text's style."""
OVER: Final = ("completed", "cancelled")

Line = tuple[str, str, str, str]
"""Mark, its style, text, its style."""


class TodoList(Widget):
    """The list."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    TodoList {
        height: auto; padding: 0 1; border-top: solid $rule; display: none;
        &.-some { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__(id="todo")
        self._items: list[Todo] = []

    def show(self, items: Sequence[Todo]) -> None:
        """Show the list as it is now."""
        if list(items) == self._items:
            return
        self._items = list(items)
        self.set_class(bool(items), "-some")
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines there are."""
        return len(self._lines())

    def _lines(self) -> list[Line]:
        narrow = self.is_attached and self.screen.has_class("-narrow")
        if narrow or all(item.status in OVER for item in self._items):
            return [summary(self._items)]
        return lines(self._items, MOST)

    def render(self) -> Content:
        """Return the lines."""
        width = self.content_size.width
        drawn = [
            Content.assemble((f"{mark} ", look), (one_line(text, width - 2), style))
            for mark, look, text, style in self._lines()
        ]
        return Content("\n").join(drawn)


def counted(items: Sequence[Todo]) -> str:
    """Return how many are done: "2 of 5 done"."""
    return f"{sum(item.status == 'completed' for item in items)} of {len(items)} done"


def summary(items: Sequence[Todo]) -> Line:
    """Return the list on one line: how far it is, and what is being done."""
    now = next((item.content for item in items if item.status == "in_progress"), "")
    mark = MARKS["in_progress"] if now else ("☑", "$text-muted", "")
    return mark[0], mark[1], f"{counted(items)} · {now}" if now else f"{counted(items)}", "$text-muted"


def lines(items: Sequence[Todo], most: int) -> list[Line]:
    """Return a head and a line for each item; where they are too many, those at the start that are over
    become one, and the last ones are counted."""
    head: Line = ("☑", "$text-muted", f"Todo · {counted(items)}", "$text-muted")
    rows = [head]
    left = list(items)
    if len(left) > most - 1:
        over = next((at for at, item in enumerate(left) if item.status not in OVER), len(left))
        if over > 1:
            rows.append(("✓", "$success", f"{over} before", "$text-muted"))
            left = left[over:]
    room = most - len(rows)
    cut = len(left) > room
    for item in left[: room - 1] if cut else left:
        mark, look, style = MARKS[item.status]
        rows.append((mark, look, item.content, style))
    if cut:
        rows.append(("…", "$text-muted", f"{len(left) - room + 1} more: /todo", "$text-muted"))
    return rows
