"""Reads one streamed answer: bytes in, text and thinking out at once, the whole answer at the end.

Knows no SDK and no socket. A fault that comes inside the stream is raised as `StreamFault`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hermes_tui.engine.messages import Message, ToolCall, Usage
from hermes_tui.engine.protocols import Answer
from hermes_tui.providers.assemble_calls import CallAssembler, with_ids
from hermes_tui.providers.faults import Fault, Kind, Place, from_stream
from hermes_tui.providers.sse import EventReader
from hermes_tui.providers.written_calls import Holder

REASONING_FIELDS = ("reasoning_content", "reasoning")


class StreamFault(Exception):
    """The server reported an error, or nothing that can be an answer, inside a 200."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the answer as it arrives."""

    kind: Literal["text", "thinking"]
    text: str


class AnswerReader:
    """Collects one answer."""

    def __init__(self, place: Place, holder: Holder | None = None) -> None:
        self.finish = ""
        """The server's reason for the end; empty until it came."""
        self.reasoning_field = ""
        """The field its thinking came in; empty when none came."""
        self._place = place
        self._thinking: list[str] = []
        self._pieces: list[str] = []
        self._calls = CallAssembler()
        self._holder = holder
        """Looks for calls in the text; None: text is text."""
        self._written: Sequence[ToolCall] = ()
        self._calls_are_new = False
        """Whether calls come as `tool_calls`; some servers send each as `function_call` besides."""
        self._usage: Usage | None = None
        self._events = EventReader()
        self._raw = bytearray()
        self._streamed = False
        self.done = False
        """Whether the server said [DONE]."""

    @property
    def shown(self) -> bool:
        """Whether the user has seen anything of it."""
        return bool(self._pieces or self._thinking)

    @property
    def content(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing: the server told the reason for the end, or said it is done."""
        return bool(self.finish) or self.done

    @property
    def empty(self) -> bool:
        """Whether it holds neither text nor a call."""
        return not (self._pieces or self._calls or self._written)

    @property
    def has_calls(self) -> bool:
        """Whether the server sent calls as such."""
        return bool(self._calls)

    def feed(self, data: bytes) -> Iterator[Piece]:
        """Take the next bytes and yield what they bring."""
        if not self._streamed:
            self._raw += data
        for event in self._events.feed(data):
            yield from self._event(event)

    def end(self) -> Iterator[Piece]:
        """Take the end of the stream. A server that does not stream sends one JSON object instead."""
        for event in self._events.finish():
            yield from self._event(event)
        if not self._streamed and self._raw.strip():
            yield from self._unstreamed(bytes(self._raw))
        if self._holder is not None and self.complete:
            rest, written = self._holder.end()
            self._written = () if self._calls else written
            yield from self._text(rest)

    def answer(self, taken: Collection[str]) -> Answer:
        """Return the whole answer; `taken` are the call ids of the conversation so far."""
        calls = self._calls.calls(taken)
        message = Message(
            "assistant",
            self.content,
            calls or with_ids(self._written, taken),
            reasoning="".join(self._thinking),
        )
        return Answer(message, self._usage)

    def _event(self, data: str) -> Iterator[Piece]:
        if data.startswith("[DONE]"):
            self._streamed = self.done = True
            return
        for payload in _payloads(data):
            self._streamed = True
            self._raw.clear()
            yield from self._payload(payload)

    def _payload(self, payload: Mapping[str, Any]) -> Iterator[Piece]:
        if payload.get("error") or payload.get("object") == "error":
            raise StreamFault(from_stream(payload, self._place))
        self._count(payload.get("usage"))
        choices = payload.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, Mapping):
            return
        if choice.get("error"):
            raise StreamFault(from_stream(choice, self._place))
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, Mapping):
            yield from self._delta(delta)
        if isinstance(choice.get("finish_reason"), str):
            self.finish = choice["finish_reason"]

    def _delta(self, delta: Mapping[str, Any]) -> Iterator[Piece]:
        for field in REASONING_FIELDS:
            if isinstance(delta.get(field), str) and delta[field]:
                self.reasoning_field = self.reasoning_field or field
                self._thinking.append(delta[field])
                yield Piece("thinking", delta[field])
                break
        for field in ("content", "refusal"):
            text = _content(delta.get(field))
            yield from self._text(self._holder.feed(text) if self._holder is not None else text)
        entries = delta.get("tool_calls")
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, Mapping):
                self._calls.add(entry)
        if isinstance(delta.get("function_call"), Mapping) and not (entries or self._calls_are_new):
            self._calls.add({"index": 0, "function": delta["function_call"]})
        self._calls_are_new = self._calls_are_new or bool(entries)

    def _text(self, text: str) -> Iterator[Piece]:
        if text:
            self._pieces.append(text)
            yield Piece("text", text)

    def _count(self, usage: Any) -> None:
        if isinstance(usage, Mapping):
            asked, answered = usage.get("prompt_tokens"), usage.get("completion_tokens")
            if isinstance(asked, int) and isinstance(answered, int):
                self._usage = Usage(asked, answered, min(asked, _cached(usage)))

    def _unstreamed(self, raw: bytes) -> Iterator[Piece]:
        payload = next(iter(_payloads(raw.decode("utf-8", "replace"))), None)
        if payload is None or not ("choices" in payload or "error" in payload):
            page = raw.lstrip()[:1] == b"<"
            what = "a web page" if page else "something that is no chat completion"
            text = f"{self._place.host} answered with {what}; check the base URL, it usually ends in /v1"
            raise StreamFault(Fault(text, Kind.FINAL))
        yield from self._payload(payload)


def _payloads(data: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects of one event: one, or one a line where a server forgot the blank lines."""
    for text in (data, *data.split("\n")) if "\n" in data else (data,):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
            if text is data:
                return


def _cached(usage: Mapping[str, Any]) -> int:
    """Return the tokens that came from the server's cache, wherever it writes them."""
    details = usage.get("prompt_tokens_details")
    found = (
        details.get("cached_tokens") if isinstance(details, Mapping) else usage.get("prompt_cache_hit_tokens")
    )
    return found if isinstance(found, int) and found > 0 else 0


def _content(value: Any) -> str:
    """Return content as text; some servers send a list of parts."""
    if isinstance(value, list):
        return "".join(str(part["text"]) for part in value if isinstance(part, Mapping) and part.get("text"))
    return value if isinstance(value, str) else ""
