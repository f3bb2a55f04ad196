"""The single entry of every call, in its own thread.

Layers, outermost first: plugin guards, permission, (slot, started), checkpoint, state injection, the tool.
Whatever happens inside becomes an outcome; it never knows a tool by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Final, Protocol

from hermes_tui.engine.callstate import CallState, Outcome
from hermes_tui.engine.delegates import CallDelegates, NewTurn, Parent
from hermes_tui.engine.door import Door
from hermes_tui.engine.errors import CheckpointError, HermesError, Interrupted
from hermes_tui.engine.events import Notice
from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.foreign import marked
from hermes_tui.engine.groups import Groups
from hermes_tui.engine.held import MOST_ABANDONED, Holder
from hermes_tui.engine.judge import one_line
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.permit import Permit, denied, unanswered
from hermes_tui.engine.plan import Plan
from hermes_tui.engine.protocols import OpenCheckpoint, Result, Tool
from hermes_tui.engine.questions import NOBODY, Ask
from hermes_tui.engine.shared import Shared
from hermes_tui.engine.shorten import capped
from hermes_tui.engine.state import Asker, Calls, Delegates, Question, Reply

LEAST_CAP: Final = 2_000
"""Characters of a result that the smallest context has room for."""


class Running(Protocol):
    """What dispatch asks of the batch a call belongs to."""

    groups: Groups

    def arrive(self, state: CallState) -> None:
        """Return when no earlier call is on its way any more."""

    def start(self, state: CallState) -> bool:
        """Mark a call started, in call order; False when it was stopped before."""

    def aside(self, state: CallState) -> AbstractContextManager[Callable[[], None]]:
        """While the body waits for somebody: no slot is held and the call's clock stands still.

        Calls come here in call order; what it gives lets those behind come, before the body has ended.
        """

    def skip_later(self, state: CallState) -> None:
        """Keep the later calls of the batch from starting."""


class Dispatcher:
    """Runs calls through all layers."""

    def __init__(self, parts: Parts, options: Options, shared: Shared, new_turn: NewTurn) -> None:
        self._parts = parts
        self._new_turn = new_turn
        self._options = options
        self._shared = shared
        self._permit = Permit(parts, options, shared)

    def groups(self, plan: Plan) -> Groups:
        """Return the checkpoints of a batch that is about to run."""
        return Groups(plan.calls, self._parts.checkpoints, self._shared, self._options.folder)

    def run(self, state: CallState, batch: Running) -> Outcome:
        """Return how the call ended. Raises nothing that a tool, a plugin or a part may raise."""
        try:
            outcome = self._run(state, batch)
        except Interrupted as stop:
            outcome = state.cancelled(stop.content) if state.has_started else state.not_started()
        except HermesError as error:
            outcome = failed(state, batch, str(error))
        except SystemExit:
            outcome = failed(state, batch, "the tool tried to end the program")
        except Exception as error:
            outcome = failed(state, batch, one_line(error))
        return replace(outcome, content=self._capped(outcome.content, state.call.id))

    def _capped(self, content: str, call_id: str) -> str:
        """Return a result that one request has room for; the whole of it is kept where it can be read."""
        cap, context = self._options.result_cap, self._options.context
        limit = min(cap, max(context, LEAST_CAP)) if context else cap  # about a quarter of the context
        return capped(content, limit, self._parts.keep_text, call_id)

    def _run(self, state: CallState, batch: Running) -> Outcome:
        judged = state.planned.judged
        if judged.tool is None or judged.arguments is None:
            return failed(state, batch, judged.failure or "this call cannot run")
        missing = judged.tool.missing()
        if missing is not None:
            return failed(state, batch, f"{judged.name} cannot work here: {missing}")
        cleared = self._permit.clear(state, judged.tool, batch.aside, batch.skip_later)
        if isinstance(cleared, Outcome):
            return cleared
        refused = self._hold(state, cleared, batch)
        if refused is not None:
            return refused
        if not batch.start(state):
            return state.not_started()
        return self._as_data(self._effect(state, judged.tool, cleared, batch), cleared)

    def _as_data(self, outcome: Outcome, footprint: Footprint) -> Outcome:
        """Return the outcome with what others wrote marked as data; remember for later questions who did."""
        sources = self._parts.foreign(footprint)
        self._shared.foreign.note(sources)
        return replace(outcome, content=marked(outcome.content, sources))

    def _hold(self, state: CallState, footprint: Footprint, batch: Running) -> Outcome | None:
        """Enter the table of held footprints, or return why the call cannot start."""
        held = self._shared.held
        batch.arrive(state)
        if footprint.holds_nothing:
            return None
        abandoned = held.abandoned()
        if len(abandoned) > MOST_ABANDONED:
            first = f"{abandoned[0].number} ({abandoned[0].who})"
            text = f"not started: {len(abandoned)} calls did not stop and may still be running: {first} …"
            return Outcome("not_started", text, "not started")
        holder = Holder(state.planned.number, state.who, footprint, self._shared.within)
        while not state.token.is_set:
            other = held.enter(holder)
            if other is None:
                state.holder = holder
                return None
            if other.abandoned:
                text = f"not started: {other.number} may still be {other.doing} ({other.who})"
                return Outcome("not_started", text, "not started")
            state.wait_for(f"waits for {other.number} ({other.who})")
            with batch.aside(state) as waiting:
                waiting()
                held.wait(other, state.token)
        return state.not_started()

    def _effect(self, state: CallState, tool: Tool, footprint: Footprint, batch: Running) -> Outcome:
        """Checkpoint, state injection, the tool."""
        checkpoint: OpenCheckpoint | None = None
        if footprint.may_write_files:
            try:
                checkpoint = batch.groups.open(state.planned)
            except CheckpointError as error:
                return failed(state, batch, f"no checkpoint could be made, so nothing was run: {error}")
        asker = _CallAsker(state, self._shared, batch)
        door = Door(
            id=state.call.id,
            folder=self._options.folder,
            token=state.token,
            footprint=footprint,
            disk=self._parts.disk,
            checkpoint=checkpoint,
            find=self._finder(state, batch, asker),
            show=state.output,
            weigh=self._shared.allowance.write,
        )
        try:
            result = self._call(state, tool, door)
        except Interrupted:
            if asker.ended is not None:
                return asker.ended
            raise
        if asker.ended is not None:
            return Outcome(asker.ended.status, result.content, result.display or asker.ended.display)
        return Outcome("ok" if result.ok else "failed", result.content, result.display)

    def _call(self, state: CallState, tool: Tool, door: Door) -> Result:
        """Run the tool, inside a look at the tree when only that tells what it changed."""
        result: Result | None = None
        try:
            with _scan(door, self._shared.allowance.wrote):
                door.token.raise_if_set()
                result = tool.run(state.planned.judged.arguments or {}, door)
        except CheckpointError as error:
            if result is None:
                raise
            which = f"{state.planned.number} ({state.who})"
            text = f"{which} ran, but not all it changed could be recorded for /rollback: {error}"
            self._shared.outbox.put(Notice(level="warning", text=text))
        return result

    def _finder(self, state: CallState, batch: Running, asker: _CallAsker) -> Callable[[type[Any]], Any]:
        """Return the look-up of state: the person and sub-agents for this call alone, the rest by session."""

        def checkpoint() -> OpenCheckpoint | None:
            return batch.groups.open(state.planned)

        parent = Parent(state, batch.aside, checkpoint, self._new_turn)
        agents = CallDelegates(self._parts, self._options, self._shared, parent)
        own = {Asker: asker, Delegates: agents, Calls: agents}
        objects: dict[type[Any], Any] = {**self._parts.state.objects, **own}
        return objects.get


class _CallAsker:
    """Implements `state.Asker` for one call."""

    def __init__(self, state: CallState, shared: Shared, batch: Running) -> None:
        self._state = state
        self._desk = shared.desk
        self._batch = batch
        self.ended: Outcome | None = None
        """How the call ends because its question got no answer, whatever the tool makes of it."""

    def ask(self, question: Question) -> Reply:
        """Ask and wait, without a slot; what comes later in the batch waits for an answer or never starts."""
        state = self._state
        ask = Ask("clarify", state.call.id, question.text, question.choices, question.multiple)
        state.wait_for("waits for your answer")
        with self._batch.aside(state) as asked:
            closing = self._desk.ask(ask, state.token, asked)
        if closing is None:
            raise Interrupted
        if closing.how == "answered":
            return Reply("answered", closing.answer)
        self._batch.skip_later(state)
        self.ended = denied(NOBODY) if closing.how == "refused" else unanswered(state)
        if state.token.is_set:
            raise Interrupted(self.ended.content)
        return Reply(closing.how, closing.answer)


def failed(state: CallState, batch: Running, text: str) -> Outcome:
    """Return the outcome of a call that began and failed; it begins here if it had not."""
    if not state.has_started and not batch.start(state):
        return state.not_started()
    return Outcome("failed", text, text.partition("\n")[0])


@contextmanager
def _scan(door: Door, wrote: Callable[[int], None]) -> Iterator[None]:
    """Look at the tree before and after the body, when only that tells what it changed, and how much."""
    if door.checkpoint is None or not door.footprint.needs_scan:
        yield
        return
    try:
        with door.checkpoint.scanned(door.id, door.footprint):
            yield
    finally:
        wrote(door.checkpoint.written(door.id))
