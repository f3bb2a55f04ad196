"""A session as text for others: Markdown to read, JSON to work with, stream-json to play again.

All that was said is in it, also what the model no longer gets, which is said; keys are taken out.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.messages import Message
from hermes_tui.redact import redacted, redacted_value
from hermes_tui.sessions import library
from hermes_tui.sessions.library import Session, Stored
from hermes_tui.sessions.rows import as_dict, to_json
from hermes_tui.text import escaped, harmless, one_line

FORMS: Final = ("markdown", "json", "stream-json")
ENDINGS: Final = {"markdown": "md", "json": "json", "stream-json": "jsonl"}
"""How a file of each is called."""

_HEADS: Final = {"user": "You", "assistant": "Assistant"}
_KINDS: Final = {"note": "Note by the program", "steer": "You, meanwhile", "summary": "Summary"}


def export(connection: sqlite3.Connection, session: Session, form: str) -> str:
    """Return the session in one of `FORMS`; `UsageError` for another."""
    if form not in FORMS:
        raise UsageError(f"no export format {form!r}; there are {', '.join(FORMS)}")
    if form == "stream-json":
        lines = replayable(library.events(connection, session.id))
        return "".join(_line(line) for line in lines)
    stored = library.conversation(connection, session.id)
    if form == "json":
        said = [{**_place(each), **as_dict(each.message)} for each in stored]
        return _line({"session": asdict(session), "messages": said})
    return markdown(session, stored)


def replayable(events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the events as they were shown: with the text of each answer, which its message stands for."""
    for event in events:
        event.pop("row", None)
        message = event.get("message") or {}
        if event["type"] == "message_done" and message.get("content"):
            stamp = {"time": event["time"], "agent": event["agent"]}
            yield {"type": "text_delta", **stamp, "text": message["content"]}
        yield event


def markdown(session: Session, stored: Sequence[Stored]) -> str:
    """Return the conversation as Markdown."""
    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(session.created))
    facts = [began, session.model, session.project, f"session {session.id}"]
    head = f"# {session.title or 'Untitled'}\n\n{' · '.join(fact for fact in facts if fact)}\n"
    return redacted(harmless("\n".join([head, *_parts(stored)])))


def _line(value: Any) -> str:
    return escaped(to_json(redacted_value(value)).decode()) + "\n"


def _parts(stored: Sequence[Stored]) -> Iterator[str]:
    calls = {call.id: call.name for each in stored for call in each.message.calls}
    for each in stored:
        message = each.message
        gone = "" if each.live else " (no longer sent to the model)"
        if message.role == "tool":
            name = calls.get(message.call_id or "", "call")
            yield f"### Result of {name}{gone}\n\n{fenced(message.content)}\n"
            continue
        head = _KINDS.get(message.kind) or _HEADS.get(message.role, message.role)
        yield f"## {head}{gone}\n\n{_body(message)}\n"


def _body(message: Message) -> str:
    parts = [message.content.strip()] if message.content.strip() else []
    parts += ["*the answer broke off here*"] if message.broken else []
    parts += [f"*picture: {one_line(image.name, 200)}*" for image in message.images]
    parts += [f"- called `{call.name}`\n\n{fenced(call.arguments, 'json')}" for call in message.calls]
    return "\n\n".join(parts)


def fenced(text: str, language: str = "") -> str:
    """Return text as a block of code, whatever fences it holds itself."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _place(each: Stored) -> dict[str, Any]:
    return {"id": each.key, "time": each.time, "live": each.live}
