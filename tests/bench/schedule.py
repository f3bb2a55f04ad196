"""How much the engine adds to its calls: `python -m tests.bench.schedule`. Ratios within one run.

Tools are real threads that sleep or do nothing; no model, no network. Each line says what it may be.
"""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.events import (
    BatchFinished,
    BatchPlanned,
    CallFinished,
    CallStarted,
    TurnFinished,
    TurnStarted,
)
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.judge import judge
from hermes_tui.engine.plan import plan
from hermes_tui.engine.protocols import Call, Result
from tests.bench import commands
from tests.engine.around import Script, calls
from tests.engine.kit import World, world
from tests.engine.tools import Box, Plain, anything, ordinary, path_of, reads, touches_nothing


def sleeper(arguments: Mapping[str, Any], call: Call) -> Result:
    """Sleep like a command that stops at once when told."""
    try:
        call.token.future.result(float(arguments["seconds"]))
    except TimeoutError:
        return Result("slept", str(time.time()))
    raise Interrupted


def declared(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    """Write the path if one is given."""
    paths = (path_of(arguments, folder),) if "path" in arguments else ()
    return Footprint(Level.SCOPED, writes=paths)


SLEEP = Plain("nap", declared, sleeper)


def line(name: str, value: str, limit: str) -> None:
    print(f"{name:<58} {value:>12}   {limit}", flush=True)


# -- side by side --------------------------------------------------------------------------------------


def side_by_side(folder: Path) -> None:
    here = world(folder, *[calls(*[("nap", {"seconds": 0.5})] * 8)] * 5, tools=[SLEEP])
    here.turn()
    ratios = [event.seconds / 0.5 for event in here.of(BatchFinished)]
    line("8 calls of 0.5 s side by side / 0.5 s", f"{max(ratios):.3f}", "<= 1.06 (worst of 5)")


def critical_path(planned: BatchPlanned, seconds: list[float]) -> float:
    """Return what the plan takes if nothing costs anything: the longest chain of calls that wait."""
    ends: list[float] = []
    for own, item in zip(seconds, planned.plan["calls"], strict=True):
        ends.append(own + max((ends[before] for before in item["after"]), default=0.0))
    return max(ends)


def mixed_graph(folder: Path) -> None:
    """Twelve calls that write, read, touch nothing and, once, are undeclared."""
    names = ["nap", "look", "nap", "rest", "look", "nap", "look", "any", "nap", "rest", "look", "nap"]
    seconds = [0.1, 0.3, 0.2, 0.4, 0.2, 0.1, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2]
    batch = [
        (name, {"seconds": own, "path": f"f{index % 3}"})
        for index, (name, own) in enumerate(zip(names, seconds, strict=True))
    ]
    tools = [
        SLEEP,
        Plain("look", reads, sleeper),
        Plain("rest", touches_nothing, sleeper),
        Plain("any", anything, sleeper),
    ]
    here = world(folder, *[calls(*batch)] * 3, tools=tools, schedule="graph", max_parallel=12)
    here.turn()
    critical = critical_path(here.of(BatchPlanned)[0], seconds)
    assert critical < sum(seconds) / 2, "the batch shows nothing"
    worst = max(event.seconds for event in here.of(BatchFinished)) / critical
    line("a mixed batch of 12 in graph / its critical path", f"{worst:.3f}", "<= 1.08 (worst of 3)")


# -- what a call costs ---------------------------------------------------------------------------------


def overhead(folder: Path) -> None:
    for count in (1, 8, 64, 1000):
        here = world(folder, *[calls(*[("noop", {})] * count)] * 5)
        here.turn()
        seconds = here.of(TurnFinished)[0].time - here.of(TurnStarted)[0].time
        each = seconds / 5 / count * 1000
        line(f"a whole turn per trivial call, {count} in a batch", f"{each:.3f} ms", "<= 2 ms")
        here.agent.close()


def planning(folder: Path) -> None:
    box = Box(ordinary())
    for schedule in ("batch", "graph"):
        batch = calls(*[("edit", {"path": f"f{index}"}) for index in range(1000)]).calls
        began = time.perf_counter()
        plan(judge(batch, box, folder), schedule, folder)
        each = (time.perf_counter() - began) / 1000 * 1000
        line(f"judging and planning per call, 1000 edits, {schedule}", f"{each:.3f} ms", "<= 0.5 ms")


def report_delay(folder: Path) -> None:
    here = world(folder, *[calls(*[("nap", {"seconds": 0.02 * n}) for n in range(1, 9)])] * 20, tools=[SLEEP])
    here.turn()
    delays = [1000 * (event.time - float(event.display)) for event in here.of(CallFinished)]
    line("call_finished after the tool returned, median", f"{statistics.median(delays):.2f} ms", "")
    line("call_finished after the tool returned, worst of 160", f"{max(delays):.2f} ms", "<= 20 ms")


# -- interrupts ----------------------------------------------------------------------------------------


def interrupted(here: World) -> float:
    """Return the seconds from the interrupt to turn_finished; at least 8 calls run."""
    before = len(here.of(CallStarted))
    finished = len(here.of(TurnFinished))
    here.agent.submit("go")
    here.wait(CallStarted, before + 8)
    began = time.time()
    here.agent.interrupt()
    return here.wait(TurnFinished, finished + 1).time - began


def interrupts(folder: Path) -> None:
    quick = world(folder, *[calls(*[("nap", {"seconds": 60})] * 64)] * 20, tools=[SLEEP])
    worst = max(interrupted(quick) for _ in range(20))
    line("interrupt to turn_finished, 8 of 64 run and stop at once", f"{1000 * worst:.1f} ms", "<= 100 ms")
    let_go = threading.Event()

    def deaf(arguments: Mapping[str, Any], call: Call) -> Result:
        let_go.wait(60)
        return Result("late")

    stuck = world(folder, calls(*[("deaf", {})] * 64), tools=[Plain("deaf", touches_nothing, deaf)])
    line("interrupt to turn_finished, tools that never stop", f"{interrupted(stuck):.2f} s", "<= 3.3 s")
    let_go.set()


def late_starts(folder: Path) -> None:
    """Interrupt a batch of 64 at 200 different moments."""
    late = 0
    for attempt in range(200):
        here = world(folder, calls(*[("noop", {})] * 64))
        here.agent.submit("go")
        here.wait(CallStarted, attempt % 50 + 1)
        here.agent.interrupt()
        told = time.time()
        here.wait(TurnFinished)
        here.agent.close()
        late += sum(event.time > told for event in here.of(CallStarted))
    line("calls that began after the interrupt, 200 tries of 64", str(late), "0")


# -- memory --------------------------------------------------------------------------------------------


def memory(folder: Path) -> None:
    """Ten thousand batches of four calls, the conversation emptied every hundred."""
    here = world(folder, step_limit=1000)
    sizes: list[float] = []
    for _ in range(100):
        model = Script(*[calls(*[("noop", {})] * 4)] * 100)
        here.agent.set_provider(model)
        here.turn()
        here.events.clear()
        here.recorded.clear()
        emptied: Future[None] = here.agent.do(lambda: setattr(here.agent, "messages", []))
        emptied.result()
        gc.collect()
        sizes.append(resident())
    early, late = statistics.median(sizes[10:30]), statistics.median(sizes[-20:])
    line("memory after 10 000 batches / after 2 000", f"{late / early:.3f}", "<= 1.02 (flat)")


def resident() -> float:
    """Return this process's resident memory in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


MEASUREMENTS = (
    side_by_side, mixed_graph, planning, overhead, report_delay, interrupts, late_starts, memory
)  # fmt: skip


def main() -> None:
    """Run all measurements."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for measure in MEASUREMENTS:
            measure(folder)
    commands.main()


if __name__ == "__main__":
    main()
