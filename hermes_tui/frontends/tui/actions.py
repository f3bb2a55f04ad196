"""What keys do that act anywhere: each action is one call of the part that knows how. Decides nothing."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.actions import SkipAction
from textual.binding import Binding, BindingType

from hermes_tui.engine.messages import ToolCall
from hermes_tui.frontends.tui.themes import ThemedApp
from hermes_tui.frontends.tui.widgets.runs.panel import RunsPanel

if TYPE_CHECKING:
    from hermes_tui.frontends.host import Hermes
    from hermes_tui.frontends.tui.ladder import Ladder
    from hermes_tui.frontends.tui.questions import Questions
    from hermes_tui.frontends.tui.screens.main import MainScreen
    from hermes_tui.frontends.tui.sending import Sending


class Actions(ThemedApp, inherit_bindings=False):
    """The app as its keys see it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "ladder('ctrl+c')", show=False),
        Binding("escape", "ladder('escape')", show=False),
        Binding("shift+tab", "ladder('shift+tab')", show=False, priority=True),
        Binding("f1", "help", "Every key and command", id="help"),
        Binding("ctrl+p", "palette", "Find and do anything by its name", id="palette"),
    ]

    main: MainScreen
    ladder: Ladder
    questions: Questions
    sending: Sending
    changed_keys: Mapping[str, str]
    """The keys that the user changed, by action."""
    _hermes: Hermes | None = None
    _again = itertools.count(1)

    @property
    def hermes(self) -> Hermes:
        """The program; it is there soon after the first frame."""
        assert self._hermes is not None, "it is being assembled"
        return self._hermes

    @property
    def connected(self) -> bool:
        """Whether it is there already."""
        return self._hermes is not None

    @property
    def is_unwritten(self) -> bool:
        """Whether the prompt has the focus and holds nothing."""
        return self.focused is self.main.prompt and not self.main.prompt.text

    def action_ladder(self, key: str) -> None:
        """Do what a key of the ladder does here; what is not the ladder's goes on to the widget."""
        if not self.ladder.press(key):
            raise SkipAction

    def action_help(self) -> None:
        """Show every key and command."""
        from hermes_tui.frontends.tui.screens.help import HelpScreen, question_keys

        commands = self.hermes.commands.names() if self.connected else []
        groups = [("Anywhere", Actions.BINDINGS), *self.main.key_groups(), ("Questions", question_keys())]
        self.push_screen(HelpScreen(groups, commands, self.changed_keys, self.size.width))

    def action_palette(self) -> None:
        """Find and do anything by its name."""
        from hermes_tui.frontends.tui.finding import Finding

        if len(self.screen_stack) == 1:
            self.run_worker(Finding(self).run(), group="palette", exclusive=True)

    def action_tick_output(self) -> None:
        """Let the output of the user's own command go with the next message, or not."""
        self.sending.shells.tick()

    @on(RunsPanel.Stopped)
    def _stop_call(self, event: RunsPanel.Stopped) -> None:
        self.hermes.agent.interrupt(event.call.id)

    @on(RunsPanel.Again)
    def _run_again(self, event: RunsPanel.Again) -> None:
        call = event.call
        if not call.only_reads:
            self.ladder.say("not run again: it may change something")
            return
        arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
        self.hermes.agent.again(ToolCall(f"{call.id}-again-{next(self._again)}", call.name, arguments))

    def action_put_off(self) -> None:
        """Close the question for now; what is written in it stays."""
        self.questions.put_off()

    def action_come_back(self) -> None:
        """Show the questions that were put off."""
        self.questions.come_back()
