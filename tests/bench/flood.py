"""Does a flood of output hold the screen? `python -m tests.bench.flood`. Ratios within one run.

Eight commands print 100 MB in all through the real program, while the event loop of the real screen is
asked every 5 ms how late it is; the same without any command is what it is measured against.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hermes_tui.assemble import assemble
from hermes_tui.commands.registry import load
from hermes_tui.frontends.history import History
from hermes_tui.frontends.tui.app import HermesApp
from hermes_tui.start import Start
from tests.support.server import Call, ScriptedServer, calls, say

STEP = 0.005
COMMAND = "head -c 12500000 /dev/zero | tr '\\0' 'x' | fold -w 99"


async def lateness(until: Callable[[], bool]) -> list[float]:
    """Return how late each step of the loop came, in seconds, sorted."""
    late: list[float] = []
    while not until():
        begun = time.perf_counter()
        await asyncio.sleep(STEP)
        late.append(time.perf_counter() - begun - STEP)
    return sorted(late)


def told(name: str, late: list[float], seconds: float) -> None:
    p99 = late[int(len(late) * 0.99)]
    print(
        f"{name:<30} {seconds:5.1f} s   p99 {1000 * p99:6.1f} ms   worst {1000 * late[-1]:6.1f} ms",
        flush=True,
    )


async def measure(folder: Path, url: str) -> None:
    environ = {"HOME": str(folder), "HERMES_TUI_HOME": str(folder / "hermes"), "PATH": "/usr/bin:/bin"}
    flags = {"base_url": url, "model": "scripted-1", "permission": "all"}
    hermes = assemble(Start(folder, flags, environ=environ))
    hermes.commands, hermes.history = load(), History(folder / "history")
    app = HermesApp(hermes, None)
    async with app.run_test(size=(120, 32)) as pilot:
        while not app.connected:
            await pilot.pause(0.05)
        idle = time.perf_counter() + 3
        told("idle", await lateness(lambda: time.perf_counter() > idle), 3.0)
        app.enter("go")
        begun = time.perf_counter()
        told(
            "8 calls print 100 MB", await lateness(lambda: not hermes.agent.busy), time.perf_counter() - begun
        )
    hermes.close()


def main() -> None:
    """Run it once."""
    eight = [Call("terminal", {"command": COMMAND}) for _ in range(8)]
    with tempfile.TemporaryDirectory() as name, ScriptedServer([calls(*eight), say("Done.")]) as server:
        asyncio.run(measure(Path(name), server.url))


if __name__ == "__main__":
    main()
