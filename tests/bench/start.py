"""How long until the first full frame, against the smallest Textual app of the same layout, in one run.

`python -m tests.bench.start [--standin] [--rounds N]`: starts both in turns in a pseudo-terminal of 100×30
and takes the time from the start of the process to the last line of its first frame. Prints the medians
and their ratio; fails above 1.5 (the goal is 1.25). `--standin` measures the screen alone, without
settings, provider and tools.
"""

from __future__ import annotations

import argparse
import os
import pty
import signal
import statistics
import struct
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
LIMIT, GOAL = 1.5, 1.25
BASELINE = ([sys.executable, "-m", "tests.bench.baseline_app"], b"baseline is ready")
PROGRAM = ([sys.executable, "-m", "hermes_tui", "--provider", "rehearsal"], b"F1 help")
STANDIN = ([sys.executable, "-m", "tests.frontends.run_standin"], b"F1 help")
"""A command, and what the last line of its first frame says."""


def first_frame(command: list[str], mark: bytes, home: str) -> float:
    """Return the seconds from the start of a process until `mark` is written."""
    environ = {**os.environ, "HERMES_TUI_HOME": home, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # it would compile everything at each start
    begun = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.execvpe(command[0], command, environ)
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    seen = b""
    try:
        while mark not in seen:
            seen += os.read(terminal, 65536)
        return time.perf_counter() - begun
    except OSError:
        raise SystemExit(
            f"{command} ended before its first frame:\n{seen.decode(errors='replace')}"
        ) from None
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.start")
    parser.add_argument("--standin", action="store_true")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    program = STANDIN if options.standin else PROGRAM
    base: list[float] = []
    ours: list[float] = []
    with TemporaryDirectory() as home:
        for command, mark in (BASELINE, program):
            first_frame(command, mark, home)  # compiles what is not compiled yet
        for _ in range(options.rounds):
            base.append(first_frame(*BASELINE, home))
            ours.append(first_frame(*program, home))
    first, second = statistics.median(base), statistics.median(ours)
    ratio = second / first
    print(
        f"baseline {1000 * first:.0f} ms · program {1000 * second:.0f} ms · ratio {ratio:.2f} (goal {GOAL})"
    )
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
