"""What the scripted server answers, as data: builders for the usual answers and for every odd one."""

from __future__ import annotations

import itertools
import json
import re
import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DONE = b"data: [DONE]\n\n"
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Pause:
    """A point in a reply that waits until the test sets `gate`; `reached` tells the test it got there."""

    gate: threading.Event = field(default_factory=threading.Event)
    reached: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Drop:
    """A point in a reply where the connection is cut."""


Part = bytes | Pause | Drop


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: `body` whole, or `parts` streamed one chunk of the transfer each."""

    parts: tuple[Part, ...] = ()
    body: bytes | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    call_ids: tuple[str, ...] = ()
    """The calls it asks for, in order; the server checks that each is answered."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a scripted answer; `raw` is sent as it stands instead of `arguments`."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    raw: str | None = None
    id: str = ""
    """Empty: a fresh one."""


def sse(payload: Any) -> bytes:
    """Return one event of a stream."""
    return b"data: " + json.dumps(payload, ensure_ascii=False).encode() + b"\n\n"


def chunk(delta: Mapping[str, Any], finish: str | None = None, usage: tuple[int, int] | None = None) -> bytes:
    """Return a chat.completion.chunk event with this delta; `usage` is (input, output) tokens."""
    payload: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted-1",
        "choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish}],
    }
    if usage is not None:
        tokens = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        payload |= {"choices": [], "usage": tokens}
    return sse(payload)


def say(*pieces: str | Pause | Drop, thinking: str = "", usage: tuple[int, int] = (10, 5)) -> Reply:
    """Stream text, a chunk for each piece; a Pause or Drop may stand between the pieces."""
    parts: list[Part] = [chunk({"reasoning_content": thinking})] if thinking else []
    parts += [chunk({"content": piece}) if isinstance(piece, str) else piece for piece in pieces]
    return Reply((*parts, chunk({}, "stop"), chunk({}, usage=usage), DONE))


def calls(
    *wanted: Call | tuple[str, Mapping[str, Any]],
    text: str = "",
    thinking: str = "",
    pieces: int = 3,
) -> Reply:
    """Stream calls as the usual server does, the arguments of each in `pieces` fragments."""
    parts: list[Part] = [chunk({"reasoning_content": thinking})] if thinking else []
    parts += [chunk({"content": text})] if text else []
    ids: list[str] = []
    for index, item in enumerate(wanted):
        call = item if isinstance(item, Call) else Call(*item)
        ids.append(call.id or f"call_{next(_numbers)}")
        raw = call.raw if call.raw is not None else json.dumps(dict(call.arguments), ensure_ascii=False)
        head = {"index": index, "id": ids[-1], "type": "function"}
        parts.append(chunk({"tool_calls": [head | {"function": {"name": call.name, "arguments": ""}}]}))
        for piece in _cut(raw, pieces):
            parts.append(chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}))
    return Reply((*parts, chunk({}, "tool_calls"), chunk({}, usage=(10, 5)), DONE), call_ids=tuple(ids))


def raw_calls(*deltas: Sequence[Mapping[str, Any]], ids: Sequence[str] = (), finish: int = 1) -> Reply:
    """Stream `tool_calls` lists exactly as given, one chunk each; `finish`: how often the end is told."""
    parts = [chunk({"tool_calls": [dict(entry) for entry in entries]}) for entries in deltas]
    return Reply((*parts, *[chunk({}, "tool_calls")] * finish, DONE), call_ids=tuple(ids))


def error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """Answer with an HTTP error and OpenAI's error object."""
    payload = {"error": {"message": message, "type": "error", "code": code, "param": param}}
    return Reply(body=json.dumps(payload).encode(), status=status, headers=headers or {})


DIMENSIONS = 128


def vectors(body: Mapping[str, Any]) -> Reply:
    """Answer a request for embeddings: how often each word comes, so texts with the same words are near."""
    data = [
        {"object": "embedding", "index": index, "embedding": _counted(text)}
        for index, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    payload = {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}
    return Reply(body=json.dumps(payload).encode())


def _counted(text: str) -> list[float]:
    counts = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        counts[zlib.crc32(word.encode()) % DIMENSIONS] += 1
    return counts if any(counts) else [1.0] * DIMENSIONS


def hang(*pieces: str) -> Reply:
    """Send the pieces, then nothing more, and keep the connection open until the client leaves."""
    return Reply((*(chunk({"content": piece}) for piece in pieces), Pause()))


def _cut(text: str, pieces: int) -> list[str]:
    size = max(1, -(-len(text) // max(1, pieces)))
    return [text[start : start + size] for start in range(0, len(text), size)]
