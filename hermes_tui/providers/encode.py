"""Turns a request into the JSON body that every strict provider takes. Pure.

A history can hold what a provider would refuse for ever after: arguments that are no JSON, a tool name with
a dot, an empty message, half a surrogate pair. All of it is put right here, on the way out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.messages import Message, ToolCall, ToolSchema, parse_arguments
from hermes_tui.engine.protocols import Request
from hermes_tui.providers.endpoint import Habits

BAD_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
LONGEST_NAME = 64


def encode(request: Request, model: str, habits: Habits) -> dict[str, Any]:
    """Return the body of a streaming chat completion."""
    body: dict[str, Any] = {
        "model": model,
        "messages": list(_messages(request, habits)),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    return {key: value for key, value in body.items() if key not in habits.refused}


def _messages(request: Request, habits: Habits) -> Iterator[dict[str, Any]]:
    if request.system:
        yield {"role": "system", "content": _text(request.system)}
    for message in request.messages:
        if message.role == "assistant":
            if message.calls or message.content:
                yield _assistant(message, habits)
        elif message.role == "tool":
            yield {"role": "tool", "tool_call_id": message.call_id, "content": _text(message.content)}
        else:
            yield {"role": message.role, "content": _text(message.content)}


def _assistant(message: Message, habits: Habits) -> dict[str, Any]:
    encoded: dict[str, Any] = {"role": "assistant", "content": _text(message.content) or None}
    if message.calls:
        encoded["tool_calls"] = [_call(call) for call in message.calls]
        field = habits.reasoning_field
        if field and field not in habits.refused and message.reasoning:
            encoded[field] = _text(message.reasoning)
    return encoded


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": _name(call.name), "arguments": _arguments(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _arguments(raw: str) -> str:
    """Return arguments that parse to an object: the raw text if it does, else `{}`.

    The model has the error beside them, as the call's result.
    """
    try:
        parse_arguments(raw)
    except BadArguments:
        return "{}"
    return _text(raw) if raw.strip() else "{}"


def _name(name: str) -> str:
    return BAD_IN_NAMES.sub("_", name.strip())[:LONGEST_NAME] or "unnamed"


def _tool(tool: ToolSchema) -> dict[str, Any]:
    parameters = dict(tool.parameters) or {"type": "object", "properties": {}}
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def _text(text: str) -> str:
    """Return text that UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def call_ids(messages: Sequence[Message]) -> set[str]:
    """Return every call id of a conversation."""
    return {call.id for message in messages for call in message.calls}
