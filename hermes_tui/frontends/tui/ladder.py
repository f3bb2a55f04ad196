"""Does what the key ladder decides: gathers its state from the screen, carries its actions out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hermes_tui.frontends.keys import WINDOW, Action, Memory, State, decide
from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp

STOPPING: Final = "stopping"
SAYS: Final = {
    Action.INTERRUPT: f"{STOPPING} …  Ctrl-C again: at once",
    Action.INTERRUPT_AND_PAUSE: f"{STOPPING} …  Ctrl-C: at once",
    Action.CANCEL_AND_INTERRUPT: f"{STOPPING} …  Ctrl-C again: at once",
    Action.STOP_COMMAND: "stopping your command …  again: at once",
    Action.KILL: f"{STOPPING} at once …  Ctrl-C again: leave",
    Action.ARM_QUIT: "Ctrl-C again: leave",
    Action.CLOSE_SCREEN_AND_ARM: "Ctrl-C again: leave",
    Action.ARM_ROLLBACK: "Esc again: checkpoints",
    Action.CLEAR_INPUT: "cleared; ↑ brings it back",
    Action.COPY: "copied",
}
"""What is said in the status line, for as long as a second press counts or the turn is stopping."""

AGAIN: Final = (SAYS[Action.ARM_QUIT], SAYS[Action.ARM_ROLLBACK])
"""What is no longer true once another key was pressed."""


class Ladder:
    """Keys to actions."""

    def __init__(self, app: HermesApp, clock: Callable[[], float]) -> None:
        self._app = app
        self._clock = clock
        self._memory = Memory()
        self._said = ""
        self._last_key = float("-inf")
        self._do: dict[Action, Callable[[], object]] = {
            Action.COPY: self._copy,
            Action.UNSELECT: self._unselect,
            Action.CANCEL_QUESTION: self._cancel_question,
            Action.CANCEL_AND_INTERRUPT: self._cancel_and_interrupt,
            Action.INTERRUPT: self._interrupt,
            Action.INTERRUPT_AND_PAUSE: self._interrupt,
            Action.STOP_COMMAND: app.sending.shells.stop,
            Action.KILL: self._kill,
            Action.CLEAR_INPUT: app.main.prompt.keep,
            Action.QUIT: app.leave,
            Action.CLOSE_COMPLETION: app.main.prompt.hide_completions,
            Action.CLOSE_SCREEN: self._close_screen,
            Action.CLOSE_SCREEN_AND_ARM: self._close_screen,
            Action.LEAVE_PANEL: app.main.prompt.focus,
            Action.ROLLBACK: lambda: app.command("/rollback"),
            Action.DELETE_RIGHT: app.main.prompt.action_delete_right,
            Action.CYCLE_PERMISSION: self._cycle_permission,
        }

    def press(self, key: str) -> bool:
        """Do what a key of the ladder does; False when it is not the ladder's here."""
        now = self._clock()
        action = decide(self._state(now), key)
        self._memory = self._memory.after(key, action, now)
        if action in SAYS:
            self.say(SAYS[action])
        if (do := self._do.get(action)) is not None:
            do()
        return action is not Action.NONE

    @property
    def quiet(self) -> float:
        """Seconds since the last key, wherever it went; those that answer questions do not count."""
        return self._clock() - self._last_key

    def other(self, key: str) -> None:
        """Note a key that is none of Ctrl-C and Esc: "again" is over."""
        if self._app.questions.shown is None:
            self._last_key = self._clock()
        self._memory = self._memory.after(key, Action.NONE, self._clock())
        if self._said in AGAIN:
            self._unsay(self._said)

    def turn_ended(self) -> None:
        """Nothing runs any more."""
        self._memory = self._memory.turn_ended()
        if self._said.startswith(STOPPING):
            self._unsay(self._said)

    def _state(self, now: float) -> State:
        app = self._app
        question = app.questions.shown is not None
        return State(
            now=now,
            selection=bool(self._selected()),
            completion=app.main.completions.shown,
            question=question,
            screen=not question and len(app.screen_stack) > 1,
            panel=app.screen.focused is not app.main.prompt,
            running=app.connected and app.hermes.agent.busy,
            command_runs=app.sending.shells.running,
            empty=not app.main.prompt.text.strip(),
            memory=self._memory,
        )

    def say(self, text: str) -> None:
        """Say something in the status line, for a moment."""
        self._said = self._app.main.status.message = text
        if not text.startswith(STOPPING):  # that is true until the turn has ended
            self._app.set_timer(WINDOW, lambda: self._unsay(text))

    def _unsay(self, text: str) -> None:
        if self._app.main.status.message == text:
            self._app.main.status.message = ""

    def _selected(self) -> str:
        focused = self._app.screen.focused
        own = focused.selected_text if isinstance(focused, Editor) else ""
        return own or self._app.screen.get_selected_text() or ""

    def _copy(self) -> None:
        self._app.copy_to_clipboard(self._selected())
        self._unselect()

    def _unselect(self) -> None:
        focused = self._app.screen.focused
        if isinstance(focused, Editor):
            focused.move_cursor(focused.cursor_location)
        self._app.screen.clear_selection()

    def _cancel_question(self) -> None:
        self._app.questions.cancel()

    def _cancel_and_interrupt(self) -> None:
        self._app.hermes.agent.interrupt()  # first: else its later siblings might start meanwhile
        self._app.questions.cancel()

    def _interrupt(self) -> None:
        self._app.hermes.agent.interrupt()

    def _kill(self) -> None:
        self._app.hermes.agent.interrupt(force=True)

    def _cycle_permission(self) -> None:
        if self._app.connected:
            self._app.hermes.permissions.cycle()
            self._app.show_settings()

    def _close_screen(self) -> None:
        if isinstance(screen := self._app.screen, Dialog):
            screen.close()
