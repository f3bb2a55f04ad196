"""The batches of a session as they run, built from events: what the Runs panel and line mode show.

Must know no screen: times are Unix seconds as the events carry them, texts are plain and harmless.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine import events as ev
from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.footprint import ANYTHING
from hermes_tui.engine.messages import parse_arguments
from hermes_tui.text import harmless, one_line

PLANNED: Final = "planned"
RUNNING: Final = "running"

TELLING: Final = ("command", "pattern", "query", "url", "question", "path")
"""Argument names that say most about a call, best first; without one of them its first text says it."""

SAVED: Final = 0.05
"""Seconds saved from which it is worth saying."""

CALL_TEXT: Final = 256_000
"""Characters of one call's output that are kept for the reader."""
ALL_TEXT: Final = 8_000_000
"""Characters kept over all calls; the oldest are cut to OLD_TEXT first."""
OLD_TEXT: Final = 2_000


@dataclass(slots=True)
class Call:
    """One call of a batch."""

    id: str
    number: int
    """Its place in the batch, from 1, as in the reasons ("waits for #2")."""
    name: str
    main: str = ""
    """The argument that says most, on one line."""
    why: str = ""
    """Why it waits, in words; empty when it waits for nothing."""
    state: str = PLANNED
    """planned, running, or its outcome."""
    started: float | None = None
    ended: float | None = None
    text: str = ""
    """Its output so far, then its result."""
    last_line: str = ""
    printed: bool = False
    """It has shown output while it ran."""
    display: str = ""
    """Its result in a few words: "184 lines"."""
    writes: tuple[str, ...] = ()
    """The files it declared to write, as the user would write them."""
    anything: bool = False
    """Nobody knows which files it writes."""
    only_reads: bool = False
    """It changes nothing: it can be run again by a key."""
    arguments: Mapping[str, Any] | str = ""
    """Of a call that only reads and has started: what it was called with."""

    @property
    def over(self) -> bool:
        """Whether it has its outcome."""
        return self.state not in (PLANNED, RUNNING)

    def seconds(self, now: float) -> float | None:
        """Return how long it has run, or None if it never started."""
        if self.started is None:
            return None
        return max(0.0, (now if self.ended is None else self.ended) - self.started)


@dataclass(slots=True)
class Checkpoint:
    """A checkpoint that was made during a batch."""

    number: int
    label: str
    files: int
    seconds: float = 0.0
    """What saving took."""
    not_covered: tuple[str, ...] = ()
    """What it cannot bring back, "big.log (2.1 GB, …)", as far as none before it said so."""
    before: int = 0
    """The number of the call that it was made for, the first of them; 0: not known."""

    @property
    def saved(self) -> str:
        """Return what is safe: "3 files · 41 ms; not covered: big.log (2.1 GB, …)"."""
        count = "" if not self.files else "1 file · " if self.files == 1 else f"{self.files} files · "
        left_out = f"; not covered: {', '.join(self.not_covered)}" if self.not_covered else ""
        return f"{count}{duration(self.seconds)}{left_out}"


@dataclass(frozen=True, slots=True)
class Rollback:
    """A rollback."""

    number: int
    """The checkpoint it went back to."""
    saved_as: int
    """The checkpoint that holds what stood there before."""


