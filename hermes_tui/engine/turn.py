"""One turn: ask the model, plan and run its calls, repeat until it stops.

Whatever happens, the conversation stays one that can go on: every call has its result, and what the model
said before it broke off is kept. Knows no provider, no tool and no screen.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final, Literal

from hermes_tui.engine.context import Meter
from hermes_tui.engine.dispatch import Dispatcher
from hermes_tui.engine.errors import HermesError, Interrupted
from hermes_tui.engine.events import (
    BatchPlanned,
    Event,
    MessageDone,
    Notice,
    TextDelta,
    ThinkingDelta,
    TurnStarted,
)
from hermes_tui.engine.execute import Batch
from hermes_tui.engine.footprint import Level
from hermes_tui.engine.history import History
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import Judged, judge, one_line
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.plan import plan
from hermes_tui.engine.protocols import Answer, Request
from hermes_tui.engine.shared import Shared

Reason = Literal["done", "interrupted", "limit", "error"]
End = tuple[Reason, str | None]
"""How a turn ended, and the error in one line."""

EMPTY_RETRIES: Final = 2
"""How often an empty answer is asked for again."""

MOST_REPEATS: Final = 3
"""How often in a row the model may send the same call that cannot run."""

STEERED: Final = "the user sent a new message first"


class Turn:
    """Runs one prompt. `run` belongs to the engine thread; `steer` and `stop` to anybody."""

    def __init__(
        self, parts: Parts, options: Options, shared: Shared, history: History, meter: Meter
    ) -> None:
        self._parts = parts
        self._provider = parts.provider  # it may be exchanged meanwhile: for the next turn
        self._options = options
        self._shared = shared
        self._history = history
        self._meter = meter
        self._dispatcher = Dispatcher(parts, options, shared)
        self._repeats: dict[tuple[str, str], int] = {}
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
        with self._lock:
            return self._batch is not None and self._batch.stop(call_id, force)

    # -- the engine thread ----------------------------------------------------------------------------

    def run(self, prompt: str, token: Token) -> End:
        """Run the turn to its end."""
        try:
            self._put(TurnStarted(prompt=prompt, session=self._options.session, model=self._provider.model))
            self._add_notes()
            self._history.add(Message("user", prompt))
            return self._steps(token)
        except (Exception, SystemExit) as error:
            return "error", str(error) if isinstance(error, HermesError) else one_line(error)

    def close(self) -> list[str]:
        """Take no more messages; return those that the model never got."""
        with self._lock:
            self._closed = True
            left, self._steers = self._steers, []
            return left

    def _steps(self, token: Token) -> End:
        for _ in range(self._options.step_limit):
            if token.is_set:
                return "interrupted", None
            answer = self._ask(token)
            if not isinstance(answer, Answer):
                return answer
            message = self._history.add_answer(answer.message)
            self._put(_done(message))
            if message.calls:
                repeated = self._run_calls(message.calls, token)
                if token.is_set:
                    return "interrupted", None
                if repeated:
                    return "limit", repeated
            elif self._is_over():
                return "done", None
            self._add_notes()
            self._add_steers()
        return "limit", f"stopped after {self._options.step_limit} batches; send a message to go on"

    # -- the model ------------------------------------------------------------------------------------

    def _ask(self, token: Token) -> Answer | End:
        """Ask the model, again if its answer is empty; what it said before it broke off is kept."""
        for _ in range(1 + EMPTY_RETRIES):
            sink = _Sink(self._shared)
            request = Request(self._parts.system(), self._history.valid(), self._parts.toolbox.schemas())
            try:
                answer = self._provider.answer(request, sink, token)
            except Interrupted as stop:
                self._keep(stop.content or sink.said)
                return "interrupted", None
            except HermesError as error:
                self._keep(sink.said)
                return "error", str(error)
            except Exception as error:
                self._keep(sink.said)
                return "error", f"the provider failed: {one_line(error)}"
            self._put(self._meter.count(request, answer, self._options.context))
            if answer.message.content.strip() or answer.message.calls:
                return answer
            if token.is_set:
                return "interrupted", None
        return (
            "error",
            f"the model sent an empty answer {1 + EMPTY_RETRIES} times; send a message to try again",
        )

    def _keep(self, text: str) -> None:
        if text.strip():
            self._put(_done(self._history.add_answer(Message("assistant", text))))

    # -- its calls ------------------------------------------------------------------------------------

    def _run_calls(self, calls: Sequence[ToolCall], token: Token) -> str | None:
        """Run a batch and add its results, in call order; return why the turn should end, or None."""
        judged = judge(calls, self._parts.toolbox, self._options.folder)
        planned = plan(judged, self._options.schedule, self._options.folder)
        number = next(self._shared.batches)
        self._put(BatchPlanned(batch=number, plan=planned.as_dict(with_ids=True)))
        self._shared.desk.begin(sum(call.footprint.level is Level.INTERACTIVE for call in judged))
        batch = Batch(planned, number, self._dispatcher, self._shared, self._options, token)
        with self._lock:
            self._batch = batch
            if self._steers:
                batch.skip(STEERED)
        outcomes = batch.run()
        with self._lock:
            self._batch = None
        for call, outcome in zip(calls, outcomes, strict=True):
            self._history.add(Message("tool", outcome.content, call_id=call.id))
        return self._repeated(judged)

    def _repeated(self, calls: Sequence[Judged]) -> str | None:
        """Return why to end when the model sends the same impossible call again and again."""
        bad = {(judged.name, judged.call.arguments): judged for judged in calls if judged.failure is not None}
        self._repeats = {key: self._repeats.get(key, 0) + 1 for key in bad}
        for key, count in self._repeats.items():
            if count > MOST_REPEATS:
                why = bad[key].failure
                return f"the model sent the same call {count} times in a row, and it cannot run: {why}"
        return None

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
            self._history.add(Message("user", text))

    def _add_notes(self) -> None:
        for note in self._shared.take_notes():
            self._history.add(Message("user", f"[note by the program, not by the user: {note}]"))

    def _put(self, event: Event) -> None:
        self._shared.outbox.put(event)


class _Sink:
    """Passes an answer on while it arrives, and remembers its text."""

    def __init__(self, shared: Shared) -> None:
        self._outbox = shared.outbox
        self._pieces: list[str] = []

    @property
    def said(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def text(self, piece: str) -> None:
        """Take a piece of the answer."""
        self._pieces.append(piece)
        self._outbox.put(TextDelta(text=piece))

    def thinking(self, piece: str) -> None:
        """Take a piece of the model's thinking."""
        self._outbox.put(ThinkingDelta(text=piece))

    def notice(self, level: str, text: str) -> None:
        """Tell the user something."""
        self._outbox.put(Notice(level=level, text=text))


def _done(message: Message) -> MessageDone:
    return MessageDone(
        message={
            "role": message.role,
            "content": message.content,
            "calls": [asdict(call) for call in message.calls],
            "reasoning": message.reasoning,
        }
    )
