"""The checkpoints: the list on the left, what going back would do on the right. Changes nothing itself.

Its result is the number that was chosen, for /rollback, which shows the preview again and asks.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.engine.errors import HermesError
from hermes_tui.frontends.tui.offthread import off_thread
from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.screens.lines import Lines
from hermes_tui.frontends.tui.widgets.topbar import tilde
from hermes_tui.text import harmless, one_line

MOST = 200_000
"""Characters of a difference that are shown."""


class Store(Protocol):
    """What the browser asks of the checkpoints; both may be slow and run in a thread."""

    def preview(self, number: int) -> Any:
        """Return what a restore would do: `items` with path, action, reason, added, removed, and `notes`."""

    def difference(self, of: Any) -> str:
        """Return its unified difference."""


class CheckpointsScreen(Dialog[int]):
    """Pick a checkpoint to go back to."""

    DEFAULT_CSS = """
    CheckpointsScreen > .box { width: 100%; max-width: 100%; height: 100%; max-height: 100%; }
    CheckpointsScreen {
        & #both { height: 1fr; }
        & OptionList {
            width: 44%; height: 100%; max-height: 100%; border-right: solid $rule;
            &:focus { border-right: solid $accent; }
        }
        & Lines { width: 1fr; height: 100%; padding: 0 1; }
        & .hint { margin: 0; }
    }
    CheckpointsScreen.-narrow {
        & #both { layout: vertical; }
        & OptionList {
            width: 100%; height: 45%; border-right: none; border-bottom: solid $rule;
            &:focus { border-right: none; border-bottom: solid $accent; }
        }
    }
    """
    AUTO_FOCUS = "OptionList"

    def __init__(self, store: Store, project: Path, rows: Sequence[Any]) -> None:
        """`rows`: the checkpoints, newest first, with number, time, label, kind and files."""
        super().__init__()
        self._store, self._project, self._checkpoints = store, project, rows

    def content(self) -> ComposeResult:
        """List, preview, keys."""
        self.box.border_title = "Checkpoints"
        self.box.border_subtitle = Content(one_line(tilde(self._project), 60))
        with Horizontal(id="both"):
            yield OptionList(*(Option(row(point)) for point in self._checkpoints), compact=True)
            yield Lines("", diff=True)
        keys = "↑↓ choose · Tab to the difference · Enter go back to it (asks first) · Esc nothing changes"
        yield Static(keys, markup=False, classes="hint")

    @on(OptionList.OptionHighlighted)
    def _look(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        number = self._checkpoints[event.option_index].number
        self.run_worker(self._preview(number), exclusive=True, group="preview")

    async def _preview(self, number: int) -> None:
        lines = self.query_one(Lines)
        lines.show(await off_thread(lambda: preview_text(self._store, number)))

    @on(OptionList.OptionSelected)
    def _take(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._checkpoints[event.option_index].number)


def row(point: Any) -> Content:
    """Return a line of the list: number, when, what came after it, how many files."""
    when = time.strftime(
        "%H:%M" if time.time() - point.time < 64_800 else "%d %b", time.localtime(point.time)
    )
    label = one_line(point.label, 60)
    count = f"  {len(point.files)} files" if len(point.files) != 1 else "  1 file"
    number = Content.styled(f"#{point.number:<4}", "bold $accent")
    return Content.assemble(number, (f" {when}  ", "$text-muted"), label, (count, "$text-muted"))


def preview_text(store: Store, number: int) -> str:
    """Return what going back would do, path by path, and the difference; or why it cannot."""
    try:
        found = store.preview(number)
        difference = store.difference(found)
    except HermesError as error:
        return str(error)
    lines = [item_line(item) for item in found.items] or ["everything stands as it was then"]
    return "\n".join([*lines, *found.notes, "", difference[:MOST]])


def item_line(item: Any) -> str:
    """Return one path of a preview: what would become of it, and why not."""
    counts = f"  +{item.added} −{item.removed}" if item.added or item.removed else ""
    why = f"  {item.reason}" if item.reason else ""
    return harmless(f"{item.action:<8} {item.path}{counts}{why}".replace("\n", "⏎"))
