"""What every strict endpoint takes, and how a conversation becomes that. Pure.

A call has one id that nobody else has, plain names, arguments that are an object, and exactly one result,
right behind its batch and in call order. The first message is the user's, no message is empty, no two of
the assistant's follow each other, and the last one leaves something to answer. Whatever an interrupt, a
crash, a compaction, a fork or a rollback left is put right here, and says what it is.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hermes_tui.engine.messages import Message, ToolCall

NO_RESULT: Final = (
    "[interrupted; outcome unknown: nobody was there when the call ended, or it never ran. "
    "Check before you rely on it or repeat it]"
)
EMPTY_RESULT: Final = "[no output]"
NO_BEGINNING: Final = "[note by the program, not by the user: what was said before is not here]"
BROKE_OFF: Final = "[this answer broke off here]"
GO_ON: Final = "[note by the program, not by the user: go on]"

LONGEST_NAME: Final = 64
LONGEST_ID: Final = 64


def clean(message: Message) -> Message:
    """Return a message whose calls a strict endpoint takes back: plain names, arguments that are objects."""
    if not message.calls:
        return message
    return replace(message, calls=tuple(_clean_call(call) for call in message.calls))


def repaired(messages: Sequence[Message]) -> list[Message]:
    """Return the conversation in a valid order: one result behind each call, unique ids, nothing empty."""
    return list(_opened(_joined(_paired(messages))))


def answerable(messages: Sequence[Message]) -> list[Message]:
    """Return the conversation as it may be sent: repaired, with something to answer at its end."""
    result = [_marked(message) for message in repaired(messages)]
    if not result or result[-1].role == "assistant":
        result.append(Message("user", GO_ON, kind="note"))
    return result


def free_id(wanted: str, taken: set[str]) -> str:
    """Return an id that is not taken, this one if it can be."""
    wanted = wanted.strip()[:LONGEST_ID]
    if wanted and wanted not in taken:
        return wanted
    stem = wanted[: LONGEST_ID - 8] or "call"
    names = (f"{stem}-{number}" for number in itertools.count(2 if wanted else 1))
    return next(name for name in names if name not in taken)


# -- the steps ----------------------------------------------------------------------------------------


def _paired(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the messages with each batch followed by its results; what belongs to no batch is left out."""
    taken: set[str] = set()
    position = 0
    while position < len(messages):
        message = messages[position]
        position += 1
        if message.role in ("tool", "system") or _is_empty(message):
            continue
        results: dict[str | None, list[Message]] = {}
        while message.calls and position < len(messages) and messages[position].role == "tool":
            results.setdefault(messages[position].call_id, []).append(messages[position])
            position += 1
        calls = _renamed(message.calls, taken)
        yield message if calls == message.calls else replace(message, calls=calls)
        for before, after in zip(message.calls, calls, strict=True):
            found = results.get(before.id)
            yield _result(after.id, found.pop(0) if found else None)


def _joined(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages, with answers that follow each other made one."""
    waiting: Message | None = None
    for message in messages:
        if waiting is not None and message.role == "assistant":
            waiting = _both(waiting, message)
        elif waiting is not None:
            yield waiting
            waiting = None
        if waiting is None and message.role == "assistant" and not message.calls:
            waiting = message
        elif waiting is None:
            yield message
        elif waiting.calls:
            yield waiting
            waiting = None
    if waiting is not None:
        yield waiting


def _opened(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages, behind a note if the user does not come first."""
    for number, message in enumerate(messages):
        if number == 0 and message.role != "user":
            yield Message("user", NO_BEGINNING, kind="note")
        yield message


def _marked(message: Message) -> Message:
    """Return the message as the model gets it: an answer that broke off says so."""
    if not message.broken:
        return message
    return replace(message, content=f"{message.content.rstrip()}\n{BROKE_OFF}".lstrip())


def _both(first: Message, second: Message) -> Message:
    content = "\n\n".join(text for text in (first.content, second.content) if text.strip())
    reasoning = second.reasoning or first.reasoning
    return replace(second, content=content, reasoning=reasoning)


def _result(call_id: str, found: Message | None) -> Message:
    if found is None:
        return Message("tool", NO_RESULT, call_id=call_id)
    if found.call_id == call_id and found.content:
        return found
    return replace(found, content=found.content or EMPTY_RESULT, call_id=call_id)


def _is_empty(message: Message) -> bool:
    """Whether a message says nothing: blanks are nothing, and thinking alone is no answer."""
    return not (message.content.strip() or message.calls or message.images)


def _renamed(calls: Sequence[ToolCall], taken: set[str]) -> tuple[ToolCall, ...]:
    """Return the calls with ids that nobody in the conversation has."""
    renamed: list[ToolCall] = []
    for call in calls:
        call_id = free_id(call.id, taken)
        taken.add(call_id)
        renamed.append(call if call_id == call.id else replace(call, id=call_id))
    return tuple(renamed)


def _clean_call(call: ToolCall) -> ToolCall:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name.strip())[:LONGEST_NAME] or "unknown"
    arguments = call.arguments if _is_object(call.arguments) else "{}"
    if (name, arguments) == (call.name, call.arguments):
        return call
    return replace(call, name=name, arguments=arguments)


def _is_object(arguments: str) -> bool:
    """Whether every parser reads one object in the text; Python's own also reads NaN."""
    try:
        return isinstance(json.loads(arguments, parse_constant=_refuse), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
