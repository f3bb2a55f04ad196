"""The full screen: wires the widgets, the engine's events and the keys together, and decides nothing."""

from __future__ import annotations

import time

from rich.text import Text
from textual import events, on

from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.events import Event
from hermes_tui.frontends.bridge import Bridge
from hermes_tui.frontends.host import Hermes, Opening, opened
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.tui import collector, copying, interrupted, leaving
from hermes_tui.frontends.tui.actions import Actions
from hermes_tui.frontends.tui.attention import Attention
from hermes_tui.frontends.tui.keymap import textual_keys
from hermes_tui.frontends.tui.ladder import Ladder
from hermes_tui.frontends.tui.preferences import Preferences
from hermes_tui.frontends.tui.present import Left, Presenter
from hermes_tui.frontends.tui.questions import QUIET, SETTLE, Questions
from hermes_tui.frontends.tui.screens.main import MainScreen
from hermes_tui.frontends.tui.screens.sizes import BY_HEIGHT, BY_WIDTH
from hermes_tui.frontends.tui.sending import Sending
from hermes_tui.frontends.tui.stage import ScreenStage
from hermes_tui.frontends.tui.typeahead import TypeAhead
from hermes_tui.frontends.tui.ui import ScreenUI
from hermes_tui.frontends.tui.welcome import who_answers
from hermes_tui.frontends.tui.widgets.prompt.prompt import Prompt
from hermes_tui.frontends.tui.widgets.way_back import WayBack


class HermesApp(Actions):
    """The front end on the whole terminal."""

    TITLE = "hermes-tui"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        hermes: Hermes | Opening,
        first_prompt: str | None,
        guards: tuple[float, float] = (QUIET, SETTLE),
    ) -> None:
        """`guards`: seconds of quiet before a question's dialog opens, and in which it takes no key."""
        opening = hermes if isinstance(hermes, Opening) else opened(hermes)
        super().__init__(opening.theme, opening.late)
        self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS = BY_WIDTH, BY_HEIGHT
        self._opening = opening
        self.sending = Sending(self, first_prompt)
        self.attention = Attention(self.to_terminal, lambda: self.app_focus, opening.folder.name or "/")
        self.preferences = Preferences(self)
        self.changed_keys = opening.keys
        self.set_keymap(textual_keys(opening.keys))
        self._quiet, self._settle = guards
        self._typed_ahead = TypeAhead()

    def get_default_screen(self) -> MainScreen:
        """Return the screen with the conversation."""
        opening = self._opening
        self.main = MainScreen(opening.folder, self.size, opening.clock, opening.known)
        return self.main

    def on_mount(self) -> None:
        """Make what connects the widgets, and say hello."""
        self.questions = Questions(ScreenStage(self, self._settle), self._quiet)
        self.ladder = Ladder(self, time.monotonic)
        self.ui = ScreenUI(self)
        self.presenter = Presenter(self.main, self.questions, self._turn_ended)
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
        self.main.prompt.connect(hermes, self.ui)
        self.main.welcome.answered_by(who_answers(hermes))
        for text in self.bring(hermes.themes):
            self.ui.warn(text)
        self.show_settings()
        await self.ui.show_past()
        Bridge(hermes.agent.events, self._take, self.call_later).start()
        self._look_at_branch()
        self.sending.connected()

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
        self.preferences.apply()
        self.sending.show_waiting()

    # what the engine tells

    def _take(self, arrived: list[Event]) -> None:
        if self.main.panel.is_attached:  # else the screen is going, and nobody looks any more
            self.presenter.take(arrived)
            self.sending.show_waiting()
            self.main.todo.show(self.hermes.todos.items())
        self.attention.take(arrived)
        self.attention.show(self.hermes.agent.busy, self.questions.count)

    def _turn_ended(self, left: Left | None) -> None:
        self.ladder.turn_ended()
        self._look_at_branch()
        self.call_after_refresh(collector.settle)
        if left is not None:
            self.run_worker(interrupted.show(left, self.hermes, self.main), group="receipt")

    # what the user does

    async def on_event(self, event: events.Event) -> None:
        """See every key once, before its widget does: another key ends "press again"."""
        if self._typed_ahead.keeps(event):
            return
        if isinstance(event, events.Key) and not event.is_forwarded and event.key not in ("ctrl+c", "escape"):
            self.ladder.other(event.key)
            if self.is_unwritten and self.main.welcome.takes(event.key):
                return
        await super().on_event(event)

    @on(Prompt.Sent)
    def _sent(self, event: Prompt.Sent) -> None:
        self.main.welcome.go()
        self.sending.enter(event.text, event.other_way)

    @on(WayBack.Wanted)
    def _wanted(self, event: WayBack.Wanted) -> None:
        self.enter(event.text)

    def enter(self, text: str) -> None:
        """Run a slash command or a line for the shell, or send a message; while a turn runs it waits."""
        self.sending.enter(text)

    def command(self, line: str) -> None:
        """Run a slash command, seen in the conversation; the screen goes on meanwhile."""
        self.sending.command(line)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy, by the way that leads to the user's clipboard."""
        self._clipboard = text
        copying.copy(self, text, self.to_terminal)

    def to_terminal(self, sequence: str) -> None:
        """Give a sequence to the terminal."""
        if self._driver is not None:
            self._driver.write(sequence)

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
