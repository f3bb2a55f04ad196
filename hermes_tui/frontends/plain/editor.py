"""The console on a terminal that can draw: prompt_toolkit's editor at the bottom, what is told above it.

No alternate screen, no mouse, no menu, nothing that ticks: the only thing drawn twice is the prompt. While
a turn runs it is not there until somebody types.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterable
from typing import Final, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import vi_navigation_mode
from prompt_toolkit.history import History as Remembered
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.key_binding.vi_state import InputMode
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle

from hermes_tui.frontends import clipboard
from hermes_tui.frontends.host import History
from hermes_tui.frontends.pastes import Pastes, clean
from hermes_tui.frontends.plain.bindings import HELP, bindings
from hermes_tui.frontends.plain.lines import Mode
from hermes_tui.text import harmless

NEXT: Final = "next> "
"""What stands before a line that is typed while a turn runs."""
VI_COMMANDS: Final = ": "
"""What the prompt ends with, instead of "> ", while keys are vi's commands."""
EARLY: Final = 0.5
"""Seconds from the start in which keys were typed before the prompt was there."""


class EditorMode(Mode, Protocol):
    """What the editor asks of line mode beyond lines."""

    @property
    def settling(self) -> bool:
        """Whether no answer counts yet."""

    @property
    def running(self) -> bool:
        """Whether a turn runs."""

    @property
    def vi_keys(self) -> bool:
        """Whether vi's keys are wanted."""

    def press(self, key: str) -> None:
        """Take a key of the ladder."""

    def other_key(self) -> None:
        """Another key was pressed."""

    def unqueue(self) -> str | None:
        """Take the newest waiting message back."""

    def leave(self, code: int = 0) -> None:
        """End the mode."""


class Shared(Remembered):
    """The history of all front ends, as prompt_toolkit reads it."""

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history

    def load_history_strings(self) -> Iterable[str]:
        """Return it, newest first."""
        return reversed(self._history.items())

    def store_string(self, string: str) -> None:
        """Add one more."""
        self._history.add(string)


