"""Many lines of plain text, scrollable both ways; draws those that are seen. Diffs can be in colour."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.segment import Segment
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hermes_tui.text import cells, harmless

ROLES: Final = {"+": "added", "-": "removed", "@": "head"}


class Lines(ScrollView):
    """A text as it is, harmless."""

    can_focus = True
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"lines--{role}" for role in ROLES.values()}
    DEFAULT_CSS = """
    Lines {
        height: auto; max-height: 100%; scrollbar-size: 1 1; background: $surface; color: $foreground;
        & .lines--added { color: $success; }
        & .lines--removed { color: $error; }
        & .lines--head { color: $accent; }
    }
    """

    def __init__(self, text: str, diff: bool = False) -> None:
        super().__init__()
        self._diff = diff
        self._take(text)

    def show(self, text: str) -> None:
        """Show another text, from its start."""
        self._take(text)
        self.scroll_to(0, 0, animate=False)
        self.refresh(layout=True)

    def _take(self, text: str) -> None:
        self._lines = harmless(text).expandtabs(4).rstrip("\n").split("\n")
        self.virtual_size = Size(max(map(cells, self._lines)), len(self._lines))

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        index = y + self.scroll_offset.y
        text = self._lines[index] if index < len(self._lines) else ""
        style = self.rich_style
        head = text.startswith(("--- ", "+++ "))
        if self._diff and (role := "head" if head else ROLES.get(text[:1])):
            style += self.get_component_rich_style(f"lines--{role}", partial=True)
        left, width = self.scroll_offset.x, self.scrollable_content_region.width
        strip = Strip([Segment(text, style)]).crop_extend(left, left + width, self.rich_style)
        return strip.apply_offsets(left, index)
