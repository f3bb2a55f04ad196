"""The processes started in the background. They outlive calls, turns and interrupts, but not the program."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.state import BackgroundInfo
from hermes_tui.processes.kill import AT_ONCE, LEFT_BEHIND, end, kill_group
from hermes_tui.processes.log import Log
from hermes_tui.processes.pump import Pump
from hermes_tui.processes.start import Child, start

Placed = Callable[[str, Path], str]

MOST: Final = 32
"""Processes that may run at once."""


@dataclass(slots=True)
class _Entry:
    """One process of the table."""

    id: str
    command: str
    child: Child
    log: Log
    pump: Pump
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def info(self) -> BackgroundInfo:
        """Return its state; it runs while the shell or a child that holds its pipe does."""
        running = not self.pump.finished.done()
        return BackgroundInfo(self.id, self.command, running, None if running else self.reap())

    def reap(self) -> int:
        """Return the shell's exit code; Popen's own wait is not safe from several threads."""
        with self.lock:
            return self.child.process.wait()


class BackgroundTable:
    """Implements `engine.state.Background`."""

    def __init__(self, environment: Mapping[str, str], placed: Placed = lambda command, _: command) -> None:
        """`placed`: the line that is run for a command in a folder."""
        self._environment = environment
        self._placed = placed
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry] = {}
        self._closed = False

    def start(self, command: str, folder: Path) -> str:
        """Start a command and return its id: p1, p2, …"""
        with self._lock:
            if self._closed:
                raise ToolError("the program is closing; nothing is started any more")
            if sum(entry.info.running for entry in self._entries.values()) >= MOST:
                raise ToolError(f"{MOST} background processes run already; kill one with process first")
            child = start(self._placed(command, folder), folder, self._environment)
            log = Log()
            name = f"p{len(self._entries) + 1}"
            entry = _Entry(name, command, child, log, Pump(child, log.feed, None))
            entry.pump.finished.add_done_callback(lambda _: entry.reap())
            self._entries[name] = entry
            return name

    def list(self) -> list[BackgroundInfo]:
        """Return every one of this session, oldest first."""
        with self._lock:
            entries = list(self._entries.values())
        return [entry.info for entry in entries]

    def log(self, process_id: str, offset: int, limit: int) -> str:
        """Return `limit` lines of its output from line `offset`, and how to go on; negative: from the end."""
        first, lines, total = self._entry(process_id).log.lines(offset, limit)
        if not total:
            return "[no output yet]"
        if not lines:
            return f"[no line {offset}: there are {total}, counted from 0]"
        notes = []
        if 0 <= offset < first:
            notes.append(f"[lines {offset}-{first - 1} are no longer kept]")
        text = "\n".join([*notes, *lines])
        after = first + len(lines)
        more = f"; go on with offset={after}" if after < total else ""
        return f"{text}\n[lines {first}-{after - 1} of {total}{more}]"

    def wait(self, process_id: str, timeout: float, token: Token) -> BackgroundInfo:
        """Return when it ends, after `timeout` seconds, or with `Interrupted`."""
        entry = self._entry(process_id)
        waited: set[Future[Any]] = {entry.pump.finished, token.future}
        wait_for(waited, timeout, FIRST_COMPLETED)
        if entry.info.running:
            token.raise_if_set(f"{process_id} goes on running")
        return entry.info

    def kill(self, process_id: str) -> BackgroundInfo:
        """End it and everything it started, also what is left of one that has ended."""
        entry = self._entry(process_id)
        if left := end(entry.child, LEFT_BEHIND):
            names = ", ".join(f"{found.name} (pid {found.pid})" for found in left)
            raise ToolError(f"could not end {names}: the system does not let us, or it hangs in the kernel")
        entry.pump.finished.result(timeout=5)
        return entry.info

    def close(self) -> None:
        """End all of them, at once."""
        with self._lock:
            self._closed = True
            entries = list(self._entries.values())
        for entry in entries:
            kill_group(entry.child)
        for entry in entries:
            end(entry.child, AT_ONCE)

    def _entry(self, process_id: str) -> _Entry:
        """Return the process of this id; `ToolError` names those there are."""
        with self._lock:
            entry = self._entries.get(process_id.strip())
            known = ", ".join(self._entries)
        if entry is None:
            there = f"there are {known}" if known else "none was started; use terminal with background=true"
            raise ToolError(f"no background process {process_id!r}: {there}")
        return entry
