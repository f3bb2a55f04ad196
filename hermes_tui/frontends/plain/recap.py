"""The end of a conversation that is taken up again, in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes_tui.engine.messages import Message
from hermes_tui.frontends.plain.answer import inline
from hermes_tui.frontends.plain.paper import Paper

MOST: Final = 6
"""Messages that are shown."""
LINES: Final = 12
"""Lines of one message that are shown."""


def recap(messages: Sequence[Message], paper: Paper) -> None:
    """Write the last messages that somebody said; results of calls are only counted."""
    said = [message for message in messages if message.role in ("user", "assistant")]
    shown = said[-MOST:]
    if not shown:
        return
    more = f", {len(said) - len(shown)} more before" if len(said) > len(shown) else ""
    paper.line(f"[a conversation of {len(said)} messages goes on{more}]", "note")
    for message in shown:
        lines = message.content.strip().split("\n") if message.content.strip() else []
        if message.role == "user" and lines:
            paper.line(f"you> {lines[0]}", "strong")
            lines = lines[1:]
        for line in lines[:LINES]:
            paper.spans(inline(line))
        if len(lines) > LINES:
            paper.line(f"… {len(lines) - LINES} more lines …", "note")
        if message.calls:
            names = ", ".join(dict.fromkeys(call.name for call in message.calls))
            paper.line(f"[{len(message.calls)} call{'s' * (len(message.calls) != 1)}: {names}]", "note")
