"""What becomes of what the user sends: a command, a line for the shell, or a message for the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.frontends.tui.shells import Shells

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp


class Sending:
    """Takes texts from the first frame on; those that come before the program is there wait."""

    def __init__(self, app: HermesApp, first_prompt: str | None) -> None:
        self._app = app
        self._early = [(first_prompt, False)] if first_prompt else []
        self.shells = Shells(app)

    def connected(self) -> None:
        """The program is there: send what came before."""
        while self._early:
            self.enter(*self._early.pop(0))

    def enter(self, text: str, other_way: bool = False) -> None:
        """Do what a text is meant for. `other_way`: while a turn runs, not as Enter does it."""
        if not self._app.connected:
            self._early.append((text, other_way))
        elif text.startswith("!") and self._app.hermes.environment:  # a replay has none, and runs nothing
            self.shells.run(text)
        elif self._app.hermes.commands.is_meant(text):
            self.command(text)
        else:
            self._message(text, other_way)

    def command(self, line: str) -> None:
        """Run a slash command, seen in the conversation; the screen goes on meanwhile."""
        app = self._app
        app.main.transcript.user(line)

        async def run() -> None:
            await app.hermes.commands.run(app.hermes, app.ui, line)
            app.show_settings()

        app.run_worker(run(), group="commands")

    def _message(self, text: str, other_way: bool) -> None:
        hermes = self._app.hermes
        self.shells.tell()
        steers = (hermes.settings.while_working == "steer") != other_way
        if steers and hermes.agent.busy:
            self._app.main.waiting.steer(text)
            hermes.agent.steer(text)
        else:
            if not hermes.agent.busy:
                self._app.main.transcript.follow()
            hermes.agent.submit(text)
        self._app.show_settings()

    def show_waiting(self) -> None:
        """Show what waits."""
        agent = self._app.hermes.agent
        self._app.main.status.queued = len(agent.queued)
        self._app.main.waiting.show_queue(agent.queued, held=not agent.busy)
