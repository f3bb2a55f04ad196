"""The Runs panel: one widget that draws its rows itself. Shows a `Runs` model and changes nothing of it.

Wide: the newest batch in full, the older ones folded to a line each. Narrow: a strip of one line, which
opens while it has the focus. Its keys act only then. One timer, and only while something runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from hermes_tui.frontends.runs import RUNNING, Batch, Call, Runs
from hermes_tui.frontends.tui.widgets.runs.rows import Row, folded, strip, unfolded

BEAT: Final = 0.25
"""Seconds between two turns of the spinner: 4 Hz, calm over ssh."""
ROLES: Final = ("text", "muted", "accent", "success", "warning", "error")


class RunsPanel(ScrollView):
    """The batches of the session."""

    can_focus = True
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"runs--{role}" for role in ROLES), "runs--cursor"}
    DEFAULT_CSS = """
    RunsPanel {
        padding: 0 1;
        background: $background; color: $foreground;
        overflow-x: hidden; scrollbar-size-vertical: 1;
        .runs--muted { color: $text-muted; }
        .runs--accent { color: $accent; }
        .runs--success { color: $success; }
        .runs--warning { color: $warning; }
        .runs--error { color: $error; }
        .runs--cursor { background: $panel; text-style: bold; }
        &:ansi .runs--cursor { text-style: reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Select above", show=False),
        Binding("down", "move(1)", "Select below", show=False),
        Binding("enter", "open", "Open the whole output; fold a batch"),
        Binding("k", "stop", "Stop this call alone", id="stop_call"),
        Binding("r", "again", "Run a call that only reads once more, for you alone", id="run_again"),
    ]

    class Opened(Message):
        """Enter was pressed on a call."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    class Stopped(Message):
        """`k` was pressed on a running call."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    class Again(Message):
        """`r` was pressed on a call that has ended."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    def __init__(self, runs: Runs, clock: Callable[[], float] = time.time) -> None:
        super().__init__(id="runs")
        self._runs = runs
        self._clock = clock
        self._rows: list[Row] = []
        self._open: set[int] = set()
        self._chosen: Call | Batch | None = None
        self._beat = 0
        self._styles: dict[str, Style] = {}
        self.calm = False
        """Whether nothing turns: motion is reduced."""
        self.timer: Timer | None = None
        """The one timer of all spinners and times; paused while no batch is open."""

    def on_mount(self) -> None:
        """Make the one timer, stopped."""
        self.timer = self.set_interval(BEAT, self._tick, pause=True)
        self.changed()

    @property
    def narrow(self) -> bool:
        """Whether the panel lies above the prompt instead of beside the conversation."""
        return self.is_attached and self.screen.has_class("-narrow")

    def changed(self) -> None:
        """The model changed: draw it, and tick while a batch is not over."""
        if self.timer is not None:
            if all(batch.ended is not None for batch in self._runs.batches):
                self.timer.pause()
            else:
                self.timer.resume()
            self._rebuild()

    def clear(self) -> None:
        """The model was emptied."""
        self._chosen = None
        self._open.clear()
        self.changed()

    def _tick(self) -> None:
        self._beat += not self.calm
        self._rebuild()

    def _rebuild(self) -> None:
        """Lay the rows out anew; only those that say something else are drawn."""
        width = self._width()
        before, self._rows = self._rows, self._build(width)
        self.virtual_size = Size(width, len(self._rows))
        if len(before) != len(self._rows):
            self.refresh(layout=self.narrow)
        self.set_class(not self._rows, "-empty")
        for index, (old, new) in enumerate(zip(before, self._rows, strict=False)):
            if old != new:
                self.refresh_line(index)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many rows there are at this width: the rows of the last one may be others."""
        return len(self._build(width))

    def _width(self) -> int:
        """Return the width of a row, also while the panel is hidden because it has none."""
        return self.scrollable_content_region.width or max(10, self.app.size.width - 2)

    def _build(self, width: int) -> list[Row]:
        now, newest = self._clock(), self._runs.current()
        if self.narrow and not self.has_focus:
            return strip(newest, width, now, self._beat)
        if not self._runs.batches:
            hint = ("Nothing has run yet.", "Calls of a batch show here as they run.")
            return [Row([(line, "muted")]) for line in hint]
        rows: list[Row] = []
        for batch in reversed(self._runs.batches):
            if batch is newest or batch.ended is None or id(batch) in self._open:
                rows += [*unfolded(batch, width, now, self._beat), Row([])]
            else:
                rows.append(folded(batch, width, now))
        return rows

    def render_line(self, y: int) -> Strip:
        """Draw one line of the visible part."""
        index = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        if not self._styles:
            self._styles = {role: self.get_component_rich_style(f"runs--{role}") for role in ROLES}
        if index >= len(self._rows):
            return Strip.blank(width, self._styles["text"])
        row = self._rows[index]
        line = Strip([Segment(text, self._styles[role]) for text, role in row.spans if text])
        line = line.adjust_cell_length(width, self._styles["text"])
        if self.has_focus and row.target is not None and row.target is self._chosen:
            cursor = self.get_component_rich_style("runs--cursor", partial=True)
            line = Strip(Segment.apply_style(line, post_style=cursor), width)
        return line

    def notify_style_update(self) -> None:
        """Take the colours of a new theme."""
        self._styles = {}
        super().notify_style_update()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the rows out for the new width."""
        self._rebuild()

    def on_focus(self) -> None:
        """Open, with the first call that runs chosen."""
        targets = self._targets()
        self._chosen = next((t for t in targets if isinstance(t, Call) and t.state == RUNNING), None)
        self._rebuild()
        if self._chosen is None:
            self._chosen = next(iter(self._targets()), None)
        self.refresh()

    def on_blur(self) -> None:
        """Fold to the strip again where the screen is narrow."""
        self._rebuild()

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked; a second click opens it."""
        index = event.get_content_offset_capture(self).y + self.scroll_offset.y
        target = self._rows[index].target if index < len(self._rows) else None
        if target is None:
            return
        self._chosen = target
        self.refresh()
        if event.chain > 1:
            self.action_open()

    def _targets(self) -> list[Call | Batch]:
        return [row.target for row in self._rows if row.target is not None]

    def action_move(self, step: int) -> None:
        """Choose the row above or below."""
        targets = self._targets()
        if not targets:
            return
        at = next((index for index, target in enumerate(targets) if target is self._chosen), -1)
        self._chosen = targets[max(0, min(len(targets) - 1, at + step))]
        line = next(index for index, row in enumerate(self._rows) if row.target is self._chosen)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not top <= line < top + height:
            self.scroll_to(y=line if line < top else line - height + 1, animate=False)
        self.refresh()

    def action_open(self) -> None:
        """Open a call's output, fold or unfold a batch."""
        if isinstance(self._chosen, Call):
            self.post_message(self.Opened(self._chosen))
        elif self._chosen is not None:
            self._open ^= {id(self._chosen)}
            self._rebuild()

    def action_stop(self) -> None:
        """Stop the chosen call alone."""
        if isinstance(self._chosen, Call) and not self._chosen.over:
            self.post_message(self.Stopped(self._chosen))

    def action_again(self) -> None:
        """Run the chosen call once more."""
        call = self._chosen
        if isinstance(call, Call) and call.over and call.started is not None:
            self.post_message(self.Again(call))
