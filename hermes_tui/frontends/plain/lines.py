"""The console where nothing can be drawn: a dumb terminal, a pipe, a file. Plain lines, no escape sequence.

At a terminal lines are read as they are typed; from a pipe only when one is wanted, so that a script's next
line answers what is asked and is never swallowed by it.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress
from typing import Protocol

from hermes_tui.frontends.host import History
from hermes_tui.text import harmless, one_line


class Mode(Protocol):
    """Who gets the lines."""

    @property
    def prompt(self) -> str:
        """What stands before the line that is wanted; empty while none is."""

    @property
    def left(self) -> asyncio.Future[int]:
        """Done once no more lines are wanted."""

    def line(self, text: str) -> None:
        """Take a line, without its end."""

    def end_of_input(self) -> bool:
        """No more lines come; True when they may all the same, as at a terminal."""


def put(text: str) -> None:
    """Write to stdout as it is."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def width() -> int | None:
    """Return the width of the terminal that stdout is, in cells; None where it is none."""
    with suppress(OSError, ValueError):
        return max(20, os.get_terminal_size(sys.stdout.fileno()).columns - 1)
    return None


class LineConsole:
    """Reads stdin by lines, in a daemon thread, and writes stdout whole."""

    draft = ""
    keys = (
        ("Ctrl-C", "stop what runs (again: at once), else leave"),
        ("Ctrl-D", "leave; in a question: no answer"),
    )

    def __init__(self, history: History) -> None:
        self._history = history
        self._input = sys.stdin.buffer
        self.interactive = sys.stdin.isatty()
        self._loop = asyncio.get_running_loop()
        self._mode: Mode | None = None
        self._wanted = threading.Semaphore(0)
        self._goes_on = threading.Semaphore(0)
        self._asked = False
        """A line of the pipe was asked for and has not come."""
        self._shown = ""
        """The prompt that the page ends with."""

    def connect(self, mode: Mode) -> None:
        """Give lines to `mode`, from `run` on."""
        self._mode = mode

    def since_key(self) -> float:
        """Nobody sees single keys here."""
        return float("inf")

    def width(self) -> int | None:
        """Return the terminal's width, None for a pipe."""
        return width()

    def write(self, text: str) -> None:
        """Write whole lines, below a prompt that nobody has answered."""
        put(f"\n{text}" if self._shown else text)
        self._shown = ""

    def refresh(self) -> None:
        """Show the prompt of the line that is wanted, and let it be read."""
        prompt = self._mode.prompt if self._mode is not None else ""
        if not prompt:
            return
        if prompt != self._shown:
            put(f"\n{prompt}" if self._shown else prompt)
            self._shown = prompt
        if not self.interactive and not self._asked:
            self._asked = True
            self._wanted.release()

    def remember(self, text: str) -> None:
        """Keep what a person typed; a script's lines are nobody's history."""
        if self.interactive:
            self._history.add(text)

    def give_back(self, text: str) -> None:
        """Write it: a terminal's own line cannot be filled."""
        self.write(f"[it began: {one_line(text, 400)}]\n")

    def copy(self, text: str) -> bool:
        """No sequence leaves here."""
        return False

    def put_aside(self) -> None:
        """There is no draft: the terminal has it."""

    take_back = clear_draft = delete_right = put_aside

    async def run(self) -> None:
        """Read until the mode is left."""
        assert self._mode is not None, "connect comes first"
        self.refresh()
        threading.Thread(target=self._read, name="lines", daemon=True).start()
        await asyncio.shield(self._mode.left)
        if self._shown:
            put("\n")

    def _read(self) -> None:
        """In a thread of its own: hand on one line after another."""
        while True:
            if not self.interactive:
                self._wanted.acquire()
            try:
                line = self._input.readline()
            except (OSError, ValueError):  # the terminal has gone
                line = b""
            with suppress(RuntimeError):  # the loop has ended: nobody waits any more
                self._loop.call_soon_threadsafe(self._came, line)
            if not line:
                self._goes_on.acquire()  # for ever, unless a terminal has more to come

    def _came(self, line: bytes) -> None:
        mode = self._mode
        if mode is None or mode.left.done():
            return
        self._asked = False
        if not line:
            self._end_of_line("\n")
            if mode.end_of_input():
                self._goes_on.release()
            return
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        self._end_of_line("" if self.interactive else f"{harmless(text)}\n")  # a terminal has echoed it
        mode.line(text)

    def _end_of_line(self, echo: str) -> None:
        """The prompt's line is over."""
        if self._shown:
            put(echo)
        self._shown = ""
