"""One request from the first try to the answer: listens, waits, tries again, gives up with one line.

Runs on the engine's thread and never blocks it beyond the interrupt. Knows no SDK: a `Transport` does the
talking and puts what arrives into an inbox.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import wait
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Final, Protocol

from hermes_tui.engine.errors import BrokenAnswer, ContextTooLong, ProviderError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Answer, Request, Sink
from hermes_tui.providers.encode import call_ids, encode
from hermes_tui.providers.endpoint import Endpoint, Habits
from hermes_tui.providers.faults import NO_IMAGES, Fault, Kind, Place
from hermes_tui.providers.models import ModelInfo
from hermes_tui.providers.patience import TRIES, Patience
from hermes_tui.providers.read_answer import AnswerReader, Piece, StreamFault
from hermes_tui.providers.written_calls import Holder

QUIET: Final = 15.0
"""Seconds of silence after which the user is told."""
AFTER_END: Final = 2.0
"""Seconds to wait for the token counts once the reason for the end has come."""
AFTER_DONE: Final = 0.05
"""Seconds to wait for the connection's own end, which lets it be used again."""
COUNTDOWN: Final = 5.0
"""Seconds between two notices while a retry is waited for."""


AGAIN: Final = 0.1
"""Seconds before an empty answer is asked for again: no load to wait out."""
CUT_SHORT: Final = {
    "length": "the server's limit on the length of an answer was reached",
    "content_filter": "the server's content filter withheld the rest",
}


@dataclass(frozen=True, slots=True)
class End:
    """The reply has ended as it should; `models`: of GET /models, `data`: the body of POST /embeddings."""

    models: tuple[ModelInfo, ...] = ()
    data: Any = None


@dataclass(frozen=True, slots=True)
class Stop:
    """The interrupt has come."""


Inbox = SimpleQueue[bytes | Fault | End | Stop]
"""What arrives of one try, ended by a Fault or an End."""
Cancel = Callable[[], None]


class Transport(Protocol):
    """Talks to the endpoint on threads of its own. Thread-safe."""

    def stream(self, body: Mapping[str, Any], inbox: Inbox) -> Cancel:
        """Start a chat completion; return how to end it early. Returns at once."""

    def list_models(self, inbox: Inbox) -> Cancel:
        """Start GET /models; return how to end it early. Returns at once."""

    def embed(self, body: Mapping[str, Any], inbox: Inbox) -> Cancel:
        """Start POST /embeddings; return how to end it early. Returns at once."""


