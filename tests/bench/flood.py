"""Does a flood of output hold the screen? `python -m tests.bench.flood`. Ratios within one run.

Eight commands print 100 MB in all through the real program, while the event loop of the real screen is
asked every 5 ms how late it is. What it is measured against: the same loop with nothing to do, and with
the same commands printing to nowhere, since 24 busy processes keep any program waiting. How long it
waited for a processor is said apart (Linux): what is left is our own.
"""

from __future__ import annotations

import asyncio
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hermes_tui.assemble import assemble
from hermes_tui.commands.registry import load
from hermes_tui.frontends.history import History
from hermes_tui.frontends.tui import collector
from hermes_tui.frontends.tui.app import HermesApp
from hermes_tui.start import Start
from tests.support.server import Call, Reply, ScriptedServer, calls, say

STEP: Final = 0.005
SCHEDULER: Final = Path("/proc/thread-self/schedstat")
ROUNDS: Final = 3
BLOCKS: Final = "head -c 12500000 /dev/zero | tr '\\0' 'x' | fold -w 99"
LINES: Final = "head -c 2000000 /dev/zero | tr '\\0' 'x' | stdbuf -oL fold -w 49"
"""One write a line: 40 000 small ones from each command."""


Step = tuple[float, float]
"""Seconds that one step of the loop came too late, and those of them that it waited for a processor."""


def queued() -> float:
    """Return the seconds that this thread has waited for a processor, since it began."""
    try:
        return int(SCHEDULER.read_bytes().split()[1]) / 1e9
    except OSError:
        return 0.0


async def lateness(until: Callable[[], bool]) -> list[Step]:
    """Return how late each step of the loop came."""
    late: list[Step] = []
    while not until():
        waited, begun = queued(), time.perf_counter()
        await asyncio.sleep(STEP)
        late.append((time.perf_counter() - begun - STEP, queued() - waited))
    return late


def told(name: str, late: list[Step], seconds: float) -> None:
    """Print 99 of 100 and the worst, with and without the waiting for a processor."""
    columns = []
    for values in ([step for step, _ in late], [max(0.0, step - waited) for step, waited in late]):
        values.sort()
        columns.append(f"{1000 * values[int(len(values) * 0.99)]:6.1f} {1000 * values[-1]:6.1f}")
    print(f"{name:<36} {seconds:5.2f} s   {columns[0]} ms     {columns[1]} ms", flush=True)


async def turns(app: HermesApp, count: int = ROUNDS) -> tuple[list[Step], float]:
    """Run some turns; return how late the loop came meanwhile, and the seconds of one turn."""
    agent = app.hermes.agent
    late: list[Step] = []
    begun = time.perf_counter()
    for _ in range(count):
        app.enter("go")
        late += await lateness(lambda: not agent.busy)
    return late, (time.perf_counter() - begun) / count


async def measure(folder: Path, url: str) -> None:
    environ = {"HOME": str(folder), "HERMES_TUI_HOME": str(folder / "hermes"), "PATH": "/usr/bin:/bin"}
    flags = {"base_url": url, "model": "scripted-1", "permission": "all"}
    hermes = assemble(Start(folder, flags, environ=environ))
    hermes.commands, hermes.history = load(), History(folder / "history")
    app = HermesApp(hermes, None)
    async with app.run_test(size=(120, 32)) as pilot:
        while not app.connected:
            await pilot.pause(0.05)
        await turns(app, 1)  # imports the SDK
        print(f"{'':<36} a turn   late: p99 worst         our own: p99 worst")
        idle = time.perf_counter() + 3
        told("idle", await lateness(lambda: time.perf_counter() > idle), 3.0)
        told("8 calls print 100 MB to nowhere", *await turns(app))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        told("8 calls print 100 MB", *await turns(app))
        told("8 calls print 16 MB line by line", *await turns(app))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"memory at its highest, beyond that before: {grown / 1024:.1f} MB")
        await pilot.pause(0.1)
    hermes.close()


def batch(command: str) -> list[Reply]:
    """Return the script of some turns of eight such calls each."""
    return [calls(*[Call("terminal", {"command": command})] * 8), say("Done.")] * ROUNDS


def main() -> None:
    """Run it once, with the collector as the command line sets it."""
    collector.pause()
    script = [say("Ready."), *batch(f"{BLOCKS} > /dev/null"), *batch(BLOCKS), *batch(LINES)]
    with tempfile.TemporaryDirectory() as name, ScriptedServer(script) as server:
        asyncio.run(measure(Path(name), server.url))


if __name__ == "__main__":
    main()
