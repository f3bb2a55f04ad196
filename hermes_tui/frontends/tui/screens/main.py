"""The screen below all others: where the widgets stand and what they do among themselves.

What concerns the engine goes on to the app as a message.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from hermes_tui.frontends.runs import Runs
from hermes_tui.frontends.tui.screens.sizes import classes
from hermes_tui.frontends.tui.widgets.find import Find
from hermes_tui.frontends.tui.widgets.prompt.completions import Completions
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.frontends.tui.widgets.prompt.prompt import Prompt
from hermes_tui.frontends.tui.widgets.runs.panel import RunsPanel
from hermes_tui.frontends.tui.widgets.runs.todo import TodoList
from hermes_tui.frontends.tui.widgets.status import StatusLine
from hermes_tui.frontends.tui.widgets.topbar import TopBar
from hermes_tui.frontends.tui.widgets.transcript import Transcript
from hermes_tui.frontends.tui.widgets.waiting import Waiting
from hermes_tui.frontends.tui.widgets.way_back import WayBack
from hermes_tui.frontends.tui.widgets.welcome import Welcome


class MainScreen(Screen[None]):
    """Top bar; conversation and runs, side by side or one above the other; prompt; status line."""

    AUTO_FOCUS = "#prompt"
    DEFAULT_CSS = """
    MainScreen {
        layout: vertical; overflow: hidden; background: $background;
        & > #main { layout: horizontal; height: 1fr; layers: base popup; }
        &.-narrow > #main { layout: vertical; }
        & #talk { width: 1fr; height: 1fr; }
        & Transcript { width: 1fr; height: 1fr; padding: 0 0 0 1; }
        & #line { height: auto; border-top: solid $rule; }
        & #mark { width: 3; height: 1; padding: 0 1; color: $accent; text-style: bold; }
        & #prompt { width: 1fr; }
        & #side { width: 42%; min-width: 40; max-width: 64; height: 100%; border-left: solid $rule; }
        & #side:focus-within { border-left: solid $accent; }
        & RunsPanel { width: 100%; height: 1fr; }
        &.-narrow #side {
            width: 100%; max-width: 100%; height: auto; max-height: 50%; border-left: none;
            & RunsPanel {
                height: auto; max-height: 100%; border-top: solid $rule;
                &:focus { border-top: solid $accent; }
                &.-empty { display: none; }
            }
            & TodoList { border-top: none; }
        }
        &.-short TopBar { display: none; }
        & .-hidden { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "app.ladder('ctrl+c')", show=False),
        Binding("tab", "app.focus_previous", "To the runs, to the conversation, and back"),
        Binding("ctrl+t", "toggle_runs", "Show or hide the runs", id="runs"),
        Binding("ctrl+f", "find", "Search the conversation", id="find"),
        Binding("ctrl+o", "open", "Open the paste at the cursor, else the newest detail", id="open"),
        Binding("ctrl+q", "app.come_back", "Back to the questions that were put off", id="questions"),
        Binding(
            "ctrl+b",
            "app.tick_output",
            "Let the output of a ! command go with the next message",
            id="give_output",
        ),
    ]

    def __init__(
        self, folder: Path, size: Size, clock: Callable[[], float] = time.time, known: bool = False
    ) -> None:
        """`size` is the terminal's: with its classes from the start nothing has to be styled twice.

        `known`: the user was here before and needs no introduction.
        """
        super().__init__(id="_default", classes=classes(size))
        self.runs = Runs(folder)
        self.topbar = TopBar(folder)
        self.welcome = Welcome(folder, known)
        self.transcript = Transcript(id="transcript")
        self.panel = RunsPanel(self.runs, clock)
        self.todo = TodoList()
        self.side = Vertical(self.panel, id="side")
        self.completions = Completions()
        self.find = Find(self.transcript)
        self.waiting = Waiting()
        self.way_back = WayBack()
        self.mark = Static("❯", id="mark", markup=False)
        self.prompt = Prompt(self.completions)
        self.status = StatusLine()

    def on_mount(self) -> None:
        """Make what is hidden behind the first frame."""
        self.call_after_refresh(self.mount, self.find, before=self.way_back)
        self.call_after_refresh(self._mount_todo)

    def _mount_todo(self) -> None:
        if self.side.is_attached:  # else the screen is going already
            self.side.mount(self.todo)

    def compose(self) -> ComposeResult:
        """Put the widgets where they stand."""
        yield self.topbar
        talk = Vertical(self.welcome, self.transcript, id="talk")
        yield Container(talk, self.side, self.completions, id="main")
        yield self.way_back
        yield self.waiting
        yield Horizontal(self.mark, self.prompt, id="line")
        yield self.status

    @on(Completions.Picked)
    def _picked(self, event: Completions.Picked) -> None:
        self.prompt.take(event.offer)
        self.prompt.focus()

    @on(Welcome.Picked)
    def _example(self, event: Welcome.Picked) -> None:
        self.prompt.put(event.text)
        self.prompt.focus()

    @on(Prompt.MarkChanged)
    def _mark_changed(self, event: Prompt.MarkChanged) -> None:
        self.mark.update(event.mark)

    @on(Prompt.NothingToPaste)
    def _nothing_to_paste(self) -> None:
        self.transcript.note("no picture in the clipboard; text comes by your terminal's own paste key")

    @on(Find.Closed)
    def _find_closed(self) -> None:
        self.prompt.focus()

    @on(RunsPanel.Opened)
    def _open_output(self, event: RunsPanel.Opened) -> None:
        from hermes_tui.frontends.tui.screens.call import CallScreen

        self.app.push_screen(CallScreen(event.call))

    @on(Transcript.News)
    def _news(self, event: Transcript.News) -> None:
        self.status.news = event.has_news

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        self.status.panel = self.panel.has_focus

    def action_toggle_runs(self) -> None:
        """Show or hide the runs."""
        self.side.toggle_class("-hidden")
        if self.panel.has_focus:
            self.prompt.focus()

    def action_find(self) -> None:
        """Search the conversation."""
        self.find.show()

    def action_open(self) -> None:
        """Open the paste at the cursor; where there is none, unfold the newest detail, or fold it."""
        from hermes_tui.frontends.tui.screens.output import OutputScreen

        if (paste := self.prompt.paste_here()) is not None:
            self.app.push_screen(OutputScreen(*paste))
        else:
            self.transcript.toggle_newest()

    def action_to_end(self) -> None:
        """Go to the newest of the conversation and stay there."""
        self.transcript.scroll_end()

    def action_page(self, step: int) -> None:
        """Scroll the conversation by a page, up if `step` is negative."""
        if step < 0:
            self.transcript.scroll_page_up(animate=False)
        else:
            self.transcript.scroll_page_down(animate=False)

    def clear(self) -> None:
        """Empty the conversation and the runs."""
        self.welcome.go()
        self.transcript.clear()
        self.runs.clear()
        self.way_back.hide()
        self.panel.clear()

    @classmethod
    def key_groups(cls) -> list[tuple[str, list[BindingType]]]:
        """Return every binding that has a description, by where it acts."""
        return [
            ("Where the focus is", cls.BINDINGS),
            ("Prompt", [*Prompt.BINDINGS, *Editor.BINDINGS]),
            ("Runs, when they have the focus", RunsPanel.BINDINGS),
            ("What an interrupt left, when it has the focus", WayBack.BINDINGS),
            ("Conversation, when it has the focus", Transcript.BINDINGS),
        ]
