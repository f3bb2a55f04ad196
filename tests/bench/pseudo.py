"""A program in a pseudo-terminal, for benchmarks: raw bytes and times, nothing drawn."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from fcntl import ioctl
from pathlib import Path
from types import TracebackType

import psutil

LIMIT = 120.0
"""Seconds after which a wait gives up."""


class Pseudo:
    """One running program; leaving the context kills it and what it started."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        environ: Mapping[str, str],
        size: tuple[int, int] = (120, 32),
    ) -> None:
        self.begun = time.perf_counter()
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], list(words), dict(environ))
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.process = psutil.Process(self.pid)

    def __enter__(self) -> Pseudo:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in [*self.process.children(recursive=True), self.process]:
            one.send_signal(signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._terminal)

    def read(self, seconds: float) -> bytes:
        """Return what is there within so many seconds; empty when nothing is."""
        if not select.select([self._terminal], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self._terminal, 1 << 20)
        except OSError:
            raise SystemExit("the program has ended") from None

    def send(self, text: str) -> None:
        """Type."""
        os.write(self._terminal, text.encode())

    def until(self, mark: bytes) -> float:
        """Read until `mark` is written; return the seconds that took."""
        begun, seen = time.perf_counter(), b""
        while mark not in seen:
            if time.perf_counter() - begun > LIMIT:
                raise SystemExit(f"never written: {mark!r}; the end was {seen[-400:]!r}")
            seen = seen[-len(mark) - 8 :] + self.read(1.0)
        return time.perf_counter() - begun

    def quiet(self, seconds: float) -> float:
        """Read until nothing comes for so many seconds; return when the last byte came."""
        last = time.perf_counter()
        while self.read(seconds):
            last = time.perf_counter()
        return last

    def burst(self, gap: float = 0.025) -> float:
        """Read what comes in one go; return when its last byte came. What follows a gap is left."""
        last = time.perf_counter()
        if not self.read(5.0):
            raise SystemExit("nothing was written")
        while True:
            last = time.perf_counter()
            if not self.read(gap):
                return last

    def quiet_for(self, seconds: float) -> None:
        """Read for so many seconds, whatever comes."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left)

    @property
    def megabytes(self) -> float:
        """Resident memory of the program alone."""
        return float(self.process.memory_info().rss) / 2**20

    @property
    def cpu(self) -> float:
        """Seconds of a core that it has used."""
        times = self.process.cpu_times()
        return float(times.user + times.system)