@dataclass(slots=True)
class Batch:
    """One batch of calls."""

    number: int
    agent: str | None
    reason: str
    parallel: bool
    """At least two of its calls may run at the same time."""
    partly: bool
    """Some of them wait all the same."""
    planned: float
    calls: dict[str, Call] = field(default_factory=dict)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    rollbacks: list[Rollback] = field(default_factory=list)
    """What the user rolled back before the next batch."""
    ended: float | None = None
    seconds: float = 0.0
    serial_seconds: float = 0.0

    @property
    def mode(self) -> str:
        """Return how many calls and how: "3 side by side"."""
        count = len(self.calls)
        if count == 1:
            return "1 call"
        if not self.parallel:
            return f"{count} one after another"
        return f"{count} calls, side by side where they can" if self.partly else f"{count} side by side"

    @property
    def title(self) -> str:
        """Return how it runs and why, or how it ran: the head line of its block in a conversation."""
        if self.ended is None:
            return f"{self.mode} · {self.why}"
        marks = "".join(f" · ⚑ #{mark.number}" for mark in self.checkpoints)
        return f"{self.mode} · {self.timing(self.ended)}{marks}"

    def timing(self, now: float) -> str:
        """Return how long it has run or ran, and what one after another would have taken.

        Of calls that did not run to their end nobody knows how long they would have taken.
        """
        elapsed = duration(self.elapsed(now))
        whole = all(call.state in ("ok", "failed", "denied") for call in self.calls.values())
        if self.ended is not None and whole and self.serial_seconds - self.seconds >= SAVED:
            return f"{elapsed} instead of {duration(self.serial_seconds)}"
        return elapsed

    @property
    def why(self) -> str:
        """The reason without the word for the mode, which is said before it."""
        head, colon, rest = self.reason.partition(": ")
        return rest if colon and head in ("parallel", "serial") else self.reason

    @property
    def running(self) -> list[Call]:
        """The calls that run now."""
        return [call for call in self.calls.values() if call.state == RUNNING]

    def elapsed(self, now: float) -> float:
        """Return the seconds since it was planned, or its whole time."""
        return self.seconds if self.ended is not None else max(0.0, now - self.planned)

    def span(self, now: float) -> tuple[float, float]:
        """Return the time axis of its bars: the first start, and now or the last end."""
        starts = [call.started for call in self.calls.values() if call.started is not None]
        ends = [
            now if call.ended is None else call.ended
            for call in self.calls.values()
            if call.started is not None
        ]
        start = min(starts, default=self.planned)
        return start, max(ends, default=start)


