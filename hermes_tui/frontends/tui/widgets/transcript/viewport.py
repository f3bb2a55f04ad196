"""A window on a layout: scrolling, following the end, drawing the lines that are seen, selection.

The place on the screen is held as a block and a line in it, never as a number of lines from the top: heights
above are guesses until somebody scrolls there. Selections use the same coordinates, so they stay put while
text streams in. Knows nothing of conversations.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import Reactive, reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer

from hermes_tui.frontends.tui.widgets.transcript.canvas import ROLES, Canvas
from hermes_tui.frontends.tui.widgets.transcript.layout import Drawn, Layout
from hermes_tui.frontends.tui.widgets.transcript.paint import Mark, marked

FRAME = 1 / 30
"""Seconds between two updates, at the least."""
SHARE = 3
"""An update that took long is followed by a pause of so many times its duration."""
REST = 0.05
"""Seconds after which the pages around the one that is seen are drawn: that one is on the screen by then."""
_BLOCK = 1 << 24
"""A line's number for selections: its block times this, plus its place in the block."""
_LINE_END = 1 << 24


class Viewport(ScrollView, can_focus=True):
    """Shows a `Layout`, from its end unless the user scrolled away."""

    ALLOW_SELECT = True
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"transcript--{role}" for role in ROLES}

    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)
    """As every widget's, but that it grows moves no other widget: only the scroll bar is told."""

    has_news: reactive[bool] = reactive(False, init=False)
    """Whether something was added below what is seen."""

    class News(Message):
        """`has_news` changed: show or hide "↓ new"."""

        def __init__(self, has_news: bool) -> None:
            self.has_news = has_news
            super().__init__()

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.body = Layout()
        self.following = True
        self._anchor = (0, 0)
        self._settling = False
        self._looks_ahead = False
        self._unseen = False
        self._frame: Timer | None = None
        self._next_frame = 0.0
        self._styles_of: dict[str, Style] = {}
        self._canvas_width = 0
        self._painting = False

    # what a subclass says or asks

    def before_frame(self) -> None:
        """Bring the layout up to date; called before each update of the screen."""

    def marks_of(self, index: int, place: int, line: Drawn) -> Iterator[Mark]:
        """Give the marks of one line (search, cursor)."""
        return iter(())

    def show_changes(self, *, news: bool = False) -> None:
        """Update the screen soon, at most 30 times a second; `news` when something was added."""
        if news and not self.following:
            self.has_news = True
        if self._frame is None and self.is_running and self.body.ready:
            self._frame = self.set_timer(max(0.001, self._next_frame - monotonic()), self._on_frame)

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.following = True
        self.has_news = False
        self.show_changes()

    def scroll_to(self, x: float | None = None, y: float | None = None, **options: Any) -> None:
        """Go to a line at once: heights are corrected on the way, which an animation would not survive."""
        super().scroll_to(x, y, **{**options, "animate": False})

    def scroll_end(self, **options: Any) -> None:
        """Go to the end and stay there."""
        self.follow()
        self.settle()

    def hold(self) -> None:
        """Keep the top line where it is while something on the screen grows or shrinks."""
        self._anchor = self._place_at(self.scroll_offset.y)
        self.following = False

    def moved_down(self, blocks: int) -> None:
        """Keep the place after so many blocks were put before all others."""
        index, place = self._anchor
        self._anchor = index + blocks, place + (index == 0)
        if self.text_selection is not None:
            self.screen.clear_selection()
        self.settle()

    def bring_to_view(self, index: int, place: int) -> None:
        """Scroll so that line `place` of a block is seen, a third from the top, if it is not seen now."""
        self.body.measure(index)
        line = self.body.top(index) + place
        if not self.scroll_offset.y <= line < self.scroll_offset.y + self.size.height:
            self.following = False
            self._anchor = self.body.find(max(0, line - self.size.height // 3))
        self.settle()

    # updates

    def _on_frame(self) -> None:
        self._frame = None
        start = monotonic()
        self.before_frame()
        self.settle()
        now = monotonic()
        self._next_frame = now + max(FRAME, SHARE * (now - start))

    def settle(self) -> None:
        """Draw what is seen, correct the heights, keep the place; a page around it is drawn afterwards."""
        layout = self.body
        if self._settling or not layout.ready:
            return
        self._settling = True
        try:
            if self.following:
                self._measure_up(len(layout.blocks) - 1, 2 * self.size.height)
            else:
                self._measure_around(*self._anchor, 0)
            self._adopt(layout.total)
        finally:
            self._settling = False
        self.refresh()
        if not (self.following or self._looks_ahead):
            self._looks_ahead = True
            self.set_timer(REST, self._look_ahead)

    def _look_ahead(self) -> None:
        """Draw the page above and the one below: going there shows what is ready. Nothing seen changes."""
        self._looks_ahead = False
        if self.following or not self.body.ready:
            return
        self._measure_around(*self._anchor, self.size.height)
        self._settling = self._unseen = True
        try:
            self._adopt(self.body.total)
        finally:
            self._settling = self._unseen = False

    def _measure_up(self, index: int, lines: int) -> None:
        while index >= 0 and lines > 0:
            lines -= self.body.measure(index)
            index -= 1

    def _measure_around(self, index: int, place: int, more: int) -> None:
        """Measure what is seen, and so many lines more above and below."""
        self._measure_up(index - 1, more)
        below = self.size.height + more + place
        while index < len(self.body.blocks) and below > 0:
            below -= self.body.measure(index)
            index += 1

    def _adopt(self, total: int) -> None:
        self._grow(Size(self.size.width, total))
        if self.following:
            y = self.max_scroll_y
        else:
            index, place = self._anchor
            y = self.body.top(index) + place if self.body.blocks else 0
        self.scroll_target_y = y
        self.scroll_y = y
        self.following = self.following or y >= self.max_scroll_y
        self.has_news = self.has_news and not self.following

    def _grow(self, size: Size) -> None:
        if size != self.virtual_size:
            self.virtual_size = size
            self._scroll_update(size)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Take note of where the user went; what is there is drawn before it is shown."""
        if self._unseen:  # the same lines under other numbers: nothing to paint
            self.vertical_scrollbar.position = new_value
            return
        super().watch_scroll_y(old_value, new_value)
        if self._settling or not self.body.ready or round(old_value) == round(new_value):
            return
        self.following = round(new_value) >= self.max_scroll_y
        if self.following:
            self.has_news = False
        self._anchor = self._place_at(round(new_value))
        self.settle()

    def _place_at(self, y: int) -> tuple[int, int]:
        """Return block and line at `y`. In a block whose height was a guess, count from its end."""
        layout = self.body
        index, place = layout.find(y)
        if y <= 0 or not layout.blocks or layout.measured(index):
            return index, place
        from_end = layout.height(index) - place
        return index, max(0, layout.measure(index) - from_end)

    def watch_has_news(self, has_news: bool) -> None:
        """Tell the screen."""
        self.post_message(self.News(has_news))

    # width and colours

    def on_resize(self, event: events.Resize) -> None:
        """Wrap again for the new width, what is seen first."""
        self._new_canvas()

    def notify_style_update(self) -> None:
        """Draw again when the theme's colours changed."""
        super().notify_style_update()
        if self.is_running:
            self.call_later(self._new_canvas)

    def _new_canvas(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            return
        styles = {role: self._style_of(f"transcript--{role}") for role in ROLES}
        styles["ground"] = ground = self.rich_style
        if width != self._canvas_width and self.text_selection is not None:
            self.screen.clear_selection()  # the lines it spans are wrapped elsewhere now
        if styles != self._styles_of or width != self._canvas_width:
            self._styles_of, self._canvas_width = styles, width
            self.before_frame()
            index, place = self._anchor
            before = self.body.height(index) if self.body.ready and self.body.blocks else 0
            self.body.set_canvas(Canvas(width, styles, ground))
            if before:
                self._anchor = index, place * self.body.measure(index) // before
        self.settle()

    def _style_of(self, component: str) -> Style:
        """Return a component's colours, blended with the ground; its background only if it has its own."""
        style = self.get_component_rich_style(component)
        if self.get_component_styles(component).has_rule("background"):
            return style
        return Style.from_color(style.color) + style.without_color

    def style_of(self, role: str) -> Style:
        """Return the style of a role of `ROLES`."""
        return self._styles_of[role]

    def mark_style(self, role: str) -> Style:
        """Return what a mark lays over text: the ground and the attributes of a role, not its colour."""
        style = self._styles_of[role]
        return style.background_style + style.without_color

    # drawing

    def render_line(self, y: int) -> Strip:
        """Return one line of the screen."""
        line_y = self.scroll_offset.y + y
        layout = self.body
        # computing `rich_style` walks up to the screen, which costs more than the rest of a line
        ground = self._styles_of["ground"] if self._styles_of else self.rich_style
        if not layout.ready or line_y >= layout.total:
            return Strip.blank(self.size.width, ground)
        index, place = layout.find(line_y)
        lines = layout.lines(index)
        if place >= len(lines):
            return Strip.blank(self.size.width, ground)
        line = lines[place]
        strip = line.strip.extend_cell_length(self.size.width, ground)
        number = index * _BLOCK + place
        if marks := [*self.marks_of(index, place, line), *self._selected(number)]:
            strip = marked(strip, marks)
        # only whoever asks what is at a cell needs the offsets, and they cost as much as the rest
        return strip if self._painting else strip.apply_offsets(0, number)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines to paint."""
        self._painting = True
        try:
            return super().render_lines(crop)
        finally:
            self._painting = False

    def _selected(self, number: int) -> Iterator[Mark]:
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(number)) is not None:
            yield (*span, self.screen.get_component_rich_style("screen--selection"))

    # selection

    def select_block(self, index: int) -> None:
        """Select one block."""
        lines = self.body.lines(index)
        first = next((place for place, line in enumerate(lines) if line.text.strip()), 0)
        ends = Offset(0, index * _BLOCK + first), Offset(_LINE_END, index * _BLOCK + len(lines) - 1)
        self.screen.selections = {self: Selection(*ends)}

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the new selection."""
        self.refresh()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it was written: no decoration, wrapped lines joined again."""
        if not self.body.ready or not self.body.blocks:
            return None
        return self._text_between(selection), "\n"

    def _text_between(self, selection: Selection) -> str:
        last = len(self.body.blocks) - 1
        first_block = 0 if selection.start is None else min(last, selection.start.y // _BLOCK)
        last_block = last if selection.end is None else min(last, selection.end.y // _BLOCK)
        parts: list[str] = []
        for index in range(first_block, last_block + 1):
            for place, line in enumerate(self.body.lines(index)):
                if (span := selection.get_span(index * _BLOCK + place)) is None:
                    continue
                start, end = max(span[0], line.gutter), None if span[1] < 0 else span[1]
                if parts:
                    parts.append(line.joint)
                parts.append(line.text[start:end].rstrip())
        return "".join(parts)
