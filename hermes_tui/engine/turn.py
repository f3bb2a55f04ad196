"""One turn: ask the model, plan and run its calls, repeat until it stops.

Whatever happens, the conversation stays one that can go on: every call has its result, and what the model
said before it broke off is kept. Knows no provider, no tool and no screen.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from hermes_tui.engine.allowance import Allowance, Loops
from hermes_tui.engine.callstate import Outcome
from hermes_tui.engine.context import Meter
from hermes_tui.engine.dispatch import Dispatcher
from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.events import COMPACT, BatchPlanned, Event, Notice, TurnStarted
from hermes_tui.engine.events import STEERED as STEERED_NOTICE
from hermes_tui.engine.execute import Batch
from hermes_tui.engine.footprint import Level
from hermes_tui.engine.history import History
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import Judged, judge, one_line
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.plan import plan
from hermes_tui.engine.protocols import Answer
from hermes_tui.engine.recall import SOURCE, told
from hermes_tui.engine.requests import End, Requests, done
from hermes_tui.engine.shared import Shared

STEERED: Final = "the user sent a new message first"


class Turn:
    """Runs one prompt. `run` belongs to the engine thread; `steer` and `stop` to anybody."""

    def __init__(
        self, parts: Parts, options: Options, shared: Shared, history: History, meter: Meter
    ) -> None:
        self._parts = parts
        self._options = options
        self._shared = shared
        self._history = history
        self._requests = Requests(parts, options, shared, history, meter)
        self._dispatcher = Dispatcher(parts, options, shared, Turn)
        self._loops = Loops(options.limits.same_call)
        self._lock = threading.Lock()
        self._steers: list[str] = []
        self._batch: Batch | None = None
        self._closed = False

    # -- from any thread ------------------------------------------------------------------------------

    def steer(self, text: str) -> bool:
        """Give the model a message at the next batch boundary; False when the turn is over."""
        with self._lock:
            if self._closed:
                return False
            self._steers.append(text)
            if self._batch is not None:
                self._batch.skip(STEERED)
            return True

    def stop(self, call_id: str, force: bool) -> bool:
        """Stop one call alone; the turn goes on. False when it does not run."""
        return self._shared.running.stop(call_id, force)

    # -- the engine thread ----------------------------------------------------------------------------

    def run(self, prompt: str, token: Token) -> End:
        """Run the turn to its end."""
        try:
            self._put(TurnStarted(prompt=prompt, session=self._options.session, model=self._requests.model))
            self._add_notes()
            if self._shared.agent is not None:
                self._history.add(Message("user", prompt))
                return self._steps(token)
            self._shared.foreign.begin()
            self._add_remembered(prompt, token)
            self._history.add(Message("user", prompt, images=tuple(self._parts.images(prompt))))
            return self._kept(prompt, self._limited(token))
        except (Exception, SystemExit) as error:
            return "error", str(error) if isinstance(error, HermesError) else one_line(error)

    def compact(self, focus: str, token: Token) -> End:
        """Compact the conversation because the user wants it: a turn without an answer."""
        prompt = f"{COMPACT} {focus}".rstrip()
        self._put(TurnStarted(prompt=prompt, session=self._options.session, model=self._requests.model))
        return self._requests.compact(focus, token)

    def again(self, call: ToolCall, token: Token) -> End:
        """Run a call that only reads once more, for the user alone: the model learns nothing of it."""
        prompt = f"/again {call.name}"
        self._put(TurnStarted(prompt=prompt, session=self._options.session, model=self._requests.model))
        try:
            judged = judge([call], self._parts.toolbox, self._options.folder)
            if not judged[0].only_reads:
                return "error", f"{call.name} cannot be run again by a key: it may change something"
            self.run_batch(judged, token)
        except (Exception, SystemExit) as error:
            return "error", str(error) if isinstance(error, HermesError) else one_line(error)
        return ("interrupted" if token.is_set else "done"), None

    def close(self) -> list[str]:
        """Take no more messages; return those that the model never got."""
        with self._lock:
            self._closed = True
            left, self._steers = self._steers, []
            return left

    def _limited(self, token: Token) -> End:
        """Take the steps within what a turn may take, its sub-agents included."""
        shared = self._shared
        allowance = Allowance(
            self._options.limits, lambda: shared.meter.turn.cost, lambda: shared.desk.is_asking
        )
        shared.allowance = allowance
        with allowance.clock(token):
            reason, error = self._steps(token)
        why = allowance.why() if reason == "interrupted" else None
        return ("limit", why) if why else (reason, error)

    def _steps(self, token: Token) -> End:
        for _ in range(self._options.step_limit):
            if token.is_set:
                return "interrupted", None
            answer = self._requests.answer(token)
            if not isinstance(answer, Answer):
                return answer
            message = self._history.add_answer(answer.message)
            self._put(done(message))
            if message.calls:
                repeated = self._run_calls(message.calls, token)
                if token.is_set:
                    return "interrupted", None
                if repeated or (repeated := self._shared.allowance.why()):
                    return "limit", repeated
            elif self._is_over():
                return "done", None
            self._add_notes()
            self._add_steers()
        return "limit", f"stopped after {self._options.step_limit} batches; send a message to go on"

    # -- its calls ------------------------------------------------------------------------------------

    def _run_calls(self, calls: Sequence[ToolCall], token: Token) -> str | None:
        """Run a batch and add its results, in call order; return why the turn should end, or None."""
        judged = judge(calls, self._parts.toolbox, self._options.folder)
        outcomes = self.run_batch(judged, token)
        for call, outcome in zip(calls, outcomes, strict=True):
            self._history.add(Message("tool", outcome.content, call_id=call.id))
        return self._loops.why(judged, outcomes)

    def run_batch(self, judged: Sequence[Judged], token: Token) -> Sequence[Outcome]:
        """Plan a batch, run it, and return the outcomes in call order. Also for calls within a call."""
        planned = plan(judged, self._options.schedule, self._options.folder)
        number = next(self._shared.batches)
        self._put(BatchPlanned(batch=number, plan=planned.as_dict(with_ids=True)))
        if self._shared.agent is None:
            self._shared.desk.begin(sum(call.footprint.level is Level.INTERACTIVE for call in judged))
        batch = Batch(planned, number, self._dispatcher, self._shared, self._options, token)
        if refused := self._shared.allowance.take_calls(len(judged)):
            batch.skip(refused)
        with self._lock:
            self._batch = batch
            if self._steers:
                batch.skip(STEERED)
        with self._shared.running.during(batch):
            outcomes = batch.run()
        self._shared.allowance.take_output(outcomes)
        self._shared.foreign.given()
        with self._lock:
            self._batch = None
        return outcomes

    # -- what else the model gets ---------------------------------------------------------------------

    def _is_over(self) -> bool:
        """End the turn, unless the user has sent something meanwhile."""
        with self._lock:
            self._closed = not self._steers
            return self._closed

    def _add_steers(self) -> None:
        with self._lock:
            steers, self._steers = self._steers, []
        for text in steers:
            self._history.add(Message("user", text, kind="steer"))
            self._put(Notice(level=STEERED_NOTICE, text=text))

    def _add_notes(self) -> None:
        own = self._shared.agent is None  # a sub-agent neither takes the session's news nor shows pictures
        for note in (*(self._parts.news() if own else ()), *self._shared.take_notes()):
            text = f"[note by the program, not by the user: {note}]"
            self._history.add(Message("user", text, kind="note"))

    def _add_remembered(self, prompt: str, token: Token) -> None:
        """Give the model what earlier sessions said that is near to the prompt, marked as data."""
        turns = self._parts.memory.before(prompt, self._options.session, token)
        if turns:
            self._history.add(Message("user", f"{told(turns)}\n[end of {SOURCE}]", kind="note"))
            self._shared.foreign.note([SOURCE])
            self._shared.foreign.given()
            found = f"{len(turns)} earlier turn{'s' * (len(turns) != 1)}"
            self._put(Notice(level="info", text=f"{SOURCE}: the model is told of {found} · /memory"))

    def _kept(self, prompt: str, end: End) -> End:
        """Let external memory keep the turn, if it is done."""
        if end[0] == "done":
            self._parts.memory.after(prompt, self._history.messages[-1].content, self._options.session)
        return end

    def _put(self, event: Event) -> None:
        self._shared.outbox.put(event)
