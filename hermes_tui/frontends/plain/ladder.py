"""Does what the key ladder decides, in line mode: the same pure function as on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hermes_tui.frontends.keys import Action, Memory, State, decide

if TYPE_CHECKING:
    from hermes_tui.frontends.plain.mode import LineMode

SAYS: Final = {
    Action.INTERRUPT: "[stopping; Ctrl-C again: at once]",
    Action.INTERRUPT_AND_PAUSE: "[stopping; Ctrl-C: at once]",
    Action.CANCEL_AND_INTERRUPT: "[no answer; stopping; Ctrl-C again: at once]",
    Action.CANCEL_QUESTION: "[no answer]",
    Action.KILL: "[stopping at once; Ctrl-C again: leave]",
    Action.ARM_QUIT: "[Ctrl-C again: leave]",
    Action.CLOSE_SCREEN: "[nothing was picked]",
    Action.CLOSE_SCREEN_AND_ARM: "[nothing was picked; Ctrl-C again: leave]",
    Action.ARM_ROLLBACK: "[Esc again: checkpoints]",
    Action.CLEAR_INPUT: "[cleared; the up arrow brings it back]",
}


class Ladder:
    """Keys to actions."""

    def __init__(self, mode: LineMode, clock: Callable[[], float] = time.monotonic) -> None:
        self._mode = mode
        self._clock = clock
        self._memory = Memory()
        self._do: dict[Action, Callable[[], object]] = {
            Action.CANCEL_QUESTION: mode.cancel_ask,
            Action.CANCEL_AND_INTERRUPT: self._cancel_and_interrupt,
            Action.INTERRUPT: self._interrupt,
            Action.INTERRUPT_AND_PAUSE: self._interrupt,
            Action.KILL: self._kill,
            Action.CLEAR_INPUT: mode.console.clear_draft,
            Action.QUIT: lambda: mode.leave(0 if mode.console.interactive else 130),
            Action.CLOSE_SCREEN: mode.cancel_ask,
            Action.CLOSE_SCREEN_AND_ARM: mode.cancel_ask,
            Action.ROLLBACK: lambda: mode.command("/rollback"),
            Action.DELETE_RIGHT: mode.console.delete_right,
            Action.CYCLE_PERMISSION: mode.cycle_permission,
        }

    def press(self, key: str) -> Action:
        """Do what a key does here, and say so."""
        now = self._clock()
        action = decide(self._state(now), key)
        self._memory = self._memory.after(key, action, now)
        if action in SAYS:
            self._mode.paper.line(SAYS[action], "note")
        if (do := self._do.get(action)) is not None:
            do()
        return action

    def other(self, key: str) -> None:
        """Note a key that is not the ladder's: "again" is over."""
        self._memory = self._memory.after(key, Action.NONE, self._clock())

    def turn_ended(self) -> None:
        """Nothing runs any more."""
        self._memory = self._memory.turn_ended()

    def _state(self, now: float) -> State:
        mode = self._mode
        return State(
            now=now,
            question=mode.question_open,
            screen=mode.ask is not None and not mode.question_open,
            running=mode.running or mode.shell.running,
            empty=not mode.console.draft.strip(),
            memory=self._memory,
        )

    def _interrupt(self) -> None:
        self._mode.hermes.agent.interrupt()
        self._mode.shell.stop()

    def _kill(self) -> None:
        self._mode.hermes.agent.interrupt(force=True)
        self._mode.shell.stop()

    def _cancel_and_interrupt(self) -> None:
        self._interrupt()  # first: else its later siblings might start meanwhile
        self._mode.cancel_ask()
