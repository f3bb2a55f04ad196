"""Measures the full screen, as ratios in one run: `python -m tests.bench.ui [part …]`.

Parts: start, memory, stream, open, keys, page, idle; without a name all of them. Each prints what was
measured, the goal, and whether it is met; the machine's load stands at the top, since it is part of the
figures. The exit code is 1 when a goal is missed.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import start, transcript
from tests.bench.pseudo import Pseudo
from tests.frontends.standin import StandIn, Turn
from tests.support.server import Call, ScriptedServer, calls, say
from tests.support.stored import store

ROOT = Path(__file__).parents[2]
GLYPHS = [chr(code) for code in range(0x4E00, 0x4E00 + 400)]
"""Characters that nothing else on the screen has."""
REHEARSAL = [sys.executable, "-m", "hermes_tui", "--provider", "rehearsal"]

missed: list[str] = []


def say_so(what: str, measured: float, goal: float, unit: str) -> None:
    """Print one figure beside its goal."""
    good = measured <= goal
    print(f"{'  ' if good else '✗ '}{what:<58} {measured:8.2f} {unit}  (goal {goal:g})", flush=True)
    if not good:
        missed.append(what)


@contextmanager
def home() -> Iterator[tuple[Path, dict[str, str]]]:
    """Give a project of a few files and an environment with an own home."""
    with TemporaryDirectory() as place:
        folder = Path(place, "shop")
        folder.mkdir()
        for name in ("one.py", "two.py", "three.py"):
            (folder / name).write_text("x = 1\n" * 50)
        environ = {
            **os.environ,
            "HERMES_TUI_HOME": f"{place}/home",
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
        }
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        yield folder, environ


def bench_start(rounds: int = 5) -> None:
    """The first frame, against the smallest app of the same layout."""
    base, ours = [], []
    with TemporaryDirectory() as place:
        for _ in range(rounds + 1):
            base.append(start.first_frame(*start.BASELINE, place))
            ours.append(start.first_frame(*start.PROGRAM, place))
    ratio = statistics.median(ours[1:]) / statistics.median(base[1:])
    say_so("first frame, against the baseline", ratio, 1.25, "×")


def bench_memory() -> None:
    """Memory at the prompt and after a turn."""
    with home() as (folder, environ), Pseudo(REHEARSAL, folder, environ) as program:
        program.until(b"rehearsal (no model)")
        program.quiet(1.5)
        say_so("memory at the prompt", program.megabytes, 60, "MB")
    answer = say(*(f"word{n} " for n in range(2_000)), "the end")
    reads = calls(*(Call("read_file", {"path": f"{name}.py"}) for name in ("one", "two", "three")))
    with ScriptedServer([reads, answer]) as server, home() as (folder, environ):
        words = [sys.executable, "-m", "hermes_tui", "--base-url", server.url, "--model", "m"]
        with Pseudo(words, folder, environ) as program:
            program.until(b"F1 help")
            program.quiet(0.5)
            program.send("go\r")
            program.until(b"the end")
            program.quiet(1.5)
            say_so("memory after a turn", program.megabytes, 100, "MB")


async def stream() -> None:
    """200 kB of Markdown at 500 deltas a second, as events, through the whole screen."""
    from hermes_tui.frontends.tui.app import HermesApp

    text = "".join(transcript.SECTION.format(n=n) for n in range(500))[:200_000]
    hermes = StandIn(ROOT)
    app = HermesApp(hermes, None)
    turn = Turn(hermes.agent)
    async with app.run_test(size=(120, 32)) as pilot:
        while not app.connected:
            await pilot.pause()
        memory = transcript.memory()
        turn.start()
        idle = await transcript.observed(asyncio.create_task(asyncio.sleep(2)))
        cpu, wall = time.process_time(), time.perf_counter()
        late = await transcript.observed(asyncio.create_task(feed(turn, text)))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(f"  loop idle       {idle}\n  loop streaming  {late}")
        say_so("streaming: event loop late, p99", late.p99, 15, "ms")
        say_so("streaming: event loop late, worst", late.worst, 100, "ms")
        say_so("streaming: of a core", 100 * cpu / wall, 50, "%")
        say_so("streaming: memory grows by", transcript.memory() - memory, 80, "MB")


async def feed(turn: Turn, text: str) -> None:
    """Put the text into the outbox, as `transcript.stream` puts it into the widget."""
    await transcript.paced(text, turn.text)
    turn.end()


def bench_open() -> None:
    """A session of 20 000 messages, against an empty start: until its last message is seen."""
    seconds: dict[bool, float] = {}
    megabytes: dict[bool, float] = {}
    for full in (False, True):
        with home() as (folder, environ):
            if full:
                turns = [(f"and now {n}", transcript.SECTION.format(n=n)) for n in range(10_000)]
                store(Path(environ["HERMES_TUI_HOME"]), folder.resolve(), [*turns, ("last", "LASTMESSAGE")])
            taken = []
            for _ in range(4):
                words = [*REHEARSAL, "--continue"] if full else REHEARSAL
                with Pseudo(words, folder, environ) as program:
                    program.until(b"LASTMESSAGE" if full else b"rehearsal (no model)")
                    taken.append(time.perf_counter() - program.begun)
                    program.quiet(2.0)
                    megabytes[full] = program.megabytes
            seconds[full] = statistics.median(taken[1:])
    say_so("opening 20 000 messages, against an empty start", seconds[True] / seconds[False], 1.5, "×")
    say_so("opening 20 000 messages, more memory", megabytes[True] - megabytes[False], 30, "MB")


def bench_keys(presses: int = 150) -> None:
    """Key to screen while eight calls run and one of them prints 100 000 lines."""
    flood = "for i in $(seq 1000); do seq -f 'line %.0f of a flood that goes on' 1 100; sleep 0.02; done"
    eight = [Call("terminal", {"command": flood}), *[Call("terminal", {"command": "sleep 30"})] * 7]
    with ScriptedServer([calls(*eight)], lenient=True) as server, home() as (folder, environ):
        words = [sys.executable, "-m", "hermes_tui", "--base-url", server.url, "--model", "m",
                 "--permission", "all"]  # fmt: skip
        with Pseudo(words, folder, environ) as program:
            program.until(b"F1 help")
            program.quiet(0.5)
            program.send("go\r")
            program.until(b"of a flood")
            taken = []
            for number in range(presses):
                program.send(GLYPHS[number])
                taken.append(1000 * program.until(GLYPHS[number].encode()))
                program.quiet_for(0.04)
    taken.sort()
    say_so("key to screen, 8 calls running, median", statistics.median(taken), 10, "ms")
    say_so("key to screen, 8 calls running, p95", taken[int(0.95 * len(taken))], 30, "ms")


def bench_page() -> None:
    """PageUp in a conversation of some length: until the last byte of the new page."""
    answer = say(*(f"{transcript.SECTION.format(n=n)}" for n in range(300)), "the end")
    with ScriptedServer([answer]) as server, home() as (folder, environ):
        words = [sys.executable, "-m", "hermes_tui", "--base-url", server.url, "--model", "m"]
        with Pseudo(words, folder, environ) as program:
            program.until(b"F1 help")
            program.quiet(0.5)
            program.send("go\r")
            program.until(b"the end")
            program.quiet(2.0)
            taken = []
            for _ in range(40):
                pressed = time.perf_counter()
                program.send("\x1b[5~")
                taken.append(1000 * (program.burst() - pressed))
                program.quiet(0.15)
    say_so("PageUp to the whole page, median", statistics.median(taken), 20, "ms")


def bench_idle(seconds: float = 6.0) -> None:
    """What it uses while nothing happens."""
    with home() as (folder, environ), Pseudo(REHEARSAL, folder, environ) as program:
        program.until(b"F1 help")
        program.quiet(2.5)
        cpu, begun = program.cpu, time.perf_counter()
        wrote = 0
        while time.perf_counter() - begun < seconds:
            wrote += len(program.read(0.5))
        used = 100 * (program.cpu - cpu) / (time.perf_counter() - begun)
        say_so("idle: of a core", used, 0.5, "%")
        say_so("idle: bytes written", wrote, 0, "B")


PARTS: dict[str, Callable[[], object]] = {
    "start": bench_start,
    "memory": bench_memory,
    "stream": lambda: asyncio.run(stream()),
    "open": bench_open,
    "keys": bench_keys,
    "page": bench_page,
    "idle": bench_idle,
}


def main() -> int:
    """Run the parts that were named, or all."""
    print(f"load {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
