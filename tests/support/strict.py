"""What a strict OpenAI-compatible provider refuses in a request body. Pure; knows no socket.

Each rule is one that some real endpoint enforces with a 400: roles in order, every call answered by
exactly one tool message directly behind it, unique ids, arguments that parse, no empty or unknown fields.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

Reasoning = Literal["forbid", "demand", "allow"]
"""`forbid`: `reasoning_content` is an unknown field. `demand`: each assistant message with calls must
have it."""

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
FIELDS = {
    "system": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "assistant": {"role", "content", "name", "tool_calls", "refusal"},
    "tool": {"role", "content", "tool_call_id"},
}


def violations(body: Any, reasoning: Reasoning = "forbid", alternate: bool = False) -> list[str]:
    """Return what is wrong with a request body, a line each; empty when a strict provider takes it.

    `alternate`: one that also takes no user message behind another or behind a tool's.
    """
    if not isinstance(body, dict):
        return ["the body is no object"]
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return ["messages is missing or empty"]
    if not all(isinstance(message, dict) for message in messages):
        return ["a message is no object"]
    found = [] if isinstance(body.get("model"), str) and body["model"] else ["model is missing or empty"]
    for number, message in enumerate(messages):
        found += [f"messages[{number}]: {text}" for text in _message(message, reasoning)]
    turns = _alternation(messages) if alternate else ()
    return [*found, *_order(messages), *turns, *_pairs(messages), *_tools(body.get("tools", []))]


def _message(message: Mapping[str, Any], reasoning: Reasoning) -> Iterator[str]:
    role = message.get("role")
    if role not in FIELDS:
        yield f"unknown role {role!r}"
        return
    known = FIELDS[role] | ({"reasoning_content"} if role == "assistant" and reasoning != "forbid" else set())
    for field in sorted(set(message) - known):
        yield f"unknown field {field!r}"
    calls = message.get("tool_calls")
    if role == "assistant" and calls is not None:
        yield from _calls(calls)
        if reasoning == "demand" and not message.get("reasoning_content"):
            yield "reasoning_content is missing"
    yield from _content(role, message.get("content"), bool(calls))
    if role == "tool" and not isinstance(message.get("tool_call_id"), str):
        yield "tool message without tool_call_id"


def _content(role: str, content: Any, has_calls: bool) -> Iterator[str]:
    if content is None:
        if not has_calls:
            yield f"{role} without content"
    elif not isinstance(content, str | list):
        yield "content is neither text nor a list of parts"
    elif not _says_something(content) and role != "tool" and not has_calls:
        yield f"empty {role} message"
    elif isinstance(content, list):
        yield from _parts(role, content)


def _says_something(content: str | list[Any]) -> bool:
    return bool(content.strip()) if isinstance(content, str) else bool(content)


def _parts(role: str, parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text" and isinstance(part.get("text"), str) and part["text"].strip():
            continue
        image = part.get("image_url") if kind == "image_url" else None
        if role != "user" or not isinstance(image, dict) or not re.match(IMAGE, str(image.get("url"))):
            yield f"{role}: a part of content that is neither text nor a picture of the user's"


def _calls(calls: Any) -> Iterator[str]:
    if not isinstance(calls, list) or not calls:
        yield "tool_calls is empty or no list"
        return
    for call in calls:
        if set(call) != {"id", "type", "function"} or call["type"] != "function":
            yield f"a call has the fields {sorted(call)}"
            continue
        function = call["function"]
        if not isinstance(call["id"], str) or not call["id"]:
            yield "a call without id"
        if set(function) != {"name", "arguments"} or not NAME.fullmatch(str(function["name"])):
            yield f"call {call['id']}: bad function name {function.get('name')!r}"
        try:
            parsed = json.loads(function["arguments"])
        except (TypeError, ValueError, KeyError):
            parsed = None
        if not isinstance(parsed, dict):
            yield f"call {call['id']}: arguments are no JSON object: {function.get('arguments')!r}"


def _order(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    roles = [message.get("role") for message in messages]
    body = roles[1:] if roles[0] == "system" else roles
    if "system" in body:
        yield "a system message that is not the first"
    if body and body[0] != "user":
        yield f"the conversation starts with {body[0]!r}, not with the user"
    if roles[-1] not in ("user", "tool"):
        yield f"the last message is {roles[-1]!r}: nothing to answer"
    for number, (before, after) in enumerate(itertools.pairwise(roles), start=1):
        if before == after == "assistant":
            yield f"messages[{number}]: two assistant messages in a row"


def _alternation(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for before, after in itertools.pairwise(message.get("role") for message in messages):
        if after == "user" and before in ("user", "tool"):
            yield f"Unexpected role 'user' after role '{before}'"


def _pairs(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    seen: set[str] = set()
    waiting: list[str] = []
    for number, message in enumerate(messages):
        if message.get("role") == "tool":
            call_id = message.get("tool_call_id")
            if call_id in waiting:
                waiting.remove(call_id)
            else:
                yield f"messages[{number}]: tool message for {call_id!r}, which no call waits for"
            continue
        if waiting:
            yield f"messages[{number}]: no tool message for {', '.join(waiting)} before it"
        waiting = [call["id"] for call in message.get("tool_calls") or [] if isinstance(call.get("id"), str)]
        for call_id in waiting:
            if call_id in seen:
                yield f"messages[{number}]: the call id {call_id} is used twice"
            seen.add(call_id)
    if waiting:
        yield f"no tool message for {', '.join(waiting)} at the end"


def _tools(tools: Any) -> Iterator[str]:
    if not isinstance(tools, list):
        yield "tools is no list"
        return
    names: set[str] = set()
    for tool in tools:
        function = tool.get("function", {}) if isinstance(tool, dict) else {}
        name = function.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name) or tool.get("type") != "function":
            yield f"bad tool {name!r}"
            continue
        if name in names:
            yield f"the tool {name} is declared twice"
        names.add(name)
        parameters = function.get("parameters")
        if not isinstance(parameters, dict) or parameters.get("type") != "object":
            yield f"the parameters of {name} are no schema of type object"
        elif not set(parameters.get("required", ())) <= set(parameters.get("properties", ())):
            yield f"{name} requires a parameter that it does not declare"