class Failed(Exception):
    """A try ended with a fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Asking:
    """One request to the endpoint."""

    def __init__(self, transport: Transport, endpoint: Endpoint, sink: Sink, token: Token) -> None:
        self._transport = transport
        self._endpoint = endpoint
        self._sink = sink
        self._token = token
        self._patience = Patience()
        self._place = Place(endpoint.url, endpoint.model, endpoint.key)

    def models(self) -> list[ModelInfo]:
        """Return what the endpoint lists. Raises `ProviderError`, `Interrupted`."""
        while True:
            inbox = self._inbox()
            cancel = self._transport.list_models(inbox)
            try:
                item = self._take(inbox, self._endpoint.idle_timeout, "")
            except Failed as failed:
                self._wait(failed.fault, "")
            else:
                return list(item.models) if isinstance(item, End) else []
            finally:
                cancel()

    def embeddings(self, body: Mapping[str, Any]) -> Any:
        """Return what POST /embeddings answers, asked once. Raises `ProviderError`, `Interrupted`."""
        inbox = self._inbox()
        cancel = self._transport.embed(body, inbox)
        try:
            item = self._take(inbox, self._endpoint.idle_timeout, "")
        except Failed as failed:
            raise ProviderError(failed.fault.text) from None
        finally:
            cancel()
        return item.data if isinstance(item, End) else None

    def answer(self, request: Request, model: str, habits: Habits) -> Answer:
        """Return the model's answer. Raises `ProviderError`, `Interrupted`."""
        self._place = Place(self._endpoint.url, model, self._endpoint.key)
        if not self._endpoint.images:
            habits.taught.add(NO_IMAGES)
        while True:
            reader = AnswerReader(self._place, self._holder(request, habits))
            body = encode(request, model, habits)
            try:
                self._listen(body, reader)
                self._judge(reader)
            except Failed as failed:
                if not _adapt(failed.fault, request, body, habits):
                    self._wait(failed.fault, reader.content, reader.shown)
            else:
                answer = reader.answer(call_ids(request.messages))
                habits.sends_calls = habits.sends_calls or reader.has_calls
                if answer.message.calls and reader.reasoning_field:
                    habits.reasoning_field = reader.reasoning_field
                return answer

    def _holder(self, request: Request, habits: Habits) -> Holder | None:
        """Return what looks for calls in the text, where such may come."""
        wanted = self._endpoint.written_calls
        if not request.tools or wanted is False or (wanted is None and habits.sends_calls):
            return None
        return Holder({tool.name for tool in request.tools}, after_text=wanted is True)

    # -- one try ------------------------------------------------------------------------------------------

    def _listen(self, body: Mapping[str, Any], reader: AnswerReader) -> None:
        """Run one try and show what it brings; raises `Failed`."""
        inbox = self._inbox()
        cancel = self._transport.stream(body, inbox)
        try:
            for data in self._arrivals(inbox, reader):
                self._show(reader.feed(data))
            self._show(reader.end())
        except StreamFault as stream:
            raise Failed(stream.fault) from None
        finally:
            cancel()

    def _arrivals(self, inbox: Inbox, reader: AnswerReader) -> Iterator[bytes]:
        """Yield the bytes of a reply until its end, or until nothing more of use will come."""
        while True:
            patience = self._endpoint.idle_timeout
            if reader.complete:
                patience = AFTER_DONE if reader.done else AFTER_END
            try:
                item = self._take(inbox, patience, reader.content)
            except Failed:
                if reader.complete:
                    return
                raise
            if isinstance(item, End):
                return
            yield item

    def _take(self, inbox: Inbox, patience: float, content: str) -> bytes | End:
        """Return the next thing that arrives; `Interrupted` at once, `Failed` after `patience` seconds."""
        quiet = min(QUIET, patience / 2)
        try:
            item = inbox.get(timeout=quiet)
        except Empty:
            if patience >= self._endpoint.idle_timeout:
                host = self._place.host
                self._sink.notice(
                    "info", f"no word from {host} for {quiet:.0f} s; waiting up to {patience:.0f} s"
                )
            try:
                item = inbox.get(timeout=patience - quiet)
            except Empty:
                text = f"nothing came from {self._place.host} for {patience:.0f} s; check it, or ask again"
                raise Failed(Fault(text, Kind.TRANSIENT, tries=2)) from None
        self._token.raise_if_set(content)
        if isinstance(item, Fault):
            raise Failed(item)
        assert not isinstance(item, Stop), "a stop comes only from the token"
        return item

    def _show(self, pieces: Iterator[Piece]) -> None:
        for piece in pieces:
            if piece.kind == "text":
                self._sink.text(piece.text)
            else:
                self._sink.thinking(piece.text)

    def _judge(self, reader: AnswerReader) -> None:
        """Raise `Failed` for an answer that cannot be used; tell of one that was cut short."""
        host = self._place.host
        if not reader.complete:
            raise Failed(Fault(f"the answer of {host} broke off before its end", Kind.TRANSIENT))
        if reader.finish == "error":
            raise Failed(Fault(f"{host} broke off with an error", Kind.TRANSIENT))
        if reader.empty:
            why = CUT_SHORT.get(reader.finish)
            if why:
                raise Failed(Fault(f"{host} gave no answer: {why}"))
            what = "thought, but gave no answer" if reader.shown else "gave an empty answer"
            text = f"{self._place.model} {what}; ask again, or ask in other words"
            raise Failed(Fault(text, Kind.TRANSIENT, retry_after=AGAIN))
        if reader.finish in CUT_SHORT:
            self._sink.notice("warning", f"the answer is cut off: {CUT_SHORT[reader.finish]}")

    # -- between two tries --------------------------------------------------------------------------------

    def _wait(self, fault: Fault, content: str = "", shown: bool = False) -> None:
        """Wait until the next try is due; raise what the request ends with when there is none."""
        if shown:
            raise BrokenAnswer(fault.text, content)
        if fault.kind is Kind.TOO_LONG:
            raise ContextTooLong(fault.text, fault.limit)
        tries = self._patience.tries
        seconds = self._patience.wait_for(fault)
        if seconds is None:
            asks = f"; it asks to wait {fault.retry_after:.0f} s" if (fault.retry_after or 0) >= 1 else ""
            after = f" (after {tries} tries)" if tries > 1 else ""
            raise ProviderError(f"{fault.text}{asks}{after}")
        due = time.monotonic() + seconds
        while (left := due - time.monotonic()) > 0:
            number = f"try {self._patience.tries} of {min(TRIES, fault.tries)}"
            self._sink.notice("warning", f"{fault.text}; {number} in {left:.1f} s")
            wait([self._token.future], timeout=min(left, COUNTDOWN))
            self._token.raise_if_set()

    def _inbox(self) -> Inbox:
        """Return a fresh inbox that the interrupt reaches."""
        self._token.raise_if_set()
        inbox: Inbox = SimpleQueue()
        self._token.future.add_done_callback(lambda _: inbox.put(Stop()))
        return inbox


def _adapt(fault: Fault, request: Request, body: Mapping[str, Any], habits: Habits) -> bool:
    """Learn from a refusal that names an optional field; whether the request is now another one."""
    for field in fault.fields - habits.refused:
        if field in body or any(field in message for message in body["messages"]):
            habits.refused.add(field)
            return True
        if field == "reasoning_content" and any(m.reasoning and m.calls for m in request.messages):
            habits.reasoning_field = field
            return True
    for form in fault.forms - habits.taught:
        if form != NO_IMAGES or any(message.images for message in request.messages):
            habits.taught.add(form)
            return True
    return False
