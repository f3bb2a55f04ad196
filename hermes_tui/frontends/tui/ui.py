"""The screen's side of slash commands: `commands.ui.UI`. Runs inside the worker of one command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from hermes_tui.frontends.tui import themes
from hermes_tui.frontends.tui.offthread import off_thread

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp

T = TypeVar("T")


class ScreenUI:
    """What commands may ask of the full screen."""

    def __init__(self, app: HermesApp) -> None:
        self._app = app

    def say(self, text: str) -> None:
        """Show a note in the conversation."""
        self._app.main.transcript.note(text)

    def warn(self, text: str) -> None:
        """Show one line that needs attention."""
        self._app.main.transcript.note(text, "warning")

    async def confirm(self, title: str, body: str, yes: str) -> bool:
        """Show `body` and ask; Enter and Esc are no."""
        from hermes_tui.frontends.tui.screens.confirm import ConfirmScreen

        answer: bool | None = await self._app.push_screen_wait(ConfirmScreen(title, body, yes))
        return bool(answer)

    async def choose(self, title: str, options: Sequence[str], current: int | None) -> int | None:
        """Let the user pick one."""
        from hermes_tui.frontends.tui.screens.choose import ChooseScreen

        return await self._app.push_screen_wait(ChooseScreen(title, options, current))

    async def run(self, work: Callable[[], T]) -> T:
        """Do slow work in a thread; the screen goes on."""
        return await off_thread(work)

    async def browse_checkpoints(self) -> None:
        """Open the browser; what is chosen there is done by /rollback, which asks."""
        from hermes_tui.commands.rollback import worth_showing
        from hermes_tui.frontends.tui.screens.checkpoints import CheckpointsScreen

        hermes = self._app.hermes
        store = hermes.checkpoints
        rows = worth_showing(await self.run(store.list))
        if not rows:
            self.say("no checkpoints yet: one is taken before each edit")
            return
        number = await self._app.push_screen_wait(
            CheckpointsScreen(store, hermes.project or hermes.folder, rows)
        )
        if number is not None:
            await hermes.commands.run(hermes, self, f"/rollback {number}")

    def set_theme(self, name: str) -> None:
        """Use a theme from now on."""
        self._app.use_theme(name)

    def themes(self) -> Sequence[str]:
        """Return the names of all themes."""
        return themes.names()

    def clear(self) -> None:
        """Empty the conversation on the screen."""
        self._app.main.clear()

    def quit(self) -> None:
        """Leave."""
        self._app.leave()
