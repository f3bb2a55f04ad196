"""The checkpoints: the list on the left, on the right the files of one and the difference of one of them.

Changes nothing itself. Its result is what was picked, for /rollback, which shows the preview again and asks.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.checkpoints.plan_restore import Item, Preview
from hermes_tui.checkpoints.show import CheckpointInfo
from hermes_tui.engine.errors import HermesError
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.screens.lines import Lines
from hermes_tui.frontends.tui.screens.ticks import Picked, Ticks, shown_as
from hermes_tui.frontends.tui.widgets.fitting import pad, tail
from hermes_tui.frontends.tui.widgets.topbar import tilde
from hermes_tui.text import cells, one_line

MOST = 200_000
"""Characters of a difference that are shown."""
NAME = 40
"""Cells that a path gets."""
TODAY = 64_800
"""Seconds for which the hour says when it was, then the day does."""
STYLES = {"restore": "$success", "delete": "$error", "keep": "$text-muted", "cannot": "$warning"}


class Store(Protocol):
    """What the browser asks of the checkpoints; all of it may be slow and runs in a thread."""

    def preview(self, number: int) -> Preview:
        """Return what going back would do."""

    def chosen(self, number: int, paths: Collection[str], anyway: Collection[str] = ()) -> Preview:
        """Return what going back would do to exactly these paths."""

    def difference(self, of: Preview) -> str:
        """Return the unified difference of a preview."""


class PointList(OptionList):
    """The checkpoints. A click only looks at one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.restore", "Go back to it (asks first)"),
        Binding("right", "screen.files", "To its files"),
    ]

    def action_select(self) -> None:
        """Looking is all that a click does."""


