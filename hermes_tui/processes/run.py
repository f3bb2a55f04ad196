"""Runs one command in the foreground: until it ends, its time is over, or the token is set."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine.interrupt import Token
from hermes_tui.processes.find import belonging
from hermes_tui.processes.kill import AT_ONCE, end, end_left_behind, kill_group
from hermes_tui.processes.output import Output
from hermes_tui.processes.pump import Pump
from hermes_tui.processes.start import Child, start

_LINGER: Final = 0.15
"""Seconds that what the shell left behind has to finish by itself: `>(tee log)` needs a few ms."""

_RUNNING: Final[dict[str, Child]] = {}
"""Every command that runs now, by its mark."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended."""

    exit_code: int
    """The shell's; negative: the number of the signal that ended it."""
    output: str
    """Standard output and error as they came, the middle left out when it is long."""
    timed_out: bool = False
    interrupted: bool = False
    ended: tuple[str, ...] = ()
    """Names of the processes that it left in the background and that were ended with it."""
    living: tuple[str, ...] = ()
    """`name (pid N)` of those that went into a session of their own and live on."""


def run(
    command: str,
    folder: Path,
    environment: Mapping[str, str],
    timeout: float,
    token: Token,
    show: Callable[[str], None],
) -> Finished:
    """Run `command` in `folder` for at most `timeout` seconds; `show` gets its output as it comes.

    When the token is set or the time is over, everything it started is ended, also what left its
    session; after a normal end only what stayed in its session is. Raises `ToolError` when it cannot
    be started.
    """
    output = Output(show)
    child = start(command, folder, environment)
    _RUNNING[child.mark] = child
    try:
        return _attend(child, output, timeout, token)
    finally:
        del _RUNNING[child.mark]


def kill_running() -> None:
    """Kill every command that runs now: for the end of the program, whose threads may be stuck."""
    running = list(_RUNNING.values())
    for child in running:
        kill_group(child)
    for child in running:
        end(child, AT_ONCE)


def _attend(child: Child, output: Output, timeout: float, token: Token) -> Finished:
    """Wait for the first of end, time and token, and clear up after it."""
    pump = Pump(child, output.feed, _LINGER)
    waited: set[Future[Any]] = {pump.ended, token.future}
    wait_for(waited, timeout, FIRST_COMPLETED)
    ended, interrupted = pump.ended.done(), token.is_set
    gone, living = _tidy_up(child, pump) if ended else ((), ())
    if not ended:
        _stop(child, token)
    pump.finished.result()
    output.feed(b"", final=True)
    return Finished(
        exit_code=child.process.wait(),
        output=output.text(),
        timed_out=not ended and not interrupted,
        interrupted=not ended and interrupted,
        ended=gone,
        living=living,
    )


def _stop(child: Child, token: Token) -> None:
    """End all of it, and return when it has ended: until then nobody may say that it was cancelled."""
    left = end(child, forced=lambda: token.forced)
    while left:
        time.sleep(0.5)
        left = belonging(child.pid, child.mark)


def _tidy_up(child: Child, pump: Pump) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Look at what the shell left running: return names of what was ended, and of what lives on.

    What stayed in the session is ended: it was meant to run beside the command, and nobody could see
    or stop it afterwards. What made a session of its own is a daemon, and stays.
    """
    reached_end = pump.finished.result()
    child.process.wait()
    if reached_end and _group_is_gone(child.pid):
        return (), ()
    found = belonging(child.pid, child.mark)
    daemons = tuple(f"{one.name} (pid {one.pid})" for one in found if one.session != child.pid)
    names = sorted({one.name for one in found if one.session == child.pid})
    if names:
        end_left_behind(child)
    return tuple(names), daemons


def _group_is_gone(group: int) -> bool:
    """Wait a moment for the group to end by itself; return whether it did."""
    deadline = time.monotonic() + _LINGER
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.003)
