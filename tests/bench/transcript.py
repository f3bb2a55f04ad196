"""Measures the transcript: `python -m tests.bench.transcript`. Ratios in one run, nothing asserted.

* the event loop's lateness while 200 kB of Markdown stream in as 10 000 deltas, against an idle loop;
* opening a session of 20 000 messages, against an empty start.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter, process_time, thread_time

import psutil
from textual.app import App, ComposeResult

from hermes_tui.frontends.tui.widgets.transcript import AnswerEntry, Entry, Transcript, UserEntry

SIZE = (120, 40)
DELTAS = 10_000
PER_SECOND = 500
SECTION = """## Section {n}

The loader in `loaders/csv.py` **closes** its file, see [the docs](https://example.org/{n}).
It reads {n} lines and then returns; nothing stays open after that, even when it raises.

```python
def load_{n}(path: str) -> list[str]:
    # closed on the way out
    with open(path) as handle:
        return [line.strip() for line in handle][:{n}]
```

1. first, *with emphasis*
2. second

| name | value |
|------|------:|
| a{n} | {n} |

"""


class Bench(App[None]):
    """Only the transcript, with what it opens with."""

    def __init__(self, entries: list[Entry]) -> None:
        super().__init__()
        self._entries = entries
        self.first_frame = 0.0

    def compose(self) -> ComposeResult:
        """Mount it."""
        yield Transcript()

    def on_mount(self) -> None:
        """Fill it before the first frame."""
        self.query_one(Transcript).load(self._entries)
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self.first_frame = perf_counter()


@dataclass
class Lateness:
    """How late a loop that wants to wake every 2 ms did, in ms."""

    samples: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    """What the loop itself computed in between, in ms: as late as it would be with a core of its own."""

    async def watch(self) -> None:
        """Sample until cancelled."""
        while True:
            due, computed = perf_counter() + 0.002, thread_time()
            await asyncio.sleep(0.002)
            self.samples.append((perf_counter() - due) * 1000)
            self.busy.append((thread_time() - computed) * 1000)

    @property
    def p99(self) -> float:
        """One sample in a hundred is later."""
        return quantiles(self.samples, n=100)[98]

    @property
    def worst(self) -> float:
        """The latest."""
        return max(self.samples)

    def __str__(self) -> str:
        own = f"its own work p99 {quantiles(self.busy, n=100)[98]:.2f}, worst {max(self.busy):.2f}"
        return f"median {median(self.samples):.2f}  p99 {self.p99:.2f}  worst {self.worst:.2f} ms ({own})"


async def observed(work: asyncio.Future[None] | asyncio.Task[None]) -> Lateness:
    """Watch the loop until `work` ends."""
    lateness = Lateness()
    watcher = asyncio.create_task(lateness.watch())
    await work
    watcher.cancel()
    return lateness


async def paced(text: str, take: Callable[[str], object]) -> None:
    """Give `take` the text as `DELTAS` deltas, `PER_SECOND` a second."""
    size = -(-len(text) // DELTAS)
    start = perf_counter()
    for number, at in enumerate(range(0, len(text), size)):
        take(text[at : at + size])
        if (ahead := start + number / PER_SECOND - perf_counter()) > 0:
            await asyncio.sleep(ahead)


async def stream(transcript: Transcript, text: str) -> None:
    """Feed the text to the widget alone."""
    await paced(text, transcript.answer_delta)
    transcript.close_answer()


def memory() -> float:
    """Return this process's resident memory in MB."""
    return float(psutil.Process().memory_info().rss) / 2**20


async def bench_stream() -> None:
    """Stream, and say how late the loop was."""
    text = "".join(SECTION.format(n=n) for n in range(500))[:200_000]
    app = Bench([])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        memory = psutil.Process().memory_info().rss
        idle = await observed(asyncio.create_task(asyncio.sleep(3)))
        cpu, wall = process_time(), perf_counter()
        busy = await observed(asyncio.create_task(stream(app.query_one(Transcript), text)))
        cpu, wall = process_time() - cpu, perf_counter() - wall
        memory = psutil.Process().memory_info().rss - memory
        print(f"loop idle       {idle}")
        print(f"loop streaming  {busy}   {cpu:.1f} s of CPU in {wall:.1f} s, +{memory / 2**20:.0f} MB")


async def start(entries: list[Entry]) -> tuple[float, float]:
    """Return seconds until the first frame and MB that the start took."""
    before, began = psutil.Process().memory_info().rss, perf_counter()
    app = Bench(entries)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        return app.first_frame - began, (psutil.Process().memory_info().rss - before) / 2**20


async def opening() -> tuple[float, float]:
    """Open a long session and an empty one in turn; return how many times longer, and how many MB more."""
    entries: list[Entry] = []
    for n in range(10_000):
        entries += [UserEntry(f"and now {n}, please"), AnswerEntry(SECTION.format(n=n))]
    empty, full = [], []
    for _ in range(5):
        empty.append(await start([]))
        full.append(await start(entries))
    seconds = median(one[0] for one in full) / median(one[0] for one in empty)
    return seconds, max(one[1] for one in full)


async def bench_open() -> None:
    """Say what opening a long session takes."""
    seconds, more = await opening()
    print(f"open 20 000     {seconds:.2f} × the empty start")
    print(f"                {more:.0f} MB at most for the widget and its entries' blocks")


if __name__ == "__main__":
    if "open" in sys.argv[1:] or len(sys.argv) == 1:
        asyncio.run(bench_open())
    if "stream" in sys.argv[1:] or len(sys.argv) == 1:
        asyncio.run(bench_stream())