class EditorConsole:
    """One editor for the whole run."""

    interactive = True
    keys = HELP

    def __init__(self, history: History, completer: Completer | None, colour: bool) -> None:
        self._mode: EditorMode | None = None
        self._aside: str | None = None
        """The draft, while something is asked."""
        self._key_at = self._began = float("-inf")
        self._lines: list[str] = []
        """What is to be written, in one go for all that comes at once."""
        self._elsewhere = False
        """Another program has the terminal."""
        self.pastes = Pastes()
        self._output = Vt100_Output(sys.stdout, size, term=os.environ.get("TERM"), enable_cpr=False)
        self._session: PromptSession[str] = PromptSession(
            message=self._message,
            multiline=True,
            completer=completer,
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            history=Shared(history),
            enable_suspend=True,
            key_bindings=bindings(self),
            color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
            output=self._output,
        )
        self.app = self._session.app
        self.app.terminal_size_polling_interval = None  # idle, nothing ticks; a resize is a signal
        self.app.key_processor.before_key_press += self._key

    def connect(self, mode: EditorMode) -> None:
        """Give lines and keys to `mode`, from `run` on."""
        self._mode = mode

    @property
    def mode(self) -> EditorMode:
        """Who gets them."""
        assert self._mode is not None, "connect comes first"
        return self._mode

    @property
    def _buffer(self) -> Buffer:
        return self._session.default_buffer

    @property
    def draft(self) -> str:
        """What is written and not sent."""
        return self._buffer.text

    @property
    def early(self) -> bool:
        """Whether a key was typed before the prompt stood there; a line feed is an Enter then."""
        return time.monotonic() - self._began < EARLY

    @property
    def is_vi_escape(self) -> bool:
        """Whether Esc is vi's now: it ends insert mode or a command that was begun."""
        state = self.app.vi_state
        begun = state.input_mode is not InputMode.NAVIGATION or state.operator_func is not None
        return self.mode.vi_keys and bool(self.draft) and (begun or self._buffer.selection_state is not None)

    def since_key(self) -> float:
        """Return the seconds since the last key."""
        return time.monotonic() - self._key_at

    def width(self) -> int | None:
        """Return the terminal's width."""
        return max(20, self._output.get_size().columns - 1)

    def write(self, text: str) -> None:
        """Write whole lines above the prompt."""
        if not self._lines:
            asyncio.get_running_loop().call_soon(self._write)
        self._lines.append(text)

    def _write(self) -> None:
        if self._elsewhere or not self._lines:
            return
        if self.app.is_running:
            self.app.renderer.erase()
        self._output.write_raw("".join(self._lines))
        self._output.flush()
        self._lines.clear()
        self.refresh()

    def refresh(self) -> None:
        """Draw the prompt anew, once for all that happens now."""
        self.app.editing_mode = EditingMode.VI if self.mode.vi_keys else EditingMode.EMACS
        if self.app.is_running:
            self.app.invalidate()

    def remember(self, text: str) -> None:
        """Put a line into the history."""
        self._session.history.append_string(text)

    def copy(self, text: str) -> bool:
        """Let the terminal put `text` on its clipboard."""
        sequence = clipboard.osc52(text, os.environ)
        self._output.write_raw(sequence)
        self._output.flush()
        return bool(sequence)

    def put_aside(self) -> None:
        """Keep the draft; begin with an empty line."""
        self._aside = self.draft
        self._buffer.reset()

    def take_back(self) -> None:
        """Put the draft back."""
        if self._aside is not None:
            self.put(self._aside)
        self._aside = None

    def give_back(self, text: str) -> None:
        """Write `text` into the prompt; what is being written is not lost for it."""
        if not self.draft:
            self.put(clean(text))

    def put(self, text: str) -> None:
        """Write `text` into the prompt, instead of what is there."""
        self._buffer.reset()
        self._buffer.insert_text(text)

    def clear_draft(self) -> None:
        """Put the draft into the history and empty the line."""
        text = self.pastes.expand(self._aside if self._aside is not None else self.draft)
        if text.strip():
            self.remember(text)
        self._aside = None
        self._buffer.reset()

    def delete_right(self) -> None:
        """Delete the character at the cursor."""
        self._buffer.delete()

    def send(self) -> None:
        """Hand the draft on as a line; it stands on the page from then on."""
        text, shown = self.pastes.expand(self.draft), f"{self._message()}{self.draft}"
        answers = self._aside is not None
        if text.strip() or answers:
            self.write(harmless(shown).rstrip("\n") + "\n")
        self._buffer.reset()
        self.app.vi_state.input_mode = InputMode.INSERT  # a new message begins
        if not answers:
            self.pastes.clear()
        self.mode.line(text)

    def edit_outside(self) -> None:
        """Write the draft in the user's own editor; what is told meanwhile waits."""
        self._elsewhere = True
        self._buffer.open_in_editor().add_done_callback(lambda _: self._back())

    def _back(self) -> None:
        self._elsewhere = False
        self._write()

    async def run(self) -> None:
        """Edit until the mode is left; raises what breaks in the editor."""
        left = self.mode.left
        left.add_done_callback(self._exit)
        if left.done():
            return
        self._began = time.monotonic()
        try:
            await self._session.prompt_async(handle_sigint=False, set_exception_handler=False)
        except EOFError:  # the terminal has gone
            self.mode.leave(128 + signal.SIGHUP)
        self._write()

    def _exit(self, _: asyncio.Future[int]) -> None:
        if self.app.is_running and not self.app.is_done:
            self._write()
            self._buffer.reset()
            self.app.exit(result="")

    def _message(self) -> str:
        """Return the prompt: none while a turn runs and nothing is typed."""
        if self._mode is None or self._mode.left.done():
            return ""
        prompt = self._mode.prompt or (NEXT if self.draft else "")
        return prompt.replace("> ", VI_COMMANDS) if vi_navigation_mode() else prompt

    def _key(self, _: KeyProcessor) -> None:
        self._key_at = time.monotonic()


def size() -> Size:
    """Return the terminal's size; one that does not say is as small as they come."""
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        columns, rows = 80, 24
    return Size(rows or 24, columns or 80)
