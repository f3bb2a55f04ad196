"""What a key means: one pure function, the same in every front end (design.md 3.7).

`decide(state, key)` says what to do; `Memory.after(...)` says what to remember for the next press.
Must know no screen, no engine and no clock: the caller brings the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

WINDOW: Final = 2.0
"""Seconds in which a second press counts as "again"."""


class Action(StrEnum):
    """What a front end does; each value is one thing."""

    NONE = "none"
    """Not a key of the ladder here: the widget under the cursor has it."""
    COPY = "copy"
    """Copy the selected text and unselect it."""
    UNSELECT = "unselect"
    """Drop the selection."""
    CANCEL_QUESTION = "cancel question"
    """Close the question; its call ends without an answer and the turn goes on."""
    CANCEL_AND_INTERRUPT = "cancel question and interrupt"
    """Close the question without an answer and interrupt the turn."""
    INTERRUPT = "interrupt"
    """Stop the turn politely."""
    INTERRUPT_AND_PAUSE = "interrupt and pause"
    """Stop the turn politely and keep what is queued for later."""
    STOP_COMMAND = "stop command"
    """Stop the command line that the user runs himself; the second time at once."""
    KILL = "kill"
    """Stop what is still stopping, now."""
    CLEAR_INPUT = "clear input"
    """Put the draft into the history and empty the prompt."""
    ARM_QUIT = "arm quit"
    """Say that the next press leaves."""
    QUIT = "quit"
    """Leave; the draft goes into the history."""
    CLOSE_COMPLETION = "close completion"
    ACCEPT_COMPLETION = "accept completion"
    CLOSE_SCREEN = "close screen"
    """Close the top-most screen that is no question."""
    CLOSE_SCREEN_AND_ARM = "close screen and arm quit"
    """Close the top-most screen and say that the next press leaves."""
    LEAVE_PANEL = "leave panel"
    """Back to the prompt."""
    ARM_ROLLBACK = "arm rollback"
    """Say that a second press opens the checkpoints."""
    ROLLBACK = "rollback"
    """Open the checkpoints."""
    DELETE_RIGHT = "delete right"
    CYCLE_PERMISSION = "cycle permission"
    RUN_COMMAND = "run command"
    """The prompt holds a complete slash command: run it."""
    SUBMIT = "submit"
    QUEUE = "queue"
    """A turn runs: keep the message until it has ended."""
    RESUME = "resume"
    """Send what an interrupt left waiting."""
    HOLD_ENTER = "hold enter"
    """Part of a burst (a paste without brackets): a new line, and no sending unless nothing follows."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What earlier presses left behind. Times are in seconds of the caller's clock."""

    interrupted: bool = False
    """The running turn was interrupted and has not ended yet."""
    killed: bool = False
    """It was told to stop at once and has not ended yet."""
    quit_armed_at: float | None = None
    """When "press again to leave" was said; None if another key came since."""
    escaped_at: float | None = None
    """When Esc was last pressed with nothing to close; None if another key came since."""
    presses: int = 0
    """How many Ctrl-C came in a row, each within WINDOW of the one before."""
    pressed_at: float = float("-inf")
    """When the last of them came."""

    def after(self, key: str, action: Action, now: float) -> Memory:
        """Return what is remembered once `action` was done for `key` at `now`."""
        interrupts = action in (Action.INTERRUPT, Action.INTERRUPT_AND_PAUSE, Action.CANCEL_AND_INTERRUPT)
        in_a_row = self.presses if now - self.pressed_at <= WINDOW else 0
        return Memory(
            interrupted=self.interrupted or interrupts,
            killed=self.killed or action is Action.KILL,
            quit_armed_at=now if action in (Action.ARM_QUIT, Action.CLOSE_SCREEN_AND_ARM) else None,
            escaped_at=now if action is Action.ARM_ROLLBACK else None,
            presses=in_a_row + 1 if key == "ctrl+c" else 0,
            pressed_at=now if key == "ctrl+c" else float("-inf"),
        )

    def turn_ended(self) -> Memory:
        """Return what is remembered once no turn runs any more."""
        return Memory(
            quit_armed_at=self.quit_armed_at,
            escaped_at=self.escaped_at,
            presses=self.presses,
            pressed_at=self.pressed_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is on the screen and what runs, as far as a key depends on it."""

    now: float = 0.0
    selection: bool = False
    """Some text is selected."""
    completion: bool = False
    """Completions are shown."""
    question: bool = False
    """A question's dialog is open."""
    screen: bool = False
    """Another screen lies over the conversation: help, output, checkpoints."""
    panel: bool = False
    """A panel or a receipt has the focus, not the prompt."""
    running: bool = False
    """A turn runs."""
    command_runs: bool = False
    """A command line of the user's own runs."""
    waiting: bool = False
    """Messages wait that an interrupt kept back."""
    empty: bool = True
    """The prompt holds nothing."""
    command: bool = False
    """The prompt holds a complete slash command."""
    burst: bool = False
    """The key came faster than a hand types: it belongs to a paste."""
    memory: Memory = field(default_factory=Memory)


def _within(since: float | None, now: float) -> bool:
    return since is not None and now - since <= WINDOW


def _ctrl_c(state: State) -> Action:
    memory = state.memory
    if memory.presses >= 2 and state.now - memory.pressed_at <= WINDOW:
        return Action.QUIT  # never swallowed: three presses always leave
    if state.selection:
        return Action.COPY
    if state.question:
        return Action.CANCEL_AND_INTERRUPT
    if state.command_runs:
        return Action.STOP_COMMAND
    if state.running:
        if not memory.interrupted:
            return Action.INTERRUPT
        return Action.QUIT if memory.killed else Action.KILL
    if _within(memory.quit_armed_at, state.now):
        return Action.QUIT
    if state.screen:
        return Action.CLOSE_SCREEN_AND_ARM
    return Action.ARM_QUIT if state.empty else Action.CLEAR_INPUT


def _escape(state: State) -> Action:
    if state.completion:
        return Action.CLOSE_COMPLETION
    if state.question:
        return Action.CANCEL_QUESTION
    if state.screen:
        return Action.CLOSE_SCREEN
    if state.selection:
        return Action.UNSELECT
    if state.panel:
        return Action.LEAVE_PANEL
    if state.command_runs:
        return Action.STOP_COMMAND
    if state.running:
        return Action.NONE if state.memory.interrupted else Action.INTERRUPT_AND_PAUSE
    return Action.ROLLBACK if _within(state.memory.escaped_at, state.now) else Action.ARM_ROLLBACK


def _enter(state: State) -> Action:
    if state.question or state.screen or state.panel:
        return Action.NONE
    if state.empty:
        return Action.RESUME if state.waiting and not state.running else Action.NONE
    if state.burst:
        return Action.HOLD_ENTER
    if state.command:
        return Action.RUN_COMMAND
    if state.completion:
        return Action.ACCEPT_COMPLETION
    return Action.QUEUE if state.running else Action.SUBMIT


def _ctrl_d(state: State) -> Action:
    if state.question or state.screen:
        return Action.NONE
    return Action.QUIT if state.empty else Action.DELETE_RIGHT


def _shift_tab(state: State) -> Action:
    return Action.NONE if state.question or state.screen else Action.CYCLE_PERMISSION


_LADDERS: Final[Mapping[str, Callable[[State], Action]]] = MappingProxyType(
    {
        "ctrl+c": _ctrl_c,
        "escape": _escape,
        "enter": _enter,
        "ctrl+d": _ctrl_d,
        "shift+tab": _shift_tab,
    }
)

KEYS: Final = tuple(_LADDERS)
"""The keys that `decide` knows; every other one is `NONE`."""


def decide(state: State, key: str) -> Action:
    """Return what `key` (Textual's name for it, "ctrl+c") does in `state`."""
    ladder = _LADDERS.get(key)
    return ladder(state) if ladder else Action.NONE
