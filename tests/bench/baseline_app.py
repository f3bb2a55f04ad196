"""The least that a chat screen can be in Textual: what `start.py` measures the program against."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static, TextArea


class Talk(ScrollView):
    """An empty conversation."""

    def on_mount(self) -> None:
        self.virtual_size = Size(80, 100)

    def render_line(self, y: int) -> Strip:
        return Strip.blank(self.size.width)


class Baseline(App[None]):
    """Conversation, side panel, prompt, status line."""

    def compose(self) -> ComposeResult:
        yield Horizontal(Talk(), Static("Nothing has run yet."))
        area = TextArea(placeholder="Ask")
        area.styles.height = 3
        yield area
        yield Static("baseline is ready")

    def on_mount(self) -> None:
        self.query_one(TextArea).focus()


if __name__ == "__main__":
    Baseline().run()
