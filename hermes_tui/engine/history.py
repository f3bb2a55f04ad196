"""The conversation of a session: what joins it, where it may be cut, and what of it is sent.

Belongs to the engine thread. What is valid is decided in `validity.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.engine.protocols import Recorder
from hermes_tui.engine.validity import NO_RESULT, answerable, clean, free_id, repaired

__all__ = ["NO_RESULT", "History", "boundaries", "clean", "prompt_of", "repaired", "resumed", "seams"]


class History:
    """The messages of a session, and whoever records them."""

    def __init__(self, messages: Sequence[Message], recorder: Recorder) -> None:
        self._recorder = recorder
        self.messages: list[Message] = []
        """The conversation; the engine thread may replace or empty it between turns."""
        self.take_up(messages)

    def take_up(self, messages: Sequence[Message]) -> None:
        """Go on from a stored conversation, made valid; what that changed is recorded."""
        self.messages = resumed(messages)
        if self.messages != list(messages):
            self._recorder.replaced(self.messages)

    def add(self, message: Message) -> None:
        """Append a message and record it."""
        self.messages.append(message)
        self._recorder.message(message)

    def cut(self, keep: int) -> None:
        """Go back to the first `keep` messages."""
        del self.messages[keep:]
        self._recorder.cut(keep)

    def replace(self, messages: Sequence[Message]) -> None:
        """Go on from these messages instead."""
        self.messages = [clean(message) for message in messages]
        self._recorder.replaced(self.messages)

    def add_answer(self, message: Message) -> Message:
        """Append a model's answer; return it with the ids its calls go by, and the arguments as sent."""
        message = replace(message, role="assistant", calls=self._with_ids(message.calls))
        self.add(clean(message))
        return message

    def valid(self) -> list[Message]:
        """Return the conversation as it may be sent."""
        return answerable(self.messages)

    def _with_ids(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        taken = {call.id for message in self.messages for call in message.calls}
        renamed: list[ToolCall] = []
        for call in calls:
            call_id = free_id(call.id, taken)
            taken.add(call_id)
            renamed.append(replace(call, id=call_id))
        return tuple(renamed)


def resumed(messages: Sequence[Message]) -> list[Message]:
    """Return a conversation that was stored, as it can go on: valid, with a labelled result for each call."""
    return repaired([clean(message) for message in messages])


def boundaries(messages: Sequence[Message]) -> list[int]:
    """Return the positions at which turns begin, ascending: each prompt, with the notes right before it.

    A conversation cut at one of them, `messages[:position]` or `messages[position:]`, is whole turns. A
    summary begins a turn of its own; what the user sent while a turn ran does not.
    """
    found: list[int] = []
    start: int | None = None
    for position, message in enumerate(messages):
        if message.role == "user" and message.kind == "note":
            start = position if start is None else start
        elif message.role == "user" and message.kind != "steer":
            found.append(position if start is None else start)
            start = None
        else:
            start = None
    return found


def prompt_of(messages: Sequence[Message], call: str) -> int | None:
    """Return the position of the prompt whose turn made a call; None when one of the two is not there."""
    prompt: int | None = None
    for position, message in enumerate(messages):
        if message.role == "user" and message.kind in ("", "summary"):
            prompt = None if message.kind else position
        if any(made.id == call for made in message.calls):
            return prompt
    return None


def seams(messages: Sequence[Message]) -> list[int]:
    """Return the positions at which a cut parts no call from its result: before anything but a result."""
    return [position for position, message in enumerate(messages) if message.role != "tool"]
