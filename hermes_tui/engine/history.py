"""The conversation, always in a shape that a strict endpoint takes.

Each call has one id, unique in the conversation, and exactly one tool message right behind its batch; the
arguments that are sent back parse to an object. Belongs to the engine thread.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from hermes_tui.engine.messages import Message, ToolCall

NO_RESULT: Final = "[no result: the call was interrupted]"

LONGEST_NAME: Final = 64


class History:
    """The messages of a session, and whoever records them."""

    def __init__(self, messages: Sequence[Message], record: Callable[[Message], None]) -> None:
        self._record = record
        self.messages = [clean(message) for message in messages]
        """The conversation; the engine thread may replace or empty it between turns."""

    def add(self, message: Message) -> None:
        """Append a message and record it."""
        self.messages.append(message)
        self._record(message)

    def add_answer(self, message: Message) -> Message:
        """Append a model's answer; return it with the ids its calls go by, and the arguments as sent."""
        message = replace(message, role="assistant", calls=self._with_ids(message.calls))
        self.add(clean(message))
        return message

    def valid(self) -> list[Message]:
        """Return the conversation as it may be sent: no call without a result, no result without a call."""
        return repaired(self.messages)

    def _with_ids(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        taken = {call.id for message in self.messages for call in message.calls}
        renamed: list[ToolCall] = []
        for call in calls:
            call_id = _free(call.id.strip(), taken)
            taken.add(call_id)
            renamed.append(replace(call, id=call_id))
        return tuple(renamed)


def _free(wanted: str, taken: set[str]) -> str:
    if wanted and wanted not in taken:
        return wanted
    names = (f"{wanted or 'call'}-{number}" for number in itertools.count(2 if wanted else 1))
    return next(name for name in names if name not in taken)


def clean(message: Message) -> Message:
    """Return a message whose calls a strict endpoint takes back: plain names, arguments that are objects."""
    if not message.calls:
        return message
    return replace(message, calls=tuple(_clean_call(call) for call in message.calls))


def _clean_call(call: ToolCall) -> ToolCall:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name.strip())[:LONGEST_NAME] or "unknown"
    return replace(call, name=name, arguments=call.arguments if _is_object(call.arguments) else "{}")


def _is_object(arguments: str) -> bool:
    """Whether every parser reads one object in the text; Python's own also reads NaN."""
    try:
        return isinstance(json.loads(arguments, parse_constant=_refuse), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def repaired(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with exactly one result behind each call, in call order, and no empty answer."""
    result: list[Message] = []
    position = 0
    while position < len(messages):
        message = messages[position]
        position += 1
        if message.role == "tool" or (message.role == "assistant" and not (message.content or message.calls)):
            continue
        result.append(message)
        if not message.calls:
            continue
        results: dict[str | None, Message] = {}
        while position < len(messages) and messages[position].role == "tool":
            results.setdefault(messages[position].call_id, messages[position])
            position += 1
        for call in message.calls:
            result.append(results.get(call.id) or Message("tool", NO_RESULT, call_id=call.id))
    return result
