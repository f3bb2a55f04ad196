"""Sub-agents: each works on one task in a conversation of its own, for the call that started it.

What they do goes through the same slots, desk, held footprints and permissions as everything else; their
changes are in the checkpoint of the call that started them. A sub-agent has no sub-agents.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

from hermes_tui.engine.callstate import CallState, Outcome
from hermes_tui.engine.context import Meter
from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.events import (
    BatchPlanned,
    CheckpointMade,
    ContextChanged,
    Event,
    TextDelta,
    ThinkingDelta,
    TurnFinished,
    TurnStarted,
)
from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.history import History
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import Judged, judge
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.outbox import Out
from hermes_tui.engine.parts import NoRecorder, Options, Parts
from hermes_tui.engine.protocols import Checkpoints, OpenCheckpoint, Result
from hermes_tui.engine.shared import Shared
from hermes_tui.engine.state import Reason, Report, Task

ROLE: Final = (
    "You are a sub-agent: another agent gave you one task. You see nothing of its conversation and cannot "
    "ask anybody. Do the task with the tools, then answer with what you found or did: that is all it gets."
)

QUICKER: Final = 0.9
"""Its calls have this part of the grace to stop, so that its own call can still say what came of them."""

KEPT_BACK: Final = (TextDelta, ThinkingDelta, TurnStarted, TurnFinished, ContextChanged, CheckpointMade)
"""What would be taken for the session's own: its turns, its context, its checkpoint."""


class OneTurn(Protocol):
    """A turn, as far as a sub-agent needs it (`turn.Turn`)."""

    def run(self, prompt: str, token: Token) -> tuple[Reason, str | None]:
        """Run it to its end; return how it ended, and the error in one line."""

    def run_batch(self, judged: Sequence[Judged], token: Token) -> Sequence[Outcome]:
        """Run calls without asking the model; return how each ended."""

    def close(self) -> list[str]:
        """Take no more messages."""


NewTurn = Callable[[Parts, Options, Shared, History, Meter], OneTurn]
"""Makes a turn: handed down, because a turn's calls start the turns of sub-agents."""


@dataclass(frozen=True, slots=True)
class Parent:
    """The call that sub-agents work for."""

    state: CallState
    aside: Callable[[CallState], AbstractContextManager[Callable[[], None]]]
    """While the body waits: the call holds no slot (`dispatch.Running.aside`)."""
    checkpoint: Callable[[], OpenCheckpoint | None]
    """Opens the checkpoint of its group, once."""
    new_turn: NewTurn


class CallDelegates:
    """Implements `state.Delegates` and `state.Calls` for one call."""

    def __init__(self, parts: Parts, options: Options, shared: Shared, parent: Parent) -> None:
        self._parts = parts
        self._options = options
        self._shared = shared
        self._parent = parent
        self._called = 0

    def call(self, name: str, arguments: Mapping[str, Any]) -> Result:
        """Run one call within this one, through every layer. One at a time."""
        state = self._parent.state
        self._called += 1
        call = ToolCall(f"{state.call.id}.{self._called}", name, json.dumps(dict(arguments)))
        parts = self._own_parts()
        shared = self._shared.for_agent(state.call.id, _Relay(self._shared.outbox, state, 0), state.holder)
        options = self._own_options()
        turn = self._parent.new_turn(parts, options, shared, History([], NoRecorder()), Meter())
        judged = judge([call], parts.toolbox, self._options.folder)
        with self._parent.aside(state) as waiting:
            waiting()
            (outcome,) = turn.run_batch(judged, state.token.child())
        return Result(outcome.content, outcome.display, ok=outcome.status == "ok")

    def work(self, tasks: Sequence[Task]) -> list[Report]:
        """Run all tasks at once and wait for every one."""
        workers = [_Worker(self._agent(task, number), task) for number, task in enumerate(tasks, 1)]
        with self._parent.aside(self._parent.state) as waiting:
            waiting()
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        reports = [worker.report for worker in workers]
        if self._parent.state.token.is_set:
            raise Interrupted("\n\n".join(_told(*each) for each in enumerate(reports, 1)))
        return reports

    def _agent(self, task: Task, number: int) -> Callable[[], Report]:
        state = self._parent.state
        relay = _Relay(self._shared.outbox, state, number)
        history = History([], NoRecorder())
        parts, options = self._own_parts(), self._own_options()
        shared = self._shared.for_agent(state.call.id, relay, state.holder)

        def run() -> Report:
            turn = self._parent.new_turn(parts, options, shared, history, Meter(self._shared.meter))
            reason, error = turn.run(_prompt(task), state.token.child())
            turn.close()
            said = (message.content for message in reversed(history.messages) if message.role == "assistant")
            report = Report(reason, next(said, "").strip(), error or "")
            state.output(f"[{number}] {report.reason}\n")
            return report

        return run

    def _own_parts(self) -> Parts:
        """Return the parts of what runs within the call: fewer tools, its checkpoint, no record."""
        return replace(
            self._parts,
            toolbox=self._parts.toolbox.for_agents(),
            checkpoints=_Inside(self._parts.checkpoints, self._parent.checkpoint),
            system=lambda: f"{self._parts.system()}\n\n{ROLE}",
            recorder=NoRecorder(),
        )

    def _own_options(self) -> Options:
        """Return the settings of what runs within the call: a little quicker to give up than it."""
        return replace(
            self._options,
            step_limit=self._options.agent_steps,
            grace=self._options.grace * QUICKER,
            forced_grace=self._options.forced_grace * QUICKER,
            messages=(),
        )


