"""Measures the session store: `python -m tests.bench.sessions [messages]`. Nothing is asserted.

* append: an event that is safe before it is shown, beside the same call that records nothing;
* opening a session of 10 000 messages, beside an empty start;
* search over 100 000 messages (or the number given), beside reading them all once.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from hermes_tui.engine import events as ev
from hermes_tui.engine.history import History
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.frontends.tui import past
from hermes_tui.sessions import index
from hermes_tui.sessions.current import CurrentSession
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.rows import encode, row_of
from hermes_tui.sessions.search import Query

APPENDS = 2_000
OPENED = 10_000
SEARCHED = 100_000
ROUNDS = 7
QUERIES = (
    "the loader",
    "loader",
    "rare-needle",
    "数据库",
    "迁移",
    "load_users(",
    "th",
    "no such thing at all",
)


def milliseconds(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def session(folder: Path) -> CurrentSession:
    """A store in a folder."""
    place = (Path("/project"), Path("/project"))
    return CurrentSession(folder / "sessions.db", place, print)


def turns(current: CurrentSession, messages: int) -> Iterator[tuple[bool, float]]:
    """Record a session of so many messages; yield whether each step was an event, and how long it took."""
    recorder = current.recorder
    for number in range(messages // 4):
        for step in turn(number):
            is_event = isinstance(step, ev.Event)
            began = time.perf_counter()
            recorder.event(step) if isinstance(step, ev.Event) else recorder.message(step)
            yield is_event, (time.perf_counter() - began) * 1000


def turn(number: int) -> Iterator[Message | ev.Event]:
    """Yield a turn: a prompt, a call, its result, an answer."""
    call = ToolCall(f"c{number}", "read_file", f'{{"path": "src/file{number}.py"}}')
    row = {"id": call.id, "name": call.name, "after": [], "reason": "", "reads": [], "writes": []}
    plan = {"schedule": "batch", "parallel": False, "reason": "one call", "calls": [row]}
    result = f"{number}|def load_users(path):\n" * 20
    last = f"**Done** with {number}: it loads users."
    asked = {"role": "assistant", "content": "I read it.", "calls": [{"id": call.id, "arguments": "{}"}]}
    yield ev.TurnStarted(prompt=f"ask {number}", session="s", model="m")
    yield Message("user", f"ask {number}")
    yield Message("assistant", "I read it.", (call,))
    yield ev.MessageDone(message=asked)
    yield ev.BatchPlanned(batch=number + 1, plan=plan)
    yield ev.CallStarted(batch=number + 1, id=call.id, name=call.name, arguments={"path": "a"})
    yield ev.CallFinished(
        batch=number + 1, id=call.id, status="ok", content=result, display="20 lines", seconds=0.01
    )
    yield ev.BatchFinished(batch=number + 1, seconds=0.01, serial_seconds=0.01)
    yield Message("tool", result, call_id=call.id)
    yield Message("assistant", last)
    yield ev.MessageDone(message={"role": "assistant", "content": last, "calls": [], "reasoning": ""})
    yield ev.TurnFinished(reason="done", error=None)


def bench_append(folder: Path) -> None:
    """How long the engine waits for an event to be safe."""
    current = session(folder)
    took = [seconds for is_event, seconds in turns(current, APPENDS) if is_event]
    current.close(60)
    cuts = quantiles(took, n=100)
    print(f"append          median {median(took):.3f} ms  p99 {cuts[98]:.2f}  worst {max(took):.1f} ms")


def bench_open(folder: Path) -> None:
    """A session that is taken up, beside a new one: both as the program does it."""
    current = session(folder)
    for _ in turns(current, OPENED):
        pass
    current.close(60)
    indexed(Database(folder / "sessions.db"))
    rounds = [opened(folder) for _ in range(ROUNDS)]
    empty, taken, read, first, rest = (median(column) for column in zip(*rounds, strict=True))
    print(f"open {OPENED:,}     {taken - empty:.0f} ms more than an empty start until a prompt is answered,")
    print(f"                {read + first:.0f} ms more until its end is on the screen ({read:.0f} to read);")
    print(f"                {rest:.0f} ms in a thread until all of it can be scrolled to")


def opened(folder: Path) -> tuple[float, float, float, float, float]:
    """Return the milliseconds of an empty start, a resumed one, and what the screen then does."""
    project = Path("/project")
    empty = milliseconds(lambda: session(folder).go_on(False))
    again = session(folder)
    taken = milliseconds(lambda: History(again.go_on(True).messages, again.recorder))
    read = milliseconds(again.lines)
    lines = again.lines()
    start = past.newest(lines)
    first = milliseconds(lambda: past.entries(lines[start:], project))
    rest = milliseconds(lambda: past.entries(lines[:start], project))
    again.close(30)
    return empty, taken, read, first, rest


def fill(folder: Path, messages: int) -> Database:
    """A store of so many messages over 100 sessions, indexed."""
    file = Database(folder / "sessions.db")
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(5_000)]

    def rows() -> Iterator[tuple[object, ...]]:
        for number in range(messages):
            text = " ".join(["the loader", *chance.choices(words, k=40)])
            text += " 数据库迁移脚本" if number % 500 == 0 else ""
            text += " rare-needle load_users(path)" if number % 9_973 == 0 else ""
            when = time.time() - chance.random() * 1e7
            yield (f"s{number % 100}", number // 100, when, *row_of(Message("user", text)))

    def store(connection: object) -> None:
        for number in range(100):
            connection.execute(  # type: ignore[attr-defined]  # sqlite3 has one home, and it is not here
                "INSERT INTO sessions (id, project, folder, created, updated) VALUES (?, '/p', '/p', 0, 0)",
                (f"s{number}",),
            )
        connection.executemany(  # type: ignore[attr-defined]  # likewise
            "INSERT INTO messages (session, number, time, role, kind, content, call_id, extra, live, shown)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 1)",
            rows(),
        )

    file.write(store)
    return indexed(file)


def indexed(file: Database) -> Database:
    """Bring the index up to date, as it is when a session has been idle for a while."""
    while file.write(index.catch_up):
        pass
    return file


def bench_search(folder: Path, messages: int) -> None:
    """Each query, beside reading every message once."""
    began = time.perf_counter()
    file = fill(folder, messages)
    print(f"                (filled and indexed in {time.perf_counter() - began:.0f} s)")
    store = session(folder).store
    needle = encode("load_users(")
    every = "SELECT count(*) FROM messages WHERE instr(content, ?)"
    scan = median(
        milliseconds(lambda: file.read(lambda c: c.execute(every, (needle,)).fetchall())) for _ in range(3)
    )
    for query in QUERIES:
        asked = Query(query)
        took = [milliseconds(partial(store.search, asked)) for _ in range(ROUNDS)]
        ratio = scan / median(took)
        print(
            f"search {messages:,} {query!r:28} {median(took):6.1f} ms   {ratio:.0f} × as fast as reading all"
        )
    file.close()


def bench_instances(folder: Path) -> None:
    """Two processes that write 2 000 messages each, beside one alone."""
    code = (
        "import sys, pathlib; from tests.bench.sessions import session, turns\n"
        "current = session(pathlib.Path(sys.argv[1]))\n"
        "list(turns(current, 2_000)); current.close(60)"
    )

    def together(count: int) -> None:
        words = [sys.executable, "-c", code, str(folder)]
        for process in [subprocess.Popen(words) for _ in range(count)]:
            process.wait()

    alone = milliseconds(lambda: together(1))
    both = milliseconds(lambda: together(2))
    print(f"two instances   {both / alone:.2f} × one alone ({alone / 1000:.1f} s for 2 000 messages each)")


def main() -> None:
    """Run all, each in a folder of its own."""
    messages = int(sys.argv[1].replace("_", "")) if len(sys.argv) > 1 else SEARCHED
    for bench in (bench_append, bench_open, bench_instances, lambda folder: bench_search(folder, messages)):
        folder = Path(tempfile.mkdtemp(prefix="bench-sessions-"))
        try:
            bench(folder)
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
