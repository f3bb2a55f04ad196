"""A command line that the user runs himself, with `!`: in a thread, with its output as it comes. No screen.

It is the user's own doing: nobody is asked, no checkpoint is made, and the model learns of it only if told.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.interrupt import Token
from hermes_tui.processes.ending import ending
from hermes_tui.processes.run import run
from hermes_tui.text import harmless

LIVE: Final = 32_000
"""Characters of the newest output that are seen while it runs."""
LONGEST: Final = 7 * 86_400.0
"""Seconds after which even a forgotten one ends."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a command line."""

    command: str
    output: str
    how: str
    """`exit code 0`, `stopped by you after 2.1 s`, or why it could not be started."""
    ok: bool


class ShellLine:
    """One command line. `output` may be read from any thread while it runs."""

    def __init__(self, command: str, folder: Path, environment: Mapping[str, str]) -> None:
        self.command = command
        self._folder = folder
        self._environment = environment
        self._token = Token()
        self._lock = threading.Lock()
        self._live = ""

    def start(self, ended: Callable[[Ended], None]) -> None:
        """Run it; `ended` is called once, in the thread that ran it."""
        threading.Thread(target=lambda: ended(self._run()), name="user's command", daemon=True).start()

    def stop(self) -> None:
        """End it and all that it started; the second time at once."""
        if self._token.is_set:
            self._token.force()
        else:
            self._token.set()

    @property
    def output(self) -> str:
        """The newest of what it printed so far, harmless."""
        with self._lock:
            return harmless(self._live)

    def _show(self, text: str) -> None:
        with self._lock:
            self._live = (self._live + text)[-LIVE:]

    def _run(self) -> Ended:
        begun = time.monotonic()
        try:
            done = run(self.command, self._folder, self._environment, LONGEST, self._token, self._show)
        except (HermesError, OSError, ValueError) as error:
            return Ended(self.command, "", str(error), ok=False)
        output = harmless(done.output).strip("\n")
        if done.interrupted:
            return Ended(
                self.command, output, f"stopped by you after {time.monotonic() - begun:.1f} s", False
            )
        return Ended(self.command, output, ending(done.exit_code), done.exit_code == 0)


def for_the_model(ended: Ended) -> str:
    """Return the note by which the model learns what the user ran."""
    return (
        f"The user ran a command himself ({ended.how}):\n$ {ended.command}\n{ended.output or '(no output)'}"
    )
