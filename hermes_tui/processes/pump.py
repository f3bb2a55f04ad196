"""Reads one command's pipe in a thread of its own, and notices when the command has ended.

The two are not the same: a child left in the background keeps the pipe open after the shell is gone.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from hermes_tui.processes.pace import Pace
from hermes_tui.processes.start import Child

_BLOCK: Final = 65_536
"""A whole pipe; read by lines, a flood of output makes the screen late."""

_PACE: Final = Pace()
"""Eight commands that print as fast as they can keep two cores, and all that is drawn on them, busy."""


class Pump:
    """Feeds a command's output to a function until the pipe ends."""

    def __init__(self, child: Child, feed: Callable[[bytes], None], linger: float | None) -> None:
        """Start reading.

        `linger` is for how many seconds more it reads when the shell has ended and somebody else still
        holds the pipe; None: until that one lets go.
        """
        self.ended: Future[None] = Future()
        """Done when the shell has ended."""
        self.finished: Future[bool] = Future()
        """Done when nothing is read any more: True at the pipe's end, False when it was given up."""
        self._child = child
        self._feed = feed
        self._linger = linger
        threading.Thread(target=self._run, name=f"pump-{child.pid}", daemon=True).start()

    def _run(self) -> None:
        """Read, and let go of both descriptors, whatever happens."""
        exit_descriptor = exit_of(self._child)
        reached_end = False
        try:
            reached_end = self._read(self._child.pipe.fileno(), exit_descriptor)
        finally:
            if not self.ended.done():
                _until(exit_descriptor)
                self.ended.set_result(None)
            os.close(exit_descriptor)
            self._child.pipe.close()
            self.finished.set_result(reached_end)

    def _read(self, pipe: int, exit_descriptor: int) -> bool:
        """Return whether the pipe ended before its time was over."""
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        poll.register(exit_descriptor, select.POLLIN)
        deadline: float | None = None
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            ready = [descriptor for descriptor, _ in poll.poll(None if left is None else left * 1000)]
            if pipe in ready:
                block = os.read(pipe, _BLOCK)
                if not block:
                    return True
                self._feed(block)
                _PACE.wait()
            if exit_descriptor in ready:
                poll.unregister(exit_descriptor)
                self.ended.set_result(None)
                deadline = None if self._linger is None else time.monotonic() + self._linger


def exit_of(child: Child, pidfd: bool = hasattr(os, "pidfd_open")) -> int:
    """Return a descriptor that polls as readable once the shell has ended; the caller closes it.

    A pidfd wakes at once and does not reap, so the number is not given to another process meanwhile.
    Without one a thread waits for the shell and hangs up a pipe.
    """
    if pidfd:
        return os.pidfd_open(child.pid)
    reading, writing = os.pipe()

    def wait() -> None:
        child.process.wait()
        os.close(writing)

    threading.Thread(target=wait, name=f"wait-{child.pid}", daemon=True).start()
    return reading


def _until(descriptor: int) -> None:
    """Block until a descriptor is readable."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.poll()
