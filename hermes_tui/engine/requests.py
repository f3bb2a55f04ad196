"""Asks the model for one answer: a valid request that fits, again if the answer is empty, once smaller.

What the model said before it broke off is kept and marked, and never asked for again. Knows no provider;
runs no calls.
"""

from __future__ import annotations

from typing import Any, Final

from hermes_tui.engine.compact import Compactor, Job
from hermes_tui.engine.context import Meter, estimate, weight
from hermes_tui.engine.errors import ContextTooLong, HermesError, Interrupted, ProviderError
from hermes_tui.engine.events import MessageDone, Notice, TextDelta, ThinkingDelta
from hermes_tui.engine.history import History
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import one_line
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.engine.outbox import Out
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.protocols import Answer, Provider, Request, Sink
from hermes_tui.engine.shared import Shared
from hermes_tui.engine.state import Reason

End = tuple[Reason, str | None]
"""How a turn ended, and the error in one line."""

EMPTY_RETRIES: Final = 2
"""How often an empty answer is asked for again."""
GOAL: Final = 0.5
"""The part of the context that a compacted conversation may fill."""
GROWN: Final = 0.1
"""The part of the context by which a conversation that would not get smaller grows before the next try."""
STILL_TOO_LONG: Final = (
    "it does not fit, even compacted; /clear starts a new conversation, /model takes a model that holds more"
)


