"""Messages and events as the tables hold them, and back. Any text goes in and comes out as it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar

import msgspec

from hermes_tui.engine.messages import Image, Message, ToolCall

T = TypeVar("T")

COLUMNS = "role, kind, content, call_id, extra"
"""What `message_of` takes, in this order."""
_FIELDS = {kind: {each.name for each in fields(kind)} for kind in (Message, ToolCall, Image)}
_OWN = ("role", "kind", "content", "call_id")
"""Fields that have a column; the others are in `extra`, whatever fields there will be."""


def encode(text: str) -> bytes:
    """Return any text as bytes, half surrogates too."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes | str) -> str:
    """Return the text that `encode` got; whatever a damaged file holds becomes some text."""
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def to_json(value: Any) -> bytes:
    """Return a value as one line of UTF-8; what that cannot hold is escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return json.dumps(value, default=str).encode()


def from_json(data: bytes) -> Any:
    """Return the value of a line; None when it is damaged."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        pass
    try:
        return json.loads(decode(data))
    except ValueError:
        return None


def row_of(message: Message) -> tuple[str, str, bytes, str | None, bytes | None]:
    """Return a message as `COLUMNS`."""
    extra = {key: value for key, value in as_dict(message).items() if key not in _OWN}
    return (
        message.role,
        message.kind,
        encode(message.content),
        message.call_id,
        to_json(extra) if extra else None,
    )


def message_of(row: Sequence[Any]) -> Message:
    """Return the message of a row that begins with `COLUMNS`."""
    role, kind, content, call_id, packed = row[:5]
    if packed is None:
        return Message(role, decode(content), call_id=call_id, kind=kind)
    extra: dict[str, Any] = from_json(packed) or {}
    calls = tuple(_made(ToolCall, each) for each in extra.pop("calls", ()))
    images = tuple(_made(Image, each) for each in extra.pop("images", ()))
    message = Message(role, decode(content), calls, call_id, kind=kind, images=images)
    return replace(message, **_known(Message, extra)) if extra else message


def as_dict(message: Message) -> dict[str, Any]:
    """Return a message as exports show it: only what it has."""
    whole = asdict(message)
    return {key: value for key, value in whole.items() if key in ("role", "content") or value}


def _made(kind: type[T], values: dict[str, Any]) -> T:
    """Return a dataclass from what was stored, whatever fields a later or earlier program had."""
    return kind(**_known(kind, values))


def _known(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return the values for which the dataclass has a field."""
    known = _FIELDS[kind]
    return values if values.keys() <= known else {key: values[key] for key in values if key in known}
