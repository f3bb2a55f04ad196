"""Turns a request into the JSON body that every strict provider takes.

A history can hold what a provider would refuse for ever after: arguments that are no JSON, a tool name with
a dot, an empty message, half a surrogate pair. All of it is put right here, on the way out. The one file it
reads is that of a picture.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.messages import Image, Message, ToolCall, ToolSchema, parse_arguments
from hermes_tui.engine.protocols import Request
from hermes_tui.providers.endpoint import Habits
from hermes_tui.providers.faults import ALTERNATING_ROLES, NO_IMAGES, NO_NULL, SHORT_IDS

BAD_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
LONGEST_NAME = 64
BETWEEN: Final = "[a new message of the user's comes first]"
"""Said by the assistant where a server takes no user message right behind a tool's."""

Body = dict[str, Any]


def encode(request: Request, model: str, habits: Habits) -> Body:
    """Return the body of a streaming chat completion."""
    messages = _together(_messages(request, habits))
    body: Body = {
        "model": model,
        "messages": list(_bridged(messages) if ALTERNATING_ROLES in habits.taught else messages),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    return {key: value for key, value in body.items() if key not in habits.refused}


def _messages(request: Request, habits: Habits) -> Iterator[Body]:
    if request.system:
        yield {"role": "system", "content": _text(request.system)}
    for message in request.messages:
        if message.role == "assistant":
            if message.calls or message.content.strip():
                yield _assistant(message, habits)
        elif message.role == "tool":
            call_id = _id(message.call_id or "", habits)
            yield {"role": "tool", "tool_call_id": call_id, "content": _text(message.content)}
        elif message.images:
            yield {"role": message.role, "content": list(_parts(message, habits))}
        else:
            yield {"role": message.role, "content": _text(message.content)}


def _assistant(message: Message, habits: Habits) -> Body:
    nothing = "" if NO_NULL in habits.taught else None
    text = _text(message.content) if message.content.strip() else nothing
    encoded: Body = {"role": "assistant", "content": text}
    if message.calls:
        encoded["tool_calls"] = [_call(call, habits) for call in message.calls]
        field = habits.reasoning_field
        if field and field not in habits.refused and message.reasoning:
            encoded[field] = _text(message.reasoning)
    return encoded


def _call(call: ToolCall, habits: Habits) -> Body:
    function = {"name": _name(call.name), "arguments": _arguments(call.arguments)}
    return {"id": _id(call.id, habits), "type": "function", "function": function}


def _id(call_id: str, habits: Habits) -> str:
    """Return a call's id, as nine letters and digits for a server that takes no other."""
    if SHORT_IDS not in habits.taught:
        return call_id
    return hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:9]


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


def _tool(tool: ToolSchema) -> Body:
    parameters = dict(tool.parameters) or {"type": "object", "properties": {}}
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def _text(text: str) -> str:
    """Return text that UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


# -- pictures -----------------------------------------------------------------------------------------


def _parts(message: Message, habits: Habits) -> Iterator[Body]:
    """Yield a user message as parts: its text, then its pictures or what stands for them."""
    if message.content.strip():
        yield _text_part(message.content)
    for image in message.images:
        yield _picture(image, habits)


def _picture(image: Image, habits: Habits) -> Body:
    if NO_IMAGES in habits.taught:
        return _text_part(f"[the picture {image.name} is not shown: this model takes none]")
    try:
        body = Path(image.path).read_bytes()
    except OSError:
        return _text_part(f"[the picture {image.name} is no longer kept]")
    url = f"data:{image.media};base64,{base64.b64encode(body).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _text_part(text: str) -> Body:
    return {"type": "text", "text": _text(text)}


# -- order --------------------------------------------------------------------------------------------


def _together(messages: Iterator[Body]) -> Iterator[Body]:
    """Yield the messages, with user messages that follow each other made one: some servers take no two."""
    waiting: Body | None = None
    for message in messages:
        if waiting is not None and message["role"] == "user":
            waiting = {"role": "user", "content": _both(waiting["content"], message["content"])}
            continue
        if waiting is not None:
            yield waiting
        waiting = message if message["role"] == "user" else None
        if waiting is None:
            yield message
    if waiting is not None:
        yield waiting


def _both(first: str | list[Body], second: str | list[Body]) -> str | list[Body]:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [
        part for each in (first, second) for part in ([_text_part(each)] if isinstance(each, str) else each)
    ]


def _bridged(messages: Iterator[Body]) -> Iterator[Body]:
    """Yield the messages, with something of the assistant's between a tool's message and the user's."""
    before: Mapping[str, Any] = {}
    for message in messages:
        if message["role"] == "user" and before.get("role") == "tool":
            yield {"role": "assistant", "content": BETWEEN}
        yield message
        before = message


def call_ids(messages: Sequence[Message]) -> set[str]:
    """Return every call id of a conversation."""
    return {call.id for message in messages for call in message.calls}
