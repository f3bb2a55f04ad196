"""A real pseudo-terminal with a screen that can be read: the installed command under pexpect, drawn by pyte.

Waits on conditions, never sleeps.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

import pexpect
import pyte

COMMAND = Path(sys.executable).with_name("hermes-tui")
"""The installed command of this environment."""

KEYS = {"enter": "\r", "escape": "\x1b", "ctrl+c": "\x03", "ctrl+d": "\x04", "ctrl+j": "\n", "tab": "\t",
        "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B", "ctrl+t": "\x14"}  # fmt: skip


class Terminal:
    """One running program and its screen."""

    def __init__(self, arguments: list[str], folder: Path, columns: int = 100, rows: int = 30,
                 environ: Mapping[str, str] | None = None) -> None:  # fmt: skip
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.bytes = bytearray()
        """All that the program wrote."""
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            arguments[0],
            arguments[1:],
            cwd=str(folder),
            dimensions=(rows, columns),
            timeout=None,
            # a runner may have set these for its workers; the size is the terminal's own
            env={k: v for k, v in (environ or os.environ).items() if k not in ("COLUMNS", "LINES")},
            encoding=None,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(signal.SIGHUP, 5.0)  # politely first: it ends what it started
        self._end(signal.SIGKILL, 10.0)
        self.child.close(force=True)

    def _end(self, number: signal.Signals, seconds: float) -> None:
        """Send a signal unless it has ended, and wait for its end; a machine may be slow."""
        deadline = time.monotonic() + seconds
        if self.child.isalive():
            self.child.kill(number)
        while self.child.isalive() and time.monotonic() < deadline:
            self.read()

    def read(self, timeout: float = 0.05) -> None:
        """Take what has been written, waiting at most `timeout` seconds for the first byte."""
        try:
            data: bytes = self.child.read_nonblocking(65536, timeout)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return
        self.bytes += data
        # pyte does not know the kitty keyboard queries that Textual sends
        self._stream.feed(re.sub(rb"\x1b\[[<>=?][0-9;]*u", b"", data))

    def text(self) -> str:
        """Return the screen, a line each, right blanks removed."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait(self, condition: str | Callable[[str], bool], seconds: float = 15.0) -> str:
        """Return the screen once it holds the text (or fulfils the condition); fail with the screen."""
        test = (lambda screen: condition in screen) if isinstance(condition, str) else condition
        deadline = time.monotonic() + seconds
        while not test(self.text()):
            if time.monotonic() > deadline:
                raise AssertionError(f"not on the screen after {seconds} s: {condition!r}\n{self.text()}")
            self.read()
        return self.text()

    def send(self, text: str) -> None:
        """Type plain text."""
        self.child.send(text)

    def press(self, *names: str) -> None:
        """Press keys by name."""
        for name in names:
            self.child.send(KEYS.get(name, name))

    def paste(self, text: str) -> None:
        """Paste, as a terminal does that brackets it; read what comes meanwhile, or both would wait."""
        data = f"\x1b[200~{text}\x1b[201~".encode()
        for at in range(0, len(data), 4096):
            os.write(self.child.child_fd, data[at : at + 4096])  # pexpect's own waits before each piece
            self.read(0.0)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def line(self, text: str) -> None:
        """Type text, wait until it is seen, press Enter."""
        self.send(text)
        self.wait(lambda screen: text[-20:] in screen)
        self.press("enter")

    def ended(self, seconds: float = 10.0) -> int | None:
        """Wait for the program's end; return its exit code."""
        deadline = time.monotonic() + seconds
        while self.child.isalive():
            if time.monotonic() > deadline:
                raise AssertionError(f"still running after {seconds} s\n{self.text()}")
            self.read()
        while True:
            before = len(self.bytes)
            self.read()
            if len(self.bytes) == before:
                break
        return self.child.exitstatus
