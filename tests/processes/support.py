"""What the tests of processes share: a quick way to run, and conditions to wait for."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hermes_tui.engine.interrupt import Token
from hermes_tui.processes.environment import for_commands
from hermes_tui.processes.run import Finished, run

ENVIRONMENT = for_commands(os.environ)


def until(condition: Callable[[], bool], what: str, seconds: float = 10) -> None:
    """Wait until a condition holds, or fail saying which did not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still not: {what}"
        time.sleep(0.005)


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def pid_in(path: Path) -> int:
    """Return the process id that a command writes to a file, once it is there."""
    until(lambda: path.exists() and path.read_text().endswith("\n"), f"{path.name} is written")
    return int(path.read_text())


@dataclass
class Running:
    """A command that runs in a thread, with what it showed so far."""

    token: Token = field(default_factory=Token)
    shown: list[str] = field(default_factory=list)
    finished: list[Finished] = field(default_factory=list)
    thread: threading.Thread | None = None

    def start(self, command: str, folder: Path, timeout: float = 60) -> Running:
        """Start it, and return at once."""

        def work() -> None:
            self.finished.append(run(command, folder, ENVIRONMENT, timeout, self.token, self.shown.append))

        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()
        return self

    def has_shown(self, text: str) -> None:
        """Wait until the live output holds a text."""
        until(lambda: text in "".join(self.shown), f"{text!r} is shown")

    def result(self) -> Finished:
        """Wait for its end."""
        until(lambda: bool(self.finished), "the command has ended")
        return self.finished[0]


def run_here(command: str, folder: Path, timeout: float = 20) -> Finished:
    """Run a command to its end."""
    return run(command, folder, ENVIRONMENT, timeout, Token(), lambda text: None)
