"""Makes long texts of a conversation short, and says so: head and tail stay, what is left out is counted.

Pure but for `keep`, which puts a whole text where the model can read it. Must never leave a message that
is not valid, or a cut that does not say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hermes_tui.engine.messages import Message, ToolCall

Keep = Callable[[str, str], str]
"""Keeps a text under a name and returns where it can be read, in words; empty: nowhere."""

NOTE: Final = 400
"""Characters that a note may take: a text not longer than that over its limit stays whole."""
SMALLEST: Final = 40
"""The same within arguments."""
KEPT: Final = re.compile(r"full text: (?P<where>[^\n]+?) …\]")
"""Where a text that was cut before says that the whole of it lies."""


def capped(text: str, limit: int, keep: Keep | None = None, name: str = "") -> str:
    """Return a text that fits: head and tail of a longer one, how much was left out, and where all of it is.

    `limit` counts characters; the note comes on top of them.
    """
    if len(text) <= limit:
        return text
    known = KEPT.search(text)
    where = known["where"] if known else (keep(name, text) if keep is not None else "")
    tail = limit // 4
    head = limit - tail
    cut = len(text) - head - tail
    hint = f"full text: {where}" if where else "ask for a part"
    return (
        f"{text[:head]}\n[… {cut} of {len(text)} characters left out here; {hint} …]\n"
        f"{text[-tail:] if tail else ''}"
    )


def shortened(message: Message, limit: int, keep: Keep) -> Message:
    """Return a message none of whose texts is longer than `limit` characters, each with its note."""
    if len(message.content) > limit + NOTE:
        name = message.call_id or message.role
        message = replace(message, content=capped(message.content, limit, keep, name))
    if message.reasoning and len(message.reasoning) > limit:
        message = replace(message, reasoning=message.reasoning[:limit])
    if any(len(call.arguments) > limit for call in message.calls):
        message = replace(message, calls=tuple(_short_call(call, limit) for call in message.calls))
    return message


def _short_call(call: ToolCall, limit: int) -> ToolCall:
    """Return a call whose long texts are cut; its arguments stay an object."""
    if len(call.arguments) <= limit:
        return call
    short = json.dumps(_short_value(json.loads(call.arguments), limit // 2), ensure_ascii=False)
    if len(short) > 4 * limit:
        short = json.dumps({"left out": f"{len(call.arguments)} characters of arguments"})
    return replace(call, arguments=short) if len(short) < len(call.arguments) else call


def _short_value(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        left = len(value) - limit
        return value if left <= SMALLEST else f"{value[:limit]} [… {left} characters left out here …]"
    if isinstance(value, dict):
        return {key: _short_value(each, limit) for key, each in value.items()}
    if isinstance(value, list):
        return [_short_value(each, limit) for each in value]
    return value
