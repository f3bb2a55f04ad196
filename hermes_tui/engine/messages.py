"""The conversation as plain data, in the shape every OpenAI-compatible endpoint takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hermes_tui.engine.errors import BadArguments

Role = Literal["system", "user", "assistant", "tool"]
Kind = Literal["", "note", "steer", "summary"]
"""What a user message really is: the user's prompt, a note by the program, what the user sent while a turn
ran, or the summary that stands for what was said before."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as the model sent it."""

    id: str
    name: str
    arguments: str
    """Raw text, as sent: it may be blank (counts as `{}`) or no JSON at all."""
    written: bool = False
    """Whether the model wrote it into its text, where a server that reads no calls left it."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that the user put beside a prompt. Its bytes lie in a file of the program's own."""

    name: str
    """As the user named it."""
    media: str
    """`image/png`, `image/jpeg`, `image/gif` or `image/webp`."""
    path: str
    """The copy that is sent; it may be gone in an old session."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the conversation."""

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    """For an assistant message: the batch it asks for, in order."""
    call_id: str | None = None
    """For a tool message: the call it answers."""
    reasoning: str = ""
    """For an assistant message: the model's thinking, for providers that want it back."""
    broken: bool = False
    """For an assistant message: whether it broke off; the model is told so."""
    kind: Kind = ""
    """For a user message: what it really is."""
    images: tuple[Image, ...] = ()
    """For a user message: the pictures beside its text."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that the server counted for one request."""

    input: int
    output: int
    cached: int = 0
    """Those of `input` that the server had in its cache."""


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """What the model is told of one tool."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


def parse_arguments(raw: str) -> dict[str, Any]:
    """Return a call's arguments as an object; blank text is `{}`.

    Raises `BadArguments` when the text is no JSON or no object.
    """
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BadArguments(f"invalid JSON arguments: {error}. Send one JSON object.") from None
    if not isinstance(value, dict):
        raise BadArguments(f"arguments must be one JSON object, not {type(value).__name__}.")
    return value