class Runs:
    """All batches of the session, oldest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.batches: list[Batch] = []
        self._by_key: dict[tuple[str | None, int], Batch] = {}
        self._arguments: dict[str, dict[str, Any] | str] = {}
        self._texts: deque[Call] = deque()
        self._kept = 0

    def clear(self) -> None:
        """Forget every batch."""
        self.batches.clear()
        self._by_key.clear()
        self._texts.clear()
        self._kept = 0

    def current(self, agent: str | None = None) -> Batch | None:
        """Return the newest batch of an agent."""
        return next((batch for batch in reversed(self.batches) if batch.agent == agent), None)

    def running(self) -> Iterator[Call]:
        """Yield every call that runs now."""
        for batch in reversed(self.batches):
            if batch.ended is None:
                yield from batch.running

    def message(self, event: ev.MessageDone) -> None:
        """Remember the arguments of the calls to come: a plan does not repeat them."""
        self._arguments = {
            str(call["id"]): call.get("arguments", "") for call in event.message.get("calls") or ()
        }

    def planned(self, event: ev.BatchPlanned) -> Batch:
        """Take a plan."""
        plan = event.plan
        parallel, partly = bool(plan["parallel"]), any(item["after"] for item in plan["calls"])
        batch = Batch(
            event.batch, event.agent, one_line(str(plan["reason"]), 400), parallel, partly, event.time
        )
        for position, item in enumerate(plan["calls"]):
            call = Call(str(item["id"]), position + 1, one_line(str(item["name"]), 60))
            call.main = main_argument(self._arguments.get(call.id, {}), item, self._folder)
            call.why = one_line(str(item["reason"]), 300) if item["after"] else ""
            call.writes = tuple(_paths(item.get("writes") or (), self._folder))
            call.anything = ANYTHING in (item.get("writes") or ())
            call.only_reads = item.get("level") in ("safe", "scoped") and not item.get("writes")
            batch.calls[call.id] = call
        self.batches.append(batch)
        self._by_key[event.agent, event.batch] = batch
        return batch

    def find(self, event: ev.CallWaiting | ev.CallStarted | ev.CallOutput | ev.CallFinished) -> Call | None:
        """Return the call that an event speaks of."""
        batch = self._by_key.get((event.agent, event.batch))
        return batch.calls.get(event.id) if batch else None

    def waiting(self, event: ev.CallWaiting) -> Call | None:
        """Take why a call does not start yet."""
        if call := self.find(event):
            call.why = one_line(event.why, 300)
        return call

    def started(self, event: ev.CallStarted) -> Call | None:
        """Take that a call runs."""
        if call := self.find(event):
            call.state, call.started, call.why = RUNNING, event.time, ""
            call.main = call.main or main_argument(event.arguments, {}, self._folder)
            call.arguments = event.arguments if call.only_reads else ""
        return call

    def output(self, event: ev.CallOutput) -> Call | None:
        """Take a piece of live output."""
        if call := self.find(event):
            piece = harmless(event.text)
            self._keep(call, call.text + piece)
            call.printed = True
            lines = piece.rstrip().rsplit("\n", 1)
            call.last_line = one_line(lines[-1], 200) or call.last_line
        return call

    def finished(self, event: ev.CallFinished) -> Call | None:
        """Take a call's outcome."""
        if call := self.find(event):
            call.state, call.display = event.status, one_line(event.display, 120)
            call.ended = None if call.started is None else max(call.started, event.time)
            call.why = ""
            self._keep(call, harmless(event.content) or call.text)
        return call

    def batch_finished(self, event: ev.BatchFinished) -> Batch | None:
        """Take that a batch is over."""
        if batch := self._by_key.get((event.agent, event.batch)):
            batch.ended, batch.seconds, batch.serial_seconds = (
                event.time,
                event.seconds,
                event.serial_seconds,
            )
        return batch

    def checkpoint(self, event: ev.CheckpointMade) -> None:
        """Put a checkpoint's mark into the batch that made it."""
        if batch := self.current(event.agent):
            left_out = tuple(one_line(text, 200) for text in event.not_covered)
            label = one_line(event.label, 80)
            writing = (c.number for c in batch.calls.values() if not c.over and (c.writes or c.anything))
            made = Checkpoint(event.number, label, event.files, event.seconds, left_out, next(writing, 0))
            batch.checkpoints.append(made)

    def rolled_back(self, number: int, saved_as: int) -> None:
        """Take that the user rolled files back; before the first batch there is no place for it."""
        if self.batches:
            self.batches[-1].rollbacks.append(Rollback(number, saved_as))

    def _keep(self, call: Call, text: str) -> None:
        """Keep a call's text, and stay below the limit by cutting the oldest."""
        text = cut(text, CALL_TEXT)
        if not call.text and text:
            self._texts.append(call)
        self._kept += len(text) - len(call.text)
        call.text = text
        while self._kept > ALL_TEXT and len(self._texts) > 1:
            oldest = self._texts.popleft()
            short = cut(oldest.text, OLD_TEXT)
            self._kept -= len(oldest.text) - len(short)
            oldest.text = short


def cut(text: str, limit: int) -> str:
    """Return at most about `limit` characters of `text`: its head and its tail, and that some is left out."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n… the middle is not kept here …\n{text[-half:]}"


def main_argument(arguments: Mapping[str, Any] | str, item: Mapping[str, Any], folder: Path) -> str:
    """Return the argument that says most about a call, on one line.

    `arguments` is the object or the raw text; `item` the call's entry in the plan (it may be empty),
    whose paths stand in where the text has many lines.
    """
    if isinstance(arguments, str):
        try:
            arguments = parse_arguments(arguments)
        except BadArguments:
            return one_line(str(arguments), 200)
    texts = {key: value for key, value in arguments.items() if isinstance(value, str) and value.strip()}
    known = next((texts[key] for key in TELLING if key in texts), None)
    if known is None and (paths := _paths(item.get("writes") or item.get("reads") or (), folder)):
        return one_line(" ".join(paths), 200)
    best = known or next(iter(texts.values()), "")
    return one_line(best.strip(), 200)


def _paths(paths: Sequence[str], folder: Path) -> list[str]:
    """Return a plan's paths as the user would write them; without what is no path."""
    return [one_line(_relative(path, folder), 200) for path in paths if "/" in path]


def _relative(path: str, folder: Path) -> str:
    return str(Path(path).relative_to(folder)) if Path(path).is_relative_to(folder) else path


def duration(seconds: float) -> str:
    """Return a duration as short as it can be read: `8 ms`, `0.2 s`, `12 s`, `3:05`."""
    if seconds < 0.0995:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
