"""The screen's side of slash commands: `commands.ui.UI`. Runs inside the worker of one command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.tui import themes

if TYPE_CHECKING:
    from hermes_tui.commands.settings import Sheet
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

    async def decide(self, title: str, body: str, options: Sequence[str]) -> int | None:
        """Show `body` and ask which; Enter and Esc are none."""
        from hermes_tui.frontends.tui.screens.decide import DecideScreen

        return await self._app.push_screen_wait(DecideScreen(title, body, options))

    async def choose(
        self,
        title: str,
        options: Sequence[str],
        current: int | None,
        look: Callable[[int], None] | None = None,
    ) -> int | None:
        """Let the user pick one."""
        from hermes_tui.frontends.tui.screens.choose import ChooseScreen

        return await self._app.push_screen_wait(ChooseScreen(title, options, current, look))

    async def run(self, work: Callable[[], T]) -> T:
        """Do slow work in a thread; the screen goes on."""
        return await off_thread(work)

    async def browse_checkpoints(self) -> None:
        """Open the browser; what is chosen there is done as /rollback does it, which asks."""
        from hermes_tui.commands.rollback import back_to_chosen, worth_showing
        from hermes_tui.frontends.tui.screens.checkpoints import CheckpointsScreen

        hermes: Any = self._app.hermes  # a command sees more of the program than the screen does
        store = hermes.checkpoints
        rows = worth_showing(await self.run(store.list))
        if not rows:
            self.say("no checkpoints yet: one is taken before each edit")
            return
        project = hermes.project or hermes.folder
        picked = await self._app.push_screen_wait(CheckpointsScreen(store, project, rows))
        if picked is not None:
            await back_to_chosen(hermes, self, picked.number, picked.paths, picked.anyway)

    def rolled_back(self, number: int, saved_as: int) -> None:
        """Put a mark where it happened among the runs."""
        self._app.main.runs.rolled_back(number, saved_as)
        self._app.main.panel.changed()

    def went_back(self, prompt: str, count: int) -> None:
        """Say where the conversation ends now; the prompt is written again, unless something else is."""
        from hermes_tui.commands.rollback import went_back

        where = self._app.main.prompt
        if where.text:
            self._app.hermes.history.add(prompt)
            self.say(f"{went_back(prompt, count)}; it is in the history")
        else:
            where.load(prompt)
            self.say(f"{went_back(prompt, count)}; it is in the prompt again")

    def copy(self, text: str) -> None:
        """Put a text on the user's clipboard."""
        self._app.copy_to_clipboard(text)

    async def browse_sessions(self, text: str) -> None:
        """Open the picker; what is chosen there is done by /resume."""
        from hermes_tui.frontends.tui.screens.sessions import SessionsScreen

        hermes = self._app.hermes
        screen = SessionsScreen(hermes.session, hermes.project or hermes.folder, text)
        if (picked := await self._app.push_screen_wait(screen)) is not None:
            await hermes.commands.run(hermes, self, f"/resume {picked}")

    async def browse_settings(self, sheet: Sheet) -> None:
        """Open the settings; what is changed there is seen at once."""
        from hermes_tui.frontends.tui.screens.settings import SettingsScreen

        await self._app.push_screen_wait(SettingsScreen(sheet, self._app.show_settings))

    async def show_past(self) -> None:
        """Show the session that was taken up, in place of what is there."""
        from hermes_tui.frontends.tui import past

        hermes, main = self._app.hermes, self._app.main
        if not (lines := await self.run(hermes.past)):
            return
        start = past.newest(lines)
        found = await self.run(lambda: past.entries(lines[start:], hermes.folder))
        main.clear()
        main.transcript.load(found)

        async def go_on() -> None:
            before = await self.run(lambda: past.entries(lines[:start], hermes.folder))
            main.transcript.load_before(before)
            hermes.history.recall(past.prompts([*before, *found]))

        self._app.run_worker(go_on(), group="past", exclusive=True)

    def set_theme(self, name: str) -> None:
        """Use a theme from now on."""
        self._app.use_theme(name)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return those of the key ladder, and where all the others stand."""
        from hermes_tui.frontends.tui.keymap import keys_of, long
        from hermes_tui.frontends.tui.screens.help import LADDER

        changed = self._app.changed_keys
        others = {"runs": "show or hide the runs", "help": "every key, those of panels and dialogs too"}
        return [*LADDER, *((long(keys_of(changed, name)), text) for name, text in others.items())]

    def themes(self) -> Sequence[str]:
        """Return the names of all themes."""
        return [*themes.names(), *self._app.brought]

    def clear(self) -> None:
        """Empty the conversation on the screen."""
        self._app.main.clear()

    def quit(self) -> None:
        """Leave."""
        self._app.leave()
