"""The screen below all others: where the widgets stand and what they do among themselves.

What concerns the engine goes on to the app as a message.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from hermes_tui.frontends.runs import Runs
from hermes_tui.frontends.tui.screens.sizes import classes
from hermes_tui.frontends.tui.widgets.prompt.completions import Completions
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.frontends.tui.widgets.prompt.prompt import Prompt
from hermes_tui.frontends.tui.widgets.runs.panel import RunsPanel
from hermes_tui.frontends.tui.widgets.status import StatusLine
from hermes_tui.frontends.tui.widgets.topbar import TopBar
from hermes_tui.frontends.tui.widgets.transcript import Transcript
from hermes_tui.frontends.tui.widgets.way_back import WayBack


class MainScreen(Screen[None]):
    """Top bar; conversation and runs, side by side or one above the other; prompt; status line."""

    AUTO_FOCUS = "#prompt"
    DEFAULT_CSS = """
    MainScreen {
        layout: vertical; overflow: hidden; background: $background;
        & > #main { layout: horizontal; height: 1fr; layers: base popup; }
        &.-narrow > #main { layout: vertical; }
        & Transcript { width: 1fr; height: 1fr; padding: 0 0 0 1; }
        & #line { height: auto; border-top: solid $rule; }
        & #mark { width: 3; height: 1; padding: 0 1; color: $accent; text-style: bold; }
        & #prompt { width: 1fr; }
        &.-narrow RunsPanel {
            width: 100%; max-width: 100%; height: auto; max-height: 50%; border-left: none;
            border-top: solid $rule;
            &:focus { border-top: solid $accent; }
            &.-empty { display: none; }
        }
        &.-short TopBar { display: none; }
        & .-hidden { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "app.ladder('ctrl+c')", show=False),
        Binding("tab", "app.focus_previous", "To the runs, to the conversation, and back"),
        Binding("ctrl+t", "toggle_runs", "Show or hide the runs"),
    ]

    def __init__(self, folder: Path, size: Size) -> None:
        """`size` is the terminal's: with its classes from the start nothing has to be styled twice."""
        super().__init__(id="_default", classes=classes(size))
        self.runs = Runs(folder)
        self.topbar = TopBar(folder)
        self.transcript = Transcript(id="transcript")
        self.panel = RunsPanel(self.runs)
        self.completions = Completions()
        self.way_back = WayBack()
        self.prompt = Prompt(self.completions)
        self.status = StatusLine()

    def compose(self) -> ComposeResult:
        """Put the widgets where they stand."""
        yield self.topbar
        yield Container(self.transcript, self.panel, self.completions, id="main")
        yield self.way_back
        yield Horizontal(Static("❯", id="mark", markup=False), self.prompt, id="line")
        yield self.status

    @on(Completions.Picked)
    def _picked(self, event: Completions.Picked) -> None:
        self.prompt.take(event.line)
        self.prompt.focus()

    @on(RunsPanel.Opened)
    def _open_output(self, event: RunsPanel.Opened) -> None:
        from hermes_tui.frontends.tui.screens.output import OutputScreen

        call = event.call
        self.app.push_screen(OutputScreen(f"{call.name} {call.main}", call.text))

    @on(Transcript.News)
    def _news(self, event: Transcript.News) -> None:
        self.status.news = event.has_news

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        self.status.panel = self.panel.has_focus

    def action_toggle_runs(self) -> None:
        """Show or hide the runs."""
        self.panel.toggle_class("-hidden")
        if self.panel.has_focus:
            self.prompt.focus()

    def action_page(self, step: int) -> None:
        """Scroll the conversation by a page, up if `step` is negative."""
        if step < 0:
            self.transcript.scroll_page_up(animate=False)
        else:
            self.transcript.scroll_page_down(animate=False)

    def clear(self) -> None:
        """Empty the conversation and the runs."""
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
