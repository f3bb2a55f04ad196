"""The list that shows what `/` can become. Draws lines and remembers which is chosen; asks nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from hermes_tui.text import clip, harmless

MOST: Final = 8
"""Lines shown at once."""


class Completions(Widget):
    """Over the last lines of the conversation, while there is something to offer."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Completions {
        layer: popup; dock: bottom; height: auto; width: auto; max-width: 100%; padding: 0 1;
        background: $panel; color: $foreground; display: none;
        &.-shown { display: block; }
    }
    """

    class Picked(Message):
        """A line was clicked."""

        def __init__(self, line: str) -> None:
            super().__init__()
            self.line = line

    def __init__(self) -> None:
        super().__init__(id="completions")
        self._lines: list[str] = []
        self._help: Mapping[str, str] = {}
        self._chosen = 0

    @property
    def shown(self) -> bool:
        """Whether there is something to choose."""
        return bool(self._lines)

    @property
    def chosen(self) -> str:
        """The line that Tab or Enter takes."""
        return self._lines[self._chosen]

    def offer(self, lines: Sequence[str], help: Mapping[str, str]) -> None:
        """Show these lines, with a word of help for some; none hides the list."""
        if self._lines == list(lines):
            return
        self._lines, self._help, self._chosen = list(lines), help, 0
        self.set_class(self.shown, "-shown")
        self.refresh(layout=True)

    def move(self, step: int) -> None:
        """Choose the next line or the one before, round at the ends."""
        self._chosen = (self._chosen + step) % len(self._lines)
        self.refresh()

    @property
    def _first(self) -> int:
        return max(0, min(self._chosen - MOST // 2, len(self._lines) - MOST))

    def render(self) -> Content:
        """Return the visible lines, the chosen one marked."""
        window = self._lines[self._first : self._first + MOST]
        width = max((len(line) for line in self._lines), default=0)
        rows = []
        for offset, line in enumerate(window):
            mark = "❯ " if self._first + offset == self._chosen else "  "
            row = Content(f"{mark}{harmless(line):<{width}}")
            if text := self._help.get(line, ""):
                row = row + Content.styled(f"  {clip(harmless(text), 70)}", "$text-muted")
            rows.append(row.stylize("bold $accent", 0, len(mark) + width) if mark.strip() else row)
        return Content("\n").join(rows)

    def on_click(self, event: events.Click) -> None:
        """Take the line that was clicked."""
        index = self._first + event.get_content_offset_capture(self).y
        if index < len(self._lines):
            self.post_message(self.Picked(self._lines[index]))
