"""What has happened so far to one call of a running batch. Each step happens once, whoever is first.

Decides nothing about order or permission.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, Literal

from hermes_tui.engine.events import CallFinished, CallOutput, CallStarted, CallWaiting
from hermes_tui.engine.held import Holder
from hermes_tui.engine.interrupt import BY_USER, Token
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.outbox import Out
from hermes_tui.engine.plan import PlannedCall

Status = Literal["ok", "failed", "denied", "not_started", "cancelled", "abandoned"]

STOPPED: Final = "stopped by the user"
"""The reason of a token by which one call was stopped alone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended, told truthfully (design.md 3.3)."""

    status: Status
    content: str
    """For the model."""
    display: str = ""
    """One line for the reader."""
    seconds: float = 0.0
    """Its own time; 0 for one that never started."""


class CallState:
    """One call of a running batch. Thread-safe."""

    def __init__(self, planned: PlannedCall, batch: int, token: Token, outbox: Out) -> None:
        self.planned = planned
        self.batch = batch
        self.token = token
        self.future: Future[None] = Future()
        """Done when its thread has ended, whatever was said of it before."""
        self.holder: Holder | None = None
        """What stands for it in the table of held footprints."""
        self.has_slot = False
        """Whether it holds one of the slots; `lose_slot` when it gives it back."""
        self.skipped = ""
        """Why it must not start although nobody interrupted it."""
        self._outbox = outbox
        self._lock = threading.Lock()
        self._outcome: Outcome | None = None
        self._started: float | None = None
        self._asking_since: float | None = None
        self._asked = 0.0
        self._told: float | None = None
        self._insisted: float | None = None

    @property
    def call(self) -> ToolCall:
        """The call as the model sent it."""
        return self.planned.judged.call

    @property
    def who(self) -> str:
        """Which call of that number it is, said beyond its batch."""
        return f"{self.planned.judged.name}, batch {self.batch}"

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it has not."""
        return self._outcome

    @property
    def has_started(self) -> bool:
        """Whether it began."""
        return self._started is not None

    @property
    def has_asked(self) -> bool:
        """Whether it asked a person, or is asking."""
        return self._asked > 0 or self._asking_since is not None

    # -- what happens to it ---------------------------------------------------------------------------

    def wait_for(self, why: str) -> None:
        """Say that it waits for something other than its plan."""
        with self._lock:
            if self._outcome is None:
                self._outbox.put(CallWaiting(batch=self.batch, id=self.call.id, why=why))

    def start(self) -> bool:
        """Mark it started, unless it was stopped before: the one moment an interrupt decides about."""
        with self.token.lock, self._lock:
            if self.token.is_set or self._outcome is not None:
                return False
            self._started = time.monotonic()
            arguments = self.planned.judged.arguments
            self._outbox.put(
                CallStarted(
                    batch=self.batch,
                    id=self.call.id,
                    name=self.planned.judged.name,
                    arguments=self.call.arguments if arguments is None else dict(arguments),
                )
            )
            return True

    def skip(self, why: str) -> None:
        """Keep it from starting; one that has started goes on."""
        with self.token.lock:
            if self._started is None and not self.token.is_set:
                self.skipped = why
                self.token.set(why)

    def output(self, text: str) -> None:
        """Show live output; nothing after the end."""
        with self._lock:
            if self._outcome is None and text:
                self._outbox.put(CallOutput(batch=self.batch, id=self.call.id, text=text))

    def finish(self, outcome: Outcome) -> bool:
        """Give it its outcome and report it at once; False if it has one."""
        with self._lock:
            if self._outcome is not None:
                return False
            seconds = 0.0 if self._started is None else time.monotonic() - self._started
            self._outcome = replace(outcome, seconds=seconds)
            self._outbox.put(
                CallFinished(
                    batch=self.batch,
                    id=self.call.id,
                    status=outcome.status,
                    content=outcome.content,
                    display=outcome.display,
                    seconds=seconds,
                )
            )
            return True

    def lose_slot(self) -> bool:
        """Note that its slot is given back; False if it had none, so that nobody gives it back twice."""
        with self._lock:
            had, self.has_slot = self.has_slot, False
            return had

    @contextmanager
    def asking(self) -> Iterator[None]:
        """A person is asked: the call's clock stands still."""
        since = self._asking_since = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._asked += time.monotonic() - since
                self._asking_since = None

    # -- its clocks, read by the engine thread --------------------------------------------------------

    def deadline(self, limit: float | None) -> float | None:
        """Return when (monotonic) it has run for `limit` seconds; None while the clock stands still."""
        with self._lock:
            if limit is None or self._started is None or self._asking_since is not None or self.token.is_set:
                return None
            return self._started + self._asked + limit

    def patience(self, grace: float, forced_grace: float) -> float | None:
        """Return when (monotonic) it is given up; None while it was not told to stop."""
        if not self.token.is_set:
            return None
        now = time.monotonic()
        self._told = now if self._told is None else self._told
        until = self._told + grace
        if self.token.forced:
            self._insisted = now if self._insisted is None else self._insisted
            until = min(until, self._insisted + forced_grace)
        return until

    # -- outcomes in words ----------------------------------------------------------------------------

    def not_started(self) -> Outcome:
        """The outcome of a call that was stopped before it began."""
        why = self.skipped or f"{self.token.reason or BY_USER} before it began"
        return Outcome("not_started", f"not started: {why}", "not started")

    def cancelled(self, content: str) -> Outcome:
        """The outcome of a call that the interrupt ended, with its output so far."""
        reason = self.token.reason
        said = reason if reason == STOPPED else "interrupted"
        mark = f"[{said}]" if reason in ("", BY_USER, STOPPED) else f"[interrupted: {reason}]"
        return Outcome("cancelled", f"{content.rstrip()}\n{mark}".lstrip("\n"), said)

    def abandoned(self) -> Outcome:
        """The outcome of a call that did not stop in time."""
        doing = self.holder.doing if self.holder else "running"
        text = (
            f"{self.token.reason or BY_USER}, and it did not stop: its outcome is unknown. "
            f"It may still be {doing}; check before you rely on it, and do not repeat it blindly."
        )
        return Outcome("abandoned", text, "outcome unknown")