class Requests:
    """Asks for the answers of one turn. Belongs to the engine thread."""

    def __init__(
        self, parts: Parts, options: Options, shared: Shared, history: History, meter: Meter
    ) -> None:
        self._parts = parts
        self._provider = _Translated(parts.provider)  # it may be exchanged meanwhile: for the next turn
        self._options = options
        self._outbox = shared.outbox
        self._history = history
        self._meter = meter
        self._full_at = 0
        """Tokens that the conversation had when it would not get smaller; 0: it always did."""

    @property
    def model(self) -> str:
        """Who answers."""
        return self._provider.model

    def answer(self, token: Token) -> Answer | End:
        """Return the model's answer, or how the turn ends without one."""
        sink = LiveSink(self._outbox)
        try:
            return self._answer(sink, token)
        except Interrupted as stop:
            self._keep(stop.content or sink.said)
            return "interrupted", None
        except HermesError as error:
            self._keep(sink.said)
            return "error", str(error)

    def compact(self, focus: str, token: Token) -> End:
        """Compact the conversation because the user wants it; return how that ended."""
        if not self._history.messages:
            return "error", "there is nothing to compact yet"
        try:
            self._compact(self._request(), token, focus, by_hand=True)
        except Interrupted:
            return "interrupted", None
        except HermesError as error:
            return "error", str(error)
        return "done", None

    # -- one answer -----------------------------------------------------------------------------------

    def _answer(self, sink: LiveSink, token: Token) -> Answer | End:
        """Ask, at most once with the conversation compacted because it was too long."""
        request = self._fitting(token)
        try:
            return self._filled(request, sink, token)
        except ContextTooLong as error:
            if sink.said:
                raise
            request = self._smaller(request, error, token)
        try:
            return self._filled(request, sink, token)
        except ContextTooLong as error:
            raise ContextTooLong(f"{error}; {STILL_TOO_LONG}") from None

    def _filled(self, request: Request, sink: LiveSink, token: Token) -> Answer | End:
        """Return an answer with something in it, asking again for one that is empty."""
        for _ in range(1 + EMPTY_RETRIES):
            answer = self._provider.answer(request, sink, token)
            self._options.context = answer.context or self._options.context
            self._outbox.put(self._meter.count(request, answer, self._options.context))
            if answer.message.content.strip() or answer.message.calls:
                return answer
            if token.is_set:
                return "interrupted", None
        return (
            "error",
            f"the model sent an empty answer {1 + EMPTY_RETRIES} times; send a message to try again",
        )

    def _request(self) -> Request:
        return Request(self._parts.system(), self._history.valid(), self._parts.toolbox.schemas())

    def _keep(self, text: str) -> None:
        """Keep what the model said before it broke off."""
        if text.strip():
            self._outbox.put(done(self._history.add_answer(Message("assistant", text, broken=True))))

    # -- room -----------------------------------------------------------------------------------------

    def _fitting(self, token: Token) -> Request:
        """Return the request; the conversation is compacted when it comes near the context's limit."""
        request = self._request()
        limit, part = self._options.context, self._options.compact_at
        if not limit or not part:
            return request
        size = self._meter.expect(request)
        if size > limit * part and size > self._full_at + limit * GROWN:
            self._compact(request, token)
            return self._request()
        return request

    def _smaller(self, request: Request, error: ContextTooLong, token: Token) -> Request:
        """Return the request with the conversation compacted; raise the error when that is of no use."""
        self._options.context = error.limit or self._options.context
        if not self._compact(request, token, refused=True):
            raise ContextTooLong(f"{error}; {STILL_TOO_LONG}") from None
        return self._request()

    def _compact(
        self, request: Request, token: Token, focus: str = "", by_hand: bool = False, refused: bool = False
    ) -> bool:
        """Compact the conversation and tell; return whether it got smaller."""
        limit, size = self._options.context, self._meter.expect(request)
        goal = int(limit * GOAL) if limit else (size if by_hand else size // 2)
        messages = self._history.messages
        job = Job(
            messages=messages,
            fixed=estimate(request) - weight(request.messages),
            goal=min(goal, size // 2) if refused else goal,
            limit=limit,
            carried=self._parts.carry(),
            focus=focus,
            by_hand=by_hand,
        )
        self._notice("info", f"compacting {len(messages)} messages, about {_k(size)} tokens")
        compactor = Compactor(self._provider, self._meter, self._parts.keep_text)
        try:
            result = compactor.run(job, QuietSink(self._outbox), token)
        except Interrupted:
            raise Interrupted from None  # half a summary is nothing that the model said
        if result.warning:
            self._notice("warning", f"no summary could be made: {result.warning}")
        if result.changed:
            self._history.replace(result.messages)
        after = self._meter.expect(self._request())
        self._full_at = after if limit and after > limit * self._options.compact_at else 0
        self._outbox.put(self._meter.changed(after, limit, compacted=result.changed))
        told = f"{result.how}; about {_k(size)} → {_k(after)} tokens for the model, the screen keeps all"
        self._notice("info", f"compacted: {told}" if result.changed else "there is nothing to compact")
        return result.changed

    def _notice(self, level: str, text: str) -> None:
        self._outbox.put(Notice(level=level, text=text))


class _Translated:
    """A provider whose every failure is a `ProviderError`: one that breaks ends a turn with one line."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @property
    def model(self) -> str:
        """Who answers."""
        return self._provider.model

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        """Ask."""
        try:
            return self._provider.answer(request, sink, token)
        except HermesError:
            raise
        except Exception as error:
            raise ProviderError(f"the provider failed: {one_line(error)}") from error

    def close(self) -> None:
        """Leave it open: it belongs to the session."""


class LiveSink:
    """Passes an answer on while it arrives, and remembers its text."""

    def __init__(self, outbox: Out) -> None:
        self._outbox = outbox
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


class QuietSink(LiveSink):
    """Passes notices on alone: a summary is no answer."""

    def text(self, piece: str) -> None:
        """Show nothing."""

    def thinking(self, piece: str) -> None:
        """Show nothing."""


def done(message: Message) -> MessageDone:
    """Return the event of an answer that is complete, or that broke off."""
    return MessageDone(
        message={
            "role": message.role,
            "content": message.content,
            "calls": [_call(call) for call in message.calls],
            "reasoning": message.reasoning,
            **({"broken": True} if message.broken else {}),
        }
    )


def _call(call: ToolCall) -> dict[str, Any]:
    written = {"written": True} if call.written else {}
    return {"id": call.id, "name": call.name, "arguments": call.arguments, **written}


def _k(tokens: int) -> str:
    return f"{tokens / 1000:.0f}k" if tokens >= 10_000 else str(tokens)
