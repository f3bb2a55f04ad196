"""Line mode's side of slash commands: `commands.ui.UI`. What needs a screen is answered with text."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from hermes_tui.commands.rollback import went_back
from hermes_tui.engine.errors import UsageError
from hermes_tui.frontends import clipboard
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.plain.asks import Pick

if TYPE_CHECKING:
    from hermes_tui.commands.settings import Sheet
    from hermes_tui.frontends.plain.mode import LineMode

T = TypeVar("T")

NO: Final = "no: nothing changes"


class LineUI:
    """What commands may ask of line mode."""

    def __init__(self, mode: LineMode) -> None:
        self._mode = mode

    def say(self, text: str) -> None:
        """Write a note."""
        self._mode.paper.line(text)

    def warn(self, text: str) -> None:
        """Write one line that needs attention."""
        self._mode.paper.line(text, "warning")

    async def confirm(self, title: str, body: str, yes: str) -> bool:
        """Show `body` and ask; Enter, Ctrl-C and the end of input are no."""
        return await self.decide(title, body, [f"yes: {yes}"]) is not None

    async def decide(self, title: str, body: str, options: Sequence[str]) -> int | None:
        """Show `body` and ask which is to be done; Enter, Ctrl-C and the end of input are nothing."""
        pick = Pick(title, [NO, *options], 0, body)
        self._mode.asked(pick)
        picked = await pick.answer
        return picked - 1 if picked else None

    async def choose(
        self,
        title: str,
        options: Sequence[str],
        current: int | None,
        look: Callable[[int], None] | None = None,
    ) -> int | None:
        """Let the user pick one by its number."""
        pick = Pick(title, options, current)
        self._mode.asked(pick)
        return await pick.answer

    async def run(self, work: Callable[[], T]) -> T:
        """Do slow work in a thread."""
        return await off_thread(work)

    async def browse_checkpoints(self) -> None:
        """List them, and how to go on."""
        from hermes_tui.checkpoints import report

        store = self._mode.hermes.checkpoints
        self.say(report.list_text(await self.run(store.list)))
        self.say("/rollback N goes back to before #N, after a preview; /rollback diff N shows the difference")

    async def browse_settings(self, sheet: Sheet) -> None:
        """List them, and how to change one."""
        self.say(sheet.text())
        self.say("/settings KEY VALUE changes one until the end; /settings save KEY keeps it")

    async def browse_sessions(self, text: str) -> None:
        """List them, or where the text was said, and how to go on."""
        from hermes_tui.sessions import report
        from hermes_tui.sessions.search import Query

        hermes = self._mode.hermes
        store, project = hermes.session.store, hermes.project or hermes.folder
        if text:
            query = Query(text, 20, project=str(project))
            self.say(report.hits_text(await self.run(lambda: store.search(query))))
        else:
            self.say(report.sessions_text(await self.run(lambda: store.recent(project))))
        self.say("/resume ID goes on with one; the first digits are enough")

    async def show_past(self) -> None:
        """Show the end of the session that was taken up."""
        from hermes_tui.frontends.plain.recap import recap

        recap(await self.run(self._mode.hermes.session.messages), self._mode.paper)

    def rolled_back(self, number: int, saved_as: int) -> None:
        """It was said in words."""

    def went_back(self, prompt: str, count: int) -> None:
        """Say so, and give the prompt back."""
        self.say(went_back(prompt, count))
        self._mode.console.give_back(prompt)

    def copy(self, text: str) -> None:
        """Copy by a program of this machine, or let the terminal do it."""
        words = clipboard.program(os.environ)
        if words is None and not self._mode.console.copy(text):
            raise UsageError("nothing leads to a clipboard from here")
        if words is not None:
            self._mode.start(self._copy_by(words, text))

    async def _copy_by(self, words: Sequence[str], text: str) -> None:
        if not await off_thread(lambda: clipboard.put(words, text, os.environ)):
            self.warn("nothing was copied: the clipboard's program failed")

    def set_theme(self, name: str) -> None:
        """There are none."""
        raise UsageError("there are no themes in line mode")

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return those that the console takes."""
        return self._mode.console.keys

    def themes(self) -> Sequence[str]:
        """There are none."""
        return ()

    def clear(self) -> None:
        """Forget the runs; what was written stays in the terminal."""
        self._mode.teller.runs.clear()

    def quit(self) -> None:
        """Leave."""
        self._mode.leave()
