"""Which processes belong to a command: those of its session, those that carry its mark, and their children.

Only looks. A process that left the group and the session still inherits the mark.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import psutil

from hermes_tui.processes.environment import MARK


@dataclass(frozen=True, slots=True)
class Found:
    """One living process."""

    pid: int
    started: float
    """When it started, in the unit of its source: tells it from a later process of the same number."""
    parent: int
    group: int
    session: int
    name: str
    marked: bool


def belonging(session: int, mark: str) -> list[Found]:
    """Return the living processes of `session`, those that carry `mark`, and the descendants of both."""
    everyone = _from_proc(mark) if sys.platform == "linux" else _from_psutil(mark)
    return closure(everyone, session)


def lives(found: Found) -> bool:
    """Whether this very process, not a later one of its number, still runs."""
    if sys.platform == "linux":
        now = _one_from_proc(found.pid, b"\n")
        return now is not None and now.started == found.started
    try:
        process = psutil.Process(found.pid)
        return process.create_time() == found.started and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def closure(everyone: Iterable[Found], session: int) -> list[Found]:
    """Return those of `everyone` that are marked, in `session`, or descend from one that is."""
    all_of_them = list(everyone)
    members = {found.pid for found in all_of_them if found.marked or found.session == session}
    while True:
        more = {found.pid for found in all_of_them if found.parent in members} - members
        if not more:
            break
        members |= more
    members.discard(os.getpid())
    return [found for found in all_of_them if found.pid in members]


def _from_proc(mark: str) -> Iterable[Found]:
    """Yield every living process, read from /proc: about 10 µs each."""
    needle = mark.encode()
    for name in os.listdir("/proc"):
        if name.isdigit() and (found := _one_from_proc(int(name), needle)):
            yield found


def _one_from_proc(pid: int, needle: bytes) -> Found | None:
    """Return a process, or None if it is gone or only waits to be reaped."""
    stat = _read(f"/proc/{pid}/stat")
    # the name stands in brackets and may hold brackets and blanks itself
    name, _, rest = stat.partition(b"(")[2].rpartition(b")")
    fields = rest.split()
    if len(fields) < 20 or fields[0] in (b"Z", b"X"):
        return None
    environment = _read(f"/proc/{pid}/environ")
    marked = needle in environment and _is_marked(environment.split(b"\0"), needle)
    return Found(
        pid=pid,
        started=float(fields[19]),
        parent=int(fields[1]),
        group=int(fields[2]),
        session=int(fields[3]),
        name=name.decode(errors="replace"),
        marked=marked,
    )


def _is_marked(environment: list[bytes], needle: bytes) -> bool:
    """Whether one of the variables is the mark itself, not a text that quotes it."""
    prefix = MARK.encode() + b"="
    return any(
        needle in variable.removeprefix(prefix).split(b":")
        for variable in environment
        if variable.startswith(prefix)
    )


def _read(path: str) -> bytes:
    """Return a file of /proc; empty when the process is gone or belongs to somebody else."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read() or b""
    except OSError:
        return b""


def _from_psutil(mark: str) -> Iterable[Found]:
    """Yield every living process, in the portable way."""
    for process in psutil.process_iter():
        try:
            with process.oneshot():
                if process.status() == psutil.STATUS_ZOMBIE:
                    continue
                yield Found(
                    pid=process.pid,
                    started=process.create_time(),
                    parent=process.ppid(),
                    group=_own(os.getpgid, process.pid),
                    session=_own(os.getsid, process.pid),
                    name=process.name(),
                    marked=mark in _environment(process).get(MARK, "").split(":"),
                )
        except psutil.Error:
            continue


def _environment(process: psutil.Process) -> dict[str, str]:
    """Return a process's environment; empty when it belongs to somebody else."""
    try:
        return process.environ()
    except (psutil.Error, OSError):
        return {}


def _own(ask: Callable[[int], int], pid: int) -> int:
    """Return a process's group or session; 0 when it is gone or not ours to ask."""
    try:
        return ask(pid)
    except OSError:
        return 0
