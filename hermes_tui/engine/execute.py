"""Runs one planned batch: daemon worker threads, an interruptible wait, a truthful outcome for each call.

A call starts when all it waits for have ended. One failure never stops a sibling; what has not started
when the stop comes never starts; what does not stop in time is given up, not killed and not waited for.
Knows nothing of permissions, checkpoints or tools: that is `dispatch.py`.
"""

from __future__ import annotations

import concurrent.futures
import heapq
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Final

from hermes_tui.engine.callstate import STOPPED, CallState, Outcome
from hermes_tui.engine.dispatch import Dispatcher
from hermes_tui.engine.events import BatchFinished, Heartbeat, Notice
from hermes_tui.engine.groups import Groups
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.parts import Options
from hermes_tui.engine.plan import Plan
from hermes_tui.engine.shared import Shared
from hermes_tui.engine.slots import Bell, Gate

BEAT: Final = 5.0
"""Seconds between heartbeats."""

UNANSWERED: Final = "a question before it ended without an answer"


class Batch:
    """One batch while it runs. `run` belongs to the engine thread; the rest is thread-safe."""

    def __init__(
        self, plan: Plan, number: int, dispatcher: Dispatcher, shared: Shared, options: Options, token: Token
    ) -> None:
        self.groups: Groups = dispatcher.groups(plan)
        self._plan = plan
        self._number = number
        self._dispatcher = dispatcher
        self._shared = shared
        self._options = options
        self._token = token
        self._bell = Bell()
        self._gate = Gate()
        self._states = [CallState(call, number, token.child(), shared.outbox) for call in plan.calls]
        self._missing = [len(call.after) for call in plan.calls]
        self._behind: list[list[int]] = [[] for _ in plan.calls]
        for call in plan.calls:
            for earlier in call.after:
                self._behind[earlier].append(call.index)
        self._ready = [call.index for call in plan.calls if not call.after]
        self._waiting = set(range(len(plan.calls)))
        """The calls that have no thread yet."""
        self._live: dict[Future[None], CallState] = {}
        """Those that have one, until it ends or is given up."""
        self._fresh = list(self._ready)
        """Those that became ready since it was last said who waits for a slot."""
        self._dirty = False
        """Whether calls were stopped since the engine thread looked."""

    # -- from any thread ------------------------------------------------------------------------------

    def stop(self, call_id: str, force: bool) -> bool:
        """Stop one call alone; False when it has ended or is not here."""
        for state in self._states:
            if state.call.id == call_id and state.outcome is None:
                if force:
                    state.token.force(STOPPED)
                else:
                    state.token.set(STOPPED)
                self._stopped()
                return True
        return False

    def skip(self, why: str, after: int = -1) -> None:
        """Keep every call behind number `after` that has not started from starting."""
        for state in self._states[after + 1 :]:
            state.skip(why)
        self._stopped()

    def _stopped(self) -> None:
        self._dirty = True
        self._bell.ring()

    # -- from the calls' threads ----------------------------------------------------------------------

    def arrive(self, state: CallState) -> None:
        """Wait until no earlier call is on its way: footprints are held in call order, too."""
        self._gate.wait(state.planned.index)

    def start(self, state: CallState) -> bool:
        """Mark a call started, in call order; False when it was stopped before."""
        self.arrive(state)
        try:
            return state.start()
        finally:
            self._gate.leave(state.planned.index)
            if self._options.deadline is not None:
                self._bell.ring()  # the engine thread has one more moment to wake at

    @contextmanager
    def aside(self, state: CallState) -> Iterator[Callable[[], None]]:
        """While the body waits for somebody: no slot is held and the call's clock stands still.

        It begins in call order; the body calls what it is given once those behind may come.
        """
        index = state.planned.index
        self.arrive(state)
        with state.asking():
            self._give_slot(state)
            try:
                yield lambda: self._gate.leave(index)
            finally:
                self._gate.leave(index)
            state.has_slot = self._shared.slots.retake(state.token)
        self._bell.ring()

    def skip_later(self, state: CallState) -> None:
        """Keep the calls behind this one from starting: its question ended without an answer."""
        self.skip(UNANSWERED, state.planned.index)

    def _work(self, state: CallState) -> None:
        outcome = Outcome("failed", "the call ended without a result")
        try:
            outcome = self._dispatcher.run(state, self)
        finally:
            # whatever broke: who waits must not wait for ever
            try:
                self._end(state, outcome)
            finally:
                state.future.set_result(None)

    def _end(self, state: CallState, outcome: Outcome) -> None:
        if state.holder is not None:
            self._shared.held.leave(state.holder)
        in_time = state.finish(outcome)
        self._gate.leave(state.planned.index)
        self._give_slot(state)
        self.groups.ended(state.planned)
        if not in_time and state.has_started:
            self._tell_late(state, outcome)

    def _tell_late(self, state: CallState, outcome: Outcome) -> None:
        """An abandoned call has ended: tell the user and the model what came of it."""
        first = outcome.content.strip().partition("\n")[0][:200]
        text = f"{state.planned.number} ({state.who}) has ended after all: {outcome.status}: {first}"
        self._shared.outbox.put(Notice(level="warning", text=text))
        self._shared.notes.put(text)

    def _give_slot(self, state: CallState) -> None:
        if state.lose_slot():
            self._shared.slots.give()

    # -- the engine thread ----------------------------------------------------------------------------

    def run(self) -> list[Outcome]:
        """Run all calls; return one outcome for each, in call order."""
        began = time.monotonic()
        next_beat = began + BEAT
        with self._shared.slots.listening(self._bell.ring):
            while True:
                self._drop_stopped()
                self._launch()
                if not (self._waiting or self._live):
                    break
                self._sleep(next_beat)
                self._collect()
                self._stop_overdue()
                self._give_up()
                if (late := time.monotonic() - next_beat) >= 0:
                    next_beat += BEAT * (1 + late // BEAT)
                    self._beat()
        outcomes = [state.outcome or state.not_started() for state in self._states]
        self._shared.outbox.put(
            BatchFinished(
                batch=self._number,
                seconds=time.monotonic() - began,
                serial_seconds=sum(outcome.seconds for outcome in outcomes),
            )
        )
        return outcomes

    def _drop_stopped(self) -> None:
        """End the calls that were stopped before they had a thread."""
        if not (self._dirty or self._token.is_set):
            return
        self._dirty = False
        for index in sorted(self._waiting):
            state = self._states[index]
            if state.token.is_set:
                self._waiting.discard(index)
                state.finish(state.not_started())
                self.groups.ended(state.planned)
                self._release(index)

    def _launch(self) -> None:
        """Give a thread to each call that waits for nobody, in call order, while there are slots."""
        while self._ready:
            index = self._ready[0]
            if index in self._waiting and not self._shared.slots.try_take():
                self._announce()
                return
            heapq.heappop(self._ready)
            if index not in self._waiting:
                continue
            self._waiting.discard(index)
            state = self._states[index]
            state.has_slot = True
            self._live[state.future] = state
            self._gate.join(index)
            name = f"call {state.call.id}"
            threading.Thread(target=self._work, args=(state,), name=name, daemon=True).start()

    def _announce(self) -> None:
        """Say once of each call that is ready that it waits for a slot."""
        for index in self._fresh:
            if index in self._waiting:
                self._states[index].wait_for("waits for a free slot")
        self._fresh.clear()

    def _sleep(self, next_beat: float) -> None:
        """Wait for a result, an interrupt, the bell, or the next moment that something is due."""
        waits: set[Future[Any]] = {*self._live, self._bell.future}
        # a future that is done would end every wait at once: 377 000 rounds a second
        if not self._token.is_set:
            waits.add(self._token.future)
        elif not self._token.forced:
            waits.add(self._token.hurry)
        due = [next_beat]
        for state in self._live.values():
            moment = state.deadline(self._options.deadline)
            due += [] if moment is None else [moment]
            moment = self._patience(state)
            due += [] if moment is None else [moment]
        timeout = max(0.0, min(due) - time.monotonic())
        concurrent.futures.wait(waits, timeout, concurrent.futures.FIRST_COMPLETED)
        self._bell.reset()

    def _collect(self) -> None:
        for future in [future for future in self._live if future.done()]:
            self._release(self._live.pop(future).planned.index)

    def _release(self, index: int) -> None:
        """A call has ended: those behind it may be ready now."""
        for later in self._behind[index]:
            self._missing[later] -= 1
            if not self._missing[later]:
                heapq.heappush(self._ready, later)
                self._fresh.append(later)

    def _stop_overdue(self) -> None:
        limit = self._options.deadline
        for state in self._live.values():
            moment = state.deadline(limit)
            if moment is not None and moment <= time.monotonic():
                state.token.set(f"stopped: it ran longer than {limit:g} s")

    def _give_up(self) -> None:
        """Let go of calls that were told to stop and did not."""
        for future, state in list(self._live.items()):
            patience = self._patience(state)
            if patience is None:
                continue
            if not (state.has_started or state.has_asked):
                self._let_go(future, state, state.not_started())  # it cannot start any more
            elif patience <= time.monotonic():
                self._let_go(future, state, state.abandoned() if state.has_started else state.not_started())

    def _let_go(self, future: Future[None], state: CallState, outcome: Outcome) -> None:
        if not state.finish(outcome):
            return  # it has just ended by itself
        if state.holder is not None:
            self._shared.held.abandon(state.holder)
        del self._live[future]
        self._gate.leave(state.planned.index)
        self._give_slot(state)
        self._release(state.planned.index)

    def _patience(self, state: CallState) -> float | None:
        return state.patience(self._options.grace, self._options.forced_grace)

    def _beat(self) -> None:
        running = [state.call.id for state in self._live.values() if state.has_started]
        if running:
            self._shared.outbox.put(Heartbeat(running=running))