class _Worker(threading.Thread):
    """One sub-agent's thread."""

    def __init__(self, run: Callable[[], Report], task: Task) -> None:
        super().__init__(name=f"agent {task.goal[:30]}", daemon=True)
        self._work = run
        self.report = Report("error", "", "it ended without a report")

    def run(self) -> None:
        """Work on the task."""
        self.report = self._work()


class _Relay:
    """Hands on what a sub-agent does, marked as its own; the call's live output says what it is at."""

    def __init__(self, out: Out, state: CallState, number: int) -> None:
        """`number`: which sub-agent it is, from 1; 0 for a call's own calls."""
        self._out = out
        self._state = state
        self._number = number

    def put(self, event: Event) -> None:
        """Hand an event on. Thread-safe."""
        if isinstance(event, KEPT_BACK):
            return
        event.agent = self._state.call.id
        if isinstance(event, BatchPlanned):
            names = ", ".join(str(call["name"]) for call in event.plan["calls"])
            self._state.output(f"[{self._number}] {names}\n" if self._number else f"→ {names}\n")
        self._out.put(event)


class _Inside:
    """Implements `protocols.Checkpoints`: everything belongs to the checkpoint of the parent's call."""

    def __init__(self, checkpoints: Checkpoints, parent: Callable[[], OpenCheckpoint | None]) -> None:
        self._checkpoints = checkpoints
        self._parent = parent

    def open(self, label: str, call: str) -> OpenCheckpoint | None:
        """Return the parent's checkpoint, which its own group closes."""
        checkpoint = self._parent()
        return None if checkpoint is None else _Kept(checkpoint)

    def uncovered(self, footprint: Footprint) -> Sequence[str]:
        """Say what no rollback would bring back."""
        return self._checkpoints.uncovered(footprint)


class _Kept:
    """An open checkpoint that somebody else closes."""

    def __init__(self, checkpoint: OpenCheckpoint) -> None:
        self._checkpoint = checkpoint

    @property
    def number(self) -> int:
        """Its number in the project."""
        return self._checkpoint.number

    def change(self, path: Path, after: bytes | None) -> AbstractContextManager[None]:
        """Journal one change."""
        return self._checkpoint.change(path, after)

    def scanned(self, call_id: str, footprint: Footprint) -> AbstractContextManager[None]:
        """Look at the tree before and after the body."""
        return self._checkpoint.scanned(call_id, footprint)

    def written(self, call_id: str) -> int:
        """The bytes that a scanned call wrote."""
        return self._checkpoint.written(call_id)

    def not_covered(self) -> Sequence[str]:
        """Return what it cannot bring back."""
        return self._checkpoint.not_covered()

    def close(self) -> int:
        """Leave it open."""
        return 0


def _prompt(task: Task) -> str:
    return f"{task.goal}\n\nWhat you should know:\n{task.context}" if task.context.strip() else task.goal


def _told(number: int, report: Report) -> str:
    return f"[{number}] {report.reason}: {report.text or report.error}".rstrip(": ")