class FileList(OptionList):
    """The files of one. A click takes or leaves a file, as the space bar does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.restore", "Restore what is ticked (asks first)"),
        Binding("space", "select", "Take or leave a file"),
        Binding("a", "screen.all_or_none", "All or none"),
        Binding("left", "screen.points", "To the checkpoints"),
        Binding("right", "screen.difference", "To the difference"),
    ]


class CheckpointsScreen(Dialog[Picked]):
    """Pick a checkpoint to go back to, and what of it."""

    DEFAULT_CSS = """
    CheckpointsScreen > .box { width: 100%; max-width: 100%; height: 100%; max-height: 100%; }
    CheckpointsScreen {
        & #both { height: 1fr; }
        & OptionList {
            text-wrap: nowrap; text-overflow: ellipsis;
            &:focus > .option-list--option-highlighted { background: $accent 30%; }
        }
        & PointList { width: 44%; height: 100%; max-height: 100%; }
        & #right { width: 1fr; padding: 0 0 0 1; border-left: solid $rule; }
        & #what { height: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
        & FileList { height: auto; max-height: 45%; }
        & Lines { width: 1fr; height: 1fr; border-top: solid $rule; &:focus { border-top: solid $accent; } }
        & .hint { margin: 0; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    CheckpointsScreen.-narrow {
        & #both { layout: vertical; }
        & PointList { width: 100%; height: 30%; }
        & #right { width: 100%; padding: 0; border-left: none; border-top: solid $rule; }
    }
    """
    AUTO_FOCUS = "PointList"

    def __init__(self, store: Store, project: Path, rows: Sequence[CheckpointInfo]) -> None:
        """`rows`: the checkpoints, newest first."""
        super().__init__()
        self._store, self._project, self._checkpoints = store, project, rows
        self._ticks: Ticks | None = None
        """The files of the checkpoint that is looked at; None while they are sought, or cannot be told."""

    def content(self) -> ComposeResult:
        """Checkpoints; files and difference; keys."""
        self.box.border_title = "Checkpoints: go back to before"
        self.box.border_subtitle = Content(one_line(tilde(self._project), 60))
        with Horizontal(id="both"):
            digits = len(str(self._checkpoints[0].number))
            yield PointList(*(Option(point_row(point, digits)) for point in self._checkpoints), compact=True)
            with Vertical(id="right"):
                yield Static("", markup=False, id="what")
                yield FileList(compact=True)
                yield Lines("", diff=True)
        yield Static("", markup=False, classes="hint")

    def on_descendant_focus(self) -> None:
        """Say what the keys do here."""
        if self.query_one(FileList).has_focus:
            keys = "Space take or leave · Enter restore the ticked (asks first) · → difference · ← back"
        elif self.query_one(Lines).has_focus:
            keys = "↑↓ scroll · Tab to the checkpoints · Esc nothing changes"
        else:
            keys = "↑↓ choose · Enter go back to it (asks first) · → choose files · Esc nothing changes"
        self.query_one(".hint", Static).update(keys)

    # looking

    @on(OptionList.OptionHighlighted, "PointList")
    def _look(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._ticks = None
        number = self._checkpoints[event.option_index].number
        self.run_worker(self._preview(number), exclusive=True, group="preview")

    async def _preview(self, number: int) -> None:
        files = self.query_one(FileList)
        try:
            self._ticks = Ticks(await off_thread(lambda: self._store.preview(number)))
        except HermesError as error:
            files.clear_options()
            files.display = False
            self._say(f"#{number}")
            self.query_one(Lines).show(str(error))
            return
        self._list(0)
        if not self._ticks.items:
            self.query_one(Lines).show(
                "\n".join(("Everything stands as it was then.", *self._ticks.preview.notes))
            )

    def _list(self, highlighted: int | None) -> None:
        """Show the files as they are ticked."""
        files, ticks = self.query_one(FileList), self._ticks
        if ticks is None:
            return
        width = min(NAME, max((cells(item.path) for item in ticks.items), default=0))
        files.display = bool(ticks.items)
        files.set_options(Option(file_row(item, ticks.ticked(item), width)) for item in ticks.items)
        files.highlighted = highlighted if ticks.items else None
        notes = "".join(f" · {note}" for note in ticks.preview.notes)
        self._say(f"now → #{ticks.preview.number}: {ticks.summary() or 'nothing differs'}{notes}")

    def _say(self, text: str) -> None:
        self.query_one("#what", Static).update(Content(one_line(text, 400)))

    @on(OptionList.OptionHighlighted, "FileList")
    def _look_into(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if (ticks := self._ticks) is not None:
            item = ticks.items[event.option_index]
            self.run_worker(self._difference(ticks, item), exclusive=True, group="difference")

    async def _difference(self, ticks: Ticks, item: Item) -> None:
        paths, anyway = ticks.alone(item)

        def look() -> str:
            one = self._store.chosen(ticks.preview.number, paths, anyway)
            return "\n\n".join(filter(None, (item.reason, self._store.difference(one))))

        try:
            text = await off_thread(look)
        except HermesError as error:
            text = str(error)
        self.query_one(Lines).show(text[:MOST])

    # choosing

    @on(OptionList.OptionSelected, "FileList")
    def _toggle(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self._ticks is not None:
            self._ticks.toggle(self._ticks.items[event.option_index])
            self._list(event.option_index)

    def action_all_or_none(self) -> None:
        """Tick all that would be restored, or nothing."""
        if self._ticks is not None:
            self._ticks.toggle_all()
            self._list(self.query_one(FileList).highlighted)

    def action_restore(self) -> None:
        """Go back to what is ticked; /rollback asks first."""
        if self._ticks is None:
            return
        if picked := self._ticks.picked():
            self.dismiss(picked)
        else:
            self._say("nothing is ticked: Space takes a file, a takes all")

    def action_points(self) -> None:
        """To the checkpoints."""
        self.query_one(PointList).focus()

    def action_files(self) -> None:
        """To the files, if there are any."""
        if self._ticks is not None and self._ticks.items:
            self.query_one(FileList).focus()

    def action_difference(self) -> None:
        """To the difference."""
        self.query_one(Lines).focus()


def point_row(point: CheckpointInfo, digits: int) -> Content:
    """Return a line of the list: number, when, how many files, what came after it."""
    form = "%H:%M" if time.time() - point.time < TODAY else "%d %b"
    when = time.strftime(form, time.localtime(point.time))
    count = f"{len(point.files):>2} file{' ' if len(point.files) == 1 else 's'}"
    label = one_line(point.label.removeprefix("before "), 200)
    number = Content.styled(f"#{point.number:<{digits}}", "bold $accent")
    return Content.assemble(number, (f"  {when} {count}  ", "$text-muted"), label)


def file_row(item: Item, ticked: bool, width: int) -> Content:
    """Return a line of the files: whether it is wanted, its path, what becomes of it, and why not."""
    shown = shown_as(item, ticked)
    box = ("☑ " if ticked else "☐ ") if item.can_be_taken else "  "
    path = pad(tail(one_line(item.path, 400), width), width)
    counts = "".join(f" {sign}{count}" for sign, count in (("+", item.added), ("−", item.removed)) if count)
    why = f"  {one_line(shown.reason, 400)}" if shown.reason else ""
    return Content.assemble(
        box, path, (f"  {shown.action:<8}", STYLES[shown.action]), counts, (why, "$text-muted")
    )
