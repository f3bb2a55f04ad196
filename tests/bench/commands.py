"""What a command costs: `python -m tests.bench.commands`, part of tests.bench.schedule. Ratios in one run.

A whole headless run of one turn with 8 commands of half a second against a bare script on the same SDK
(at most 1.2 ×), and one command's time beyond its own (at most 10 ms).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hermes_tui.engine.interrupt import Token
from hermes_tui.processes.environment import for_commands
from hermes_tui.processes.run import run
from tests.support.server import Call, ScriptedServer, calls, say

ROOT = Path(__file__).parents[2]
EIGHT = [Call("terminal", {"command": "sleep 0.5"}) for _ in range(8)]


def timed(words: list[str], folder: Path, environ: dict[str, str]) -> float:
    """Return the wall seconds of one process."""
    begun = time.perf_counter()
    subprocess.run(
        words, cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - begun


def whole_run(folder: Path, rounds: int = 5) -> None:
    """Measure the program and the script in turns."""
    environ = {**os.environ, "HERMES_TUI_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(rounds):
        with ScriptedServer([calls(*EIGHT), say("Done.")]) as server:
            words = [sys.executable, "-m", "hermes_tui", "-p", "go", "--base-url", server.url]
            ours.append(timed([*words, "--model", "scripted-1"], folder, environ))
        with ScriptedServer([calls(*EIGHT), say("Done.")], lenient=True) as server:
            bare.append(timed([sys.executable, "-m", "tests.bench.bare_script", server.url], folder, environ))
    ratio = statistics.median(ours) / statistics.median(bare)
    print(f"{'a headless run of 8 × 0.5 s, against a bare script':<58} {ratio:>10.2f} ×   ≤ 1.2", flush=True)


def one_command(folder: Path, rounds: int = 60) -> None:
    """Measure `true` through the program's own runner against Popen and wait."""
    environ = for_commands(os.environ)
    extra = []
    for _ in range(rounds):
        begun = time.perf_counter()
        subprocess.run(
            ["bash", "-c", "true"], cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True
        )
        middle = time.perf_counter()
        run("true", folder, environ, 60.0, Token(), lambda text: None)
        extra.append((time.perf_counter() - middle) - (middle - begun))
    print(
        f"{'one command beyond its own time':<58} {1000 * statistics.median(extra):>9.1f} ms   ≤ 10",
        flush=True,
    )


def main() -> None:
    """Run both."""
    with tempfile.TemporaryDirectory() as name:
        one_command(Path(name))
        whole_run(Path(name))


if __name__ == "__main__":
    main()
