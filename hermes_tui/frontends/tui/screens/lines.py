"""Many lines of plain text, scrollable both ways; draws those that are seen. Diffs can be in colour.

Can be searched: the matches are marked, the one gone to most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hermes_tui.text import cells, harmless

ROLES: Final = {"+": "added", "-": "removed", "@": "head"}
MOST: Final = 10_000
"""Matches that are counted."""
ROOM: Final = 3
"""Lines kept in sight above a match that was gone to."""


class Lines(ScrollView):
    """A text as it is, harmless."""

    can_focus = True
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"lines--{role}" for role in ROLES.values()),
        "lines--match",
        "lines--here",
    }
    DEFAULT_CSS = """
    Lines {
        height: auto; max-height: 100%; scrollbar-size: 1 1; background: $surface; color: $foreground;
        & .lines--added { color: $success; }
        & .lines--removed { color: $error; }
        & .lines--head { color: $accent; }
        & .lines--match { color: $foreground; background: $screen-selection-background; }
        & .lines--here { color: $block-cursor-foreground; background: $block-cursor-background; }
    }
    """

    def __init__(self, text: str, diff: bool = False) -> None:
        super().__init__()
        self._diff = diff
        self._pattern: re.Pattern[str] | None = None
        self._matches: list[tuple[int, int, int]] = []
        """Line, first and last character of each, in order."""
        self._here = -1
        self._take(text)

    def show(self, text: str) -> None:
        """Show another text, from its start."""
        self._take(text)
        self.scroll_to(0, 0, animate=False)
        self.refresh(layout=True)

    def grow(self, text: str) -> None:
        """Show what the text has become; who looks at its end goes on doing so."""
        at_end = self.is_vertical_scroll_end
        self._take(text)
        self.refresh(layout=True)
        if at_end:
            self.scroll_end(animate=False)

    def _take(self, text: str) -> None:
        self._lines = harmless(text).expandtabs(4).rstrip("\n").split("\n")
        self.virtual_size = Size(max(map(cells, self._lines)), len(self._lines))
        self._look()

    # searching

    def search(self, text: str) -> int:
        """Mark every place of a text, whatever its case, and return how many there are."""
        self._pattern = re.compile(re.escape(text), re.IGNORECASE) if text else None
        self._here = -1
        self._look()
        self.refresh()
        return len(self._matches)

    def go(self, by: int) -> int:
        """Go to the next match, or to the one before; return its number from 1, 0 when there is none."""
        if not self._matches:
            return 0
        if self._here < 0:
            top = self.scroll_offset.y
            below = [at for at, (line, _, _) in enumerate(self._matches) if line >= top]
            self._here = below[0] if below else 0
        else:
            self._here = (self._here + by) % len(self._matches)
        line, start, _ = self._matches[self._here]
        column = cells(self._lines[line][:start])
        width, x = self.scrollable_content_region.width, self.scroll_offset.x
        x = x if x <= column < x + width - ROOM else max(0, column - width // 2)
        self.scroll_to(x, max(0, line - ROOM), animate=False)
        self.refresh()
        return self._here + 1

    def _look(self) -> None:
        self._matches = []
        if (pattern := self._pattern) is None:
            return
        for number, line in enumerate(self._lines):
            self._matches += ((number, *match.span()) for match in pattern.finditer(line))
            if len(self._matches) >= MOST:
                break

    # drawing

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        index = y + self.scroll_offset.y
        text = self._lines[index] if index < len(self._lines) else ""
        style = self.rich_style
        head = text.startswith(("--- ", "+++ "))
        if self._diff and (role := "head" if head else ROLES.get(text[:1])):
            style += self.get_component_rich_style(f"lines--{role}", partial=True)
        left, width = self.scroll_offset.x, self.scrollable_content_region.width
        strip = Strip(list(self._segments(index, text, style)))
        return strip.crop_extend(left, left + width, self.rich_style).apply_offsets(left, index)

    def _segments(self, index: int, text: str, style: Style) -> Iterator[Segment]:
        """Yield a line, cut at the edges of its matches."""
        done = 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            start, end = match.span()
            here = 0 <= self._here < len(self._matches) and self._matches[self._here] == (index, start, end)
            marked = self.get_component_rich_style("lines--here" if here else "lines--match")
            yield Segment(text[done:start], style)
            yield Segment(text[start:end], marked)
            done = end
        yield Segment(text[done:], style)
