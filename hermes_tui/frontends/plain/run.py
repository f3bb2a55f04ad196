"""Starts line mode on what it finds, and ends it: signals, the exit code, an error of our own."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
import termios
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from hermes_tui import __version__
from hermes_tui.assemble import Hermes
from hermes_tui.frontends.bridge import Bridge
from hermes_tui.frontends.plain.lines import LineConsole
from hermes_tui.frontends.plain.mode import LineMode
from hermes_tui.frontends.plain.recap import recap
from hermes_tui.frontends.signals import signals

GRACE: Final = 2.0
"""Seconds after a signal in which the mode may end by itself."""
FRAMES: Final = 3
"""Places of the program that are named when it breaks."""
PASTES_OFF: Final = b"\x1b[?2004l\r\n"

WELCOME: Final = "/help lists the commands · Ctrl-C stops what runs · /rollback undoes edits · /quit leaves"


def can_draw() -> bool:
    """Whether there is a terminal, on both sides, that understands more than lines."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def run_plain(hermes: Hermes, first: str | None = None) -> int:
    """Run line mode until the user leaves or the input ends; return the exit code.

    Whoever types leaves with 0. Where lines come from a pipe, the code is that of the last turn.
    """
    run = Run(hermes, first)
    before = termios.tcgetattr(0) if can_draw() else None

    def act(number: signal.Signals) -> None:
        if number is signal.SIGINT:
            run.soon(lambda mode: mode.press("ctrl+c"))
            return
        hermes.close()  # process groups end first, whatever the loop does
        watchdog = threading.Timer(GRACE, force, (number, before))
        watchdog.daemon = True
        watchdog.start()
        run.soon(lambda mode: mode.leave(128 + number))

    with signals((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), act):
        return asyncio.run(run.main())


class Run:
    """One run, on a loop of its own."""

    def __init__(self, hermes: Hermes, first: str | None) -> None:
        self._hermes = hermes
        self._first = first
        self._loop: asyncio.AbstractEventLoop | None = None
        self._mode: LineMode | None = None

    def soon(self, act: Callable[[LineMode], None]) -> None:
        """Do something with the mode on its loop; for any thread."""
        loop, mode = self._loop, self._mode
        if loop is not None and mode is not None:
            with suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(act, mode)

    async def main(self) -> int:
        """Run to the end."""
        hermes, loop = self._hermes, asyncio.get_running_loop()
        loop.set_exception_handler(self._broke)
        console = LineConsole(hermes.history) if not can_draw() else self._editor()
        mode = self._mode = LineMode(hermes, console, can_draw() and not os.environ.get("NO_COLOR"))
        console.connect(mode)
        self._loop = loop
        if console.interactive:
            mode.paper.line(f"hermes-tui {__version__} in {hermes.folder}", "strong")
            mode.paper.line(who_answers(hermes))
            mode.paper.line(WELCOME, "note")
        recap(hermes.agent.messages, mode.paper)
        Bridge(hermes.agent.events, mode.take, lambda act: act()).start()
        if self._first:
            mode.paper.line(f"you> {self._first}", "strong")
            mode.enter(self._first)
        await console.run()
        code = await mode.left
        return code if code or console.interactive else mode.last_code

    def _editor(self) -> Any:
        """Return the editor, with what it completes; prompt_toolkit is loaded here and nowhere else."""
        from hermes_tui.frontends.fileindex import FileIndex
        from hermes_tui.frontends.plain.completer import PlainCompleter
        from hermes_tui.frontends.plain.editor import EditorConsole

        hermes = self._hermes
        files = FileIndex(hermes.folder, hermes.project)
        files.start()
        completer = PlainCompleter(hermes, hermes.commands, files)
        return EditorConsole(hermes.history, completer, not os.environ.get("NO_COLOR"))

    def _broke(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error on the loop ends the mode: quietly when nobody reads us any more, else with its place."""
        error = context.get("exception")
        gone = isinstance(error, OSError) and error.errno in (errno.EPIPE, errno.EIO)
        if gone:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        elif error is not None:
            print(last_words(error), file=sys.stderr)
        if self._mode is not None:
            self._mode.leave(1)


def who_answers(hermes: Hermes) -> str:
    """Return which model answers, or that none does."""
    if hermes.rehearsing:
        return (
            "The rehearsal answers: no language model, only rules that turn plain requests into real calls.\n"
            "For a model, set OPENAI_API_KEY or start with --base-url."
        )
    return f"{hermes.provider_label} answers."


def last_words(error: BaseException) -> str:
    """Return what is said of an error of our own, in a few lines."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    what = traceback.format_exception_only(error)[-1].strip()
    places = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in reversed(frames)]
    return "\n".join([f"hermes-tui: an error of its own: {what[:500]}", *places])


def force(number: signal.Signals, before: list[Any] | None) -> None:
    """The loop is stuck: leave without it, the terminal as it was."""
    if before is not None:
        with suppress(termios.error, OSError):
            os.write(1, PASTES_OFF)
            termios.tcsetattr(0, termios.TCSANOW, before)
    os._exit(128 + number)
