"""What one turn may take: time, calls, money, output, disk. Counts, and says in one line when it is used up.

Shared by the turn and its sub-agents. A limit of 0 is none.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from hermes_tui.engine.callstate import Outcome
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import Judged

TICK: Final = 0.5
"""Seconds between two looks at the clock; what is waited for a person is not counted."""
MOST_REPEATS: Final = 3
"""How often in a row the model may send the same call that cannot run."""
HOW: Final = "send a message to go on, or raise {} in [limits] of config.toml"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one turn; 0: none."""

    turn_seconds: float = 0
    turn_calls: int = 0
    turn_cost: float = 0
    """Dollars, where prices are known."""
    turn_output: int = 0
    """Bytes of all results together."""
    turn_written: int = 0
    """Bytes that may be written: by file tools, and by commands as far as the checkpoint sees it."""
    same_call: int = 0
    """How often in a row the same call may have the same result."""


class Allowance:
    """What is left of one turn. Thread-safe."""

    def __init__(self, limits: Limits, paid: Callable[[], float | None], asking: Callable[[], bool]) -> None:
        """`paid`: what the turn has cost so far; `asking`: whether a person is waited for."""
        self._limits = limits
        self._paid = paid
        self._asking = asking
        self._lock = threading.Lock()
        self._calls = self._output = self._written = 0
        self._why: str | None = None

    def why(self) -> str | None:
        """Return why the turn has to end, with what to do; None while it may go on."""
        limits, paid = self._limits, self._paid()
        if limits.turn_cost and paid is not None and paid >= limits.turn_cost:
            self._end(f"this turn has cost ${paid:.2f}", "turn_cost")
        return self._why

    def take_calls(self, count: int) -> str | None:
        """Count calls that are about to run; return why they may not."""
        with self._lock:
            self._calls += count
            if self._limits.turn_calls and self._calls > self._limits.turn_calls:
                self._end(f"this turn has made {self._limits.turn_calls} calls", "turn_calls")
        return self.why()

    def take_output(self, outcomes: Sequence[Outcome]) -> None:
        """Count results."""
        with self._lock:
            self._output += sum(len(outcome.content.encode("utf-8", "replace")) for outcome in outcomes)
            if self._limits.turn_output and self._output > self._limits.turn_output:
                self._end(
                    f"the results of this turn are larger than {self._limits.turn_output} bytes",
                    "turn_output",
                )

    def write(self, size: int) -> None:
        """Count what a tool is about to write; `ToolError` when it may not."""
        with self._lock:
            if self._takes(size):
                raise ToolError(f"nothing was written: {self._why}")

    def wrote(self, size: int) -> None:
        """Count what a command has written: nobody knows that before, so it is the turn that ends."""
        with self._lock:
            self._takes(size)

    def _takes(self, size: int) -> bool:
        """Count bytes; whether they are too many."""
        self._written += size
        over = 0 < self._limits.turn_written < self._written
        if over:
            self._end(f"this turn wrote {self._limits.turn_written} bytes", "turn_written")
        return over

    @contextmanager
    def clock(self, token: Token) -> Iterator[None]:
        """Set the token once the time is used up, while the body runs."""
        over = threading.Event()
        if self._limits.turn_seconds:
            threading.Thread(target=self._watch, args=(token, over), name="turn clock", daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def _watch(self, token: Token, over: threading.Event) -> None:
        left, before = self._limits.turn_seconds, time.monotonic()
        while not over.wait(max(0.01, min(TICK, left))):
            now = time.monotonic()
            left -= 0 if self._asking() else now - before
            before = now
            if left <= 0:
                self._end(f"this turn has run for {self._limits.turn_seconds:g} s", "turn_seconds")
                token.set("the time of this turn is used up")
                return

    def _end(self, what: str, key: str) -> None:
        self._why = self._why or f"stopped: {what}; {HOW.format(key)}"


class Loops:
    """Notices calls that the model sends again and again, to no other end. Belongs to one turn's thread."""

    def __init__(self, most: int) -> None:
        """`most`: how often in a row a call may have the same result; 0: any."""
        self._most = most
        self._bad: dict[tuple[str, str], int] = {}
        self._same: dict[tuple[str, str, str], int] = {}

    def why(self, calls: Sequence[Judged], outcomes: Sequence[Outcome]) -> str | None:
        """Return why to end after this batch, or None."""
        bad = {(judged.name, judged.call.arguments): judged for judged in calls if judged.failure is not None}
        self._bad = {key: self._bad.get(key, 0) + 1 for key in bad}
        for key, count in self._bad.items():
            if count > MOST_REPEATS:
                why = bad[key].failure
                return f"the model sent the same call {count} times in a row, and it cannot run: {why}"
        pairs = zip(calls, outcomes, strict=True)
        same = {(judged.name, judged.call.arguments, outcome.content) for judged, outcome in pairs}
        self._same = {key: self._same.get(key, 0) + 1 for key in same}
        for (name, _, _), count in self._same.items():
            if self._most and count >= self._most:
                return (
                    f"the model sent the same {name} call {count} times in a row, with the same result; "
                    "tell it what to do instead"
                )
        return None
