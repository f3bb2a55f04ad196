"""Ends a command and everything it started: asks, insists, kills. Never signals anybody else.

A process number may be given to a stranger as soon as its owner is reaped. So the group is signalled
only while its leader is not reaped, and everybody else by a handle that was checked after opening.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final

import psutil

from hermes_tui.processes.find import Found, belonging, lives
from hermes_tui.processes.start import Child

Steps = Sequence[tuple[signal.Signals, float]]
"""Signals in order, SIGKILL last, each with the seconds it is given."""

LADDER: Final[Steps] = ((signal.SIGINT, 0.8), (signal.SIGTERM, 1.2), (signal.SIGKILL, 0.6))
"""For a command that is interrupted or timed out: all gone well within the 3 s that a call has."""

LEFT_BEHIND: Final[Steps] = ((signal.SIGTERM, 0.5), (signal.SIGKILL, 0.6))
"""For what a command leaves running in the background: bash makes that deaf to SIGINT."""

AT_ONCE: Final[Steps] = ((signal.SIGKILL, 0.6),)
"""For when there is no time to be polite."""


def _never() -> bool:
    """Nobody forces it."""
    return False


def end(child: Child, steps: Steps = LADDER, forced: Callable[[], bool] = _never) -> list[Found]:
    """End the command and all that belongs to it; return those that live on.

    Returns as soon as all are gone. `forced` is asked again and again: once True, it kills at once.
    """

    def everything() -> list[Found]:
        return belonging(child.pid, child.mark)

    return _climb(child, everything, steps, forced)


def kill_group(child: Child) -> None:
    """Kill the command's group and wait for nothing: for when the program itself is about to end."""
    _tell(child, (), signal.SIGKILL)


def end_left_behind(child: Child) -> list[Found]:
    """End what a shell that has ended left in its session; return those that live on.

    What made a session of its own is a daemon, and stays.
    """

    def in_session() -> list[Found]:
        return [found for found in belonging(child.pid, child.mark) if found.session == child.pid]

    return _climb(child, in_session, LEFT_BEHIND, _never)


def _climb(
    child: Child, find: Callable[[], list[Found]], steps: Steps, forced: Callable[[], bool]
) -> list[Found]:
    """Take one step after the other until `find` finds nobody any more."""
    known = find()
    for signum, seconds in steps:
        last = signum is signal.SIGKILL
        if not known:
            break
        if not last and forced():
            continue
        _tell(child, known, signum)
        _until_gone(known, seconds, _never if last else forced)
        # a tie between two processes may have broken, and others may have been started meanwhile
        known = list({found.pid: found for found in [*filter(lives, known), *find()]}.values())
    return known


def _tell(child: Child, known: Iterable[Found], signum: signal.Signals) -> None:
    """Send a signal to the group, and to each process outside of it, once each."""
    whole_group = child.process.returncode is None
    if whole_group:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signum)
    for found in known:
        if not (whole_group and found.group == child.pid):
            _signal(found, signum)


def _signal(found: Found, signum: signal.Signals) -> None:
    """Send a signal to exactly this process; nothing happens if it is gone or not ours to end."""
    if sys.platform == "linux":
        with suppress(OSError):
            handle = os.pidfd_open(found.pid)
            try:
                if lives(found):
                    signal.pidfd_send_signal(handle, signum)
            finally:
                os.close(handle)
    else:
        with suppress(psutil.Error, OSError):
            process = psutil.Process(found.pid)
            if process.create_time() == found.started:
                process.send_signal(signum)


def _until_gone(known: Iterable[Found], seconds: float, stop: Callable[[], bool]) -> None:
    """Wait until all of `known` are gone, `seconds` are over or `stop` says so."""
    deadline = time.monotonic() + seconds
    left = [found for found in known if lives(found)]
    pause = 0.001
    while left and time.monotonic() < deadline and not stop():
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)
        left = [found for found in left if lives(found)]


def kill_marked(mark: str) -> None:
    """Kill everything that carries a mark, for what another library started; waits for nothing."""
    for found in belonging(-1, mark):
        _signal(found, signal.SIGKILL)
