"""The full screen: wires the widgets, the engine's events and the keys together, and decides nothing."""

from __future__ import annotations

import time
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.actions import SkipAction
from textual.binding import Binding, BindingType

from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.events import Event
from hermes_tui.frontends.tui import collector, interrupted, leaving
from hermes_tui.frontends.tui.bridge import Bridge
from hermes_tui.frontends.tui.host import Hermes, Opening, opened
from hermes_tui.frontends.tui.ladder import Ladder
from hermes_tui.frontends.tui.offthread import off_thread
from hermes_tui.frontends.tui.present import Left, Presenter
from hermes_tui.frontends.tui.questions import QUIET, SETTLE, Questions
from hermes_tui.frontends.tui.screens.main import MainScreen
from hermes_tui.frontends.tui.screens.sizes import BY_HEIGHT, BY_WIDTH
from hermes_tui.frontends.tui.stage import ScreenStage
from hermes_tui.frontends.tui.themes import ThemedApp
from hermes_tui.frontends.tui.typeahead import TypeAhead
from hermes_tui.frontends.tui.ui import ScreenUI
from hermes_tui.frontends.tui.welcome import welcome, who_answers
from hermes_tui.frontends.tui.widgets.prompt.prompt import Prompt
from hermes_tui.frontends.tui.widgets.runs.panel import RunsPanel
from hermes_tui.frontends.tui.widgets.way_back import WayBack


class HermesApp(ThemedApp, inherit_bindings=False):
    """The front end on the whole terminal."""

    TITLE = "hermes-tui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "ladder('ctrl+c')", show=False),
        Binding("escape", "ladder('escape')", show=False),
        Binding("shift+tab", "ladder('shift+tab')", show=False, priority=True),
        Binding("f1", "help", "Every key and command"),
    ]

    def __init__(
        self,
        hermes: Hermes | Opening,
        first_prompt: str | None,
        guards: tuple[float, float] = (QUIET, SETTLE),
    ) -> None:
        """`guards`: seconds of quiet before a question's dialog opens, and in which it takes no key."""
        opening = hermes if isinstance(hermes, Opening) else opened(hermes)
        super().__init__(opening.theme)
        self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS = BY_WIDTH, BY_HEIGHT
        self._opening = opening
        self._hermes: Hermes | None = None
        self._waiting = [first_prompt] if first_prompt else []
        self._quiet, self._settle = guards
        self._typed_ahead = TypeAhead()

    @property
    def hermes(self) -> Hermes:
        """The program; it is there soon after the first frame."""
        assert self._hermes is not None, "it is being assembled"
        return self._hermes

    @property
    def connected(self) -> bool:
        """Whether it is there already."""
        return self._hermes is not None

    def get_default_screen(self) -> MainScreen:
        """Return the screen with the conversation."""
        self.main = MainScreen(self._opening.folder, self.size)
        return self.main

    def on_mount(self) -> None:
        """Make what connects the widgets, and say hello."""
        self.questions = Questions(ScreenStage(self, self._settle), self._quiet)
        self.ladder = Ladder(self, time.monotonic)
        self.ui = ScreenUI(self)
        self.presenter = Presenter(self.main, self.questions, self._turn_ended)
        self.main.transcript.note(welcome(self._opening.folder))
        self.call_after_refresh(self._after_first_frame)

    async def _after_first_frame(self) -> None:
        self.main.set_focus(self.main.prompt)
        await self._typed_ahead.handle_all(super().on_event)
        collector.resume()
        self.run_worker(self._connect(), group="connect")

    async def _connect(self) -> None:
        try:
            hermes = self._hermes = await off_thread(self._opening.assemble)
        except HermesError as error:
            self.exit(return_code=error.exit_code, message=Text(f"hermes-tui: {error}"))
            return
        self.main.prompt.connect(hermes)
        self.main.transcript.note(who_answers(hermes))
        self.show_settings()
        Bridge(hermes.agent.events, self._take, self.call_later).start()
        self._look_at_branch()
        while self._waiting:
            self.enter(self._waiting.pop(0))

    def _look_at_branch(self) -> None:
        async def look() -> None:
            self.main.topbar.branch = await off_thread(self.hermes.branch)

        self.run_worker(look(), group="branch", exclusive=True)

    @on(Prompt.QueueChanged)
    def show_settings(self) -> None:
        """Show what may have changed: model, schedule, permission, what waits."""
        hermes, topbar, status = self.hermes, self.main.topbar, self.main.status
        topbar.model = hermes.provider_label
        topbar.schedule = hermes.agent.schedule
        topbar.permission = status.permission = hermes.permissions.mode
        status.queued = len(hermes.agent.queued)

    # what the engine tells

    def _take(self, arrived: list[Event]) -> None:
        self.presenter.take(arrived)
        self.main.status.queued = len(self.hermes.agent.queued)

    def _turn_ended(self, left: Left | None) -> None:
        self.ladder.turn_ended()
        self._look_at_branch()
        if left is not None:
            self.run_worker(interrupted.show(left, self.hermes, self.main), group="receipt")

    # what the user does

    async def on_event(self, event: events.Event) -> None:
        """See every key once, before its widget does: another key ends "press again"."""
        if self._typed_ahead.keeps(event):
            return
        if isinstance(event, events.Key) and not event.is_forwarded and event.key not in ("ctrl+c", "escape"):
            self.ladder.other(event.key)
        await super().on_event(event)

    def action_ladder(self, key: str) -> None:
        """Do what a key of the ladder does here; what is not the ladder's goes on to the widget."""
        if not self.ladder.press(key):
            raise SkipAction

    @on(Prompt.Sent)
    @on(WayBack.Wanted)
    def _sent(self, event: Prompt.Sent | WayBack.Wanted) -> None:
        self.enter(event.text)

    def enter(self, text: str) -> None:
        """Run a slash command, or send a message; while a turn runs it waits."""
        if not self.connected:
            self._waiting.append(text)
        elif self.hermes.commands.is_meant(text):
            self.command(text)
        else:
            self.hermes.agent.submit(text)
            self.show_settings()

    def command(self, line: str) -> None:
        """Run a slash command, seen in the conversation; the screen goes on meanwhile."""
        self.main.transcript.user(line)

        async def run() -> None:
            await self.hermes.commands.run(self.hermes, self.ui, line)
            self.show_settings()

        self.run_worker(run(), group="commands")

    @on(RunsPanel.Stopped)
    def _stop_call(self, event: RunsPanel.Stopped) -> None:
        self.hermes.agent.interrupt(event.call.id)

    def action_help(self) -> None:
        """Show every key and command."""
        from hermes_tui.frontends.tui.screens.help import HelpScreen

        commands = self.hermes.commands.names() if self.connected else []
        keys = [("Anywhere", self.BINDINGS), *MainScreen.key_groups()]
        self.push_screen(HelpScreen(welcome(self._opening.folder), keys, commands))

    # ways out

    def leave(self) -> None:
        """Leave; what is written goes into the history."""
        self.main.prompt.keep()
        self.exit()

    def _fatal_error(self) -> None:
        """Say an error of our own in a few lines: Textual's page shows the values of variables, keys too."""
        self.panic(leaving.last_words())

    def run_to_exit(self) -> int:
        """Run until the user leaves; return the exit code. The terminal is as it was then."""
        return leaving.run(self)
