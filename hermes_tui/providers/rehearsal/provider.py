"""Implements the engine's Provider with rules instead of a model: for trying everything with no network.

It says what it is and never pretends to understand more than its rules. The same request gives the same
calls; what it says afterwards is computed from their results alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Final

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.engine.protocols import Answer, Request, Sink
from hermes_tui.providers.rehearsal.actions import Action, Kind
from hermes_tui.providers.rehearsal.grammar import read_request
from hermes_tui.providers.rehearsal.phrases import CHINESE, ENGLISH, Phrases, code
from hermes_tui.providers.rehearsal.report import plain_report, report
from hermes_tui.providers.rehearsal.split import is_chinese

PIECE: Final = re.compile(r"\S*\s+|\S+|.", re.DOTALL)
SHOWN: Final = 5
"""Labels named in a sentence before it says how many more."""


class RehearsalProvider:
    """A small rule-based stand-in; see the package's docstring."""

    model = "rehearsal"

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        """Turn the user's newest message into one batch of calls, or sum up the results of the last one."""
        asked = max((n for n, m in enumerate(request.messages) if m.role == "user"), default=-1)
        text = request.messages[asked].content if asked >= 0 else ""
        phrases = CHINESE if is_chinese(text) else ENGLISH
        actions, missing = _possible(read_request(text), {tool.name for tool in request.tools})
        since = request.messages[asked + 1 :]
        if any(message.role == "tool" for message in since):
            said = _sum_up(actions, since, phrases)
            actions = []
        else:
            said = _announce(actions, missing, phrases)
        _stream(said, sink, token)
        return Answer(Message("assistant", said, _calls(actions, request.messages)))

    def close(self) -> None:
        """Nothing is held."""


def _possible(actions: Sequence[Action], tools: set[str]) -> tuple[list[Action], list[str]]:
    """Return the actions whose tools are offered, and the names of the tools that are not.

    A call that the user wrote out by name is made in any case: trying an unknown tool is its point.
    """
    possible, missing = [], []
    for action in actions:
        names = {call.name for call in action.calls}
        if names <= tools or action.kind is Kind.CALL:
            possible.append(action)
        else:
            missing += sorted(names - tools)
    return possible, list(dict.fromkeys(missing))


def _calls(actions: Sequence[Action], messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return the batch, each call with an id that the conversation does not have yet."""
    taken = {call.id for message in messages for call in message.calls}
    ids = (name for number in count(len(taken) + 1) if (name := f"call_{number}") not in taken)
    return tuple(
        ToolCall(call_id, call.name, call.text)
        for call_id, call in zip(ids, (call for action in actions for call in action.calls), strict=False)
    )


def _announce(actions: Sequence[Action], missing: Sequence[str], phrases: Phrases) -> str:
    lines = [phrases.missing_tool.format(name=name) for name in missing]
    if actions:
        doing = phrases.joint.join(
            phrases.does[action.kind].format(what=_labels(action)) for action in actions
        )
        lines.append(doing[:1].upper() + doing[1:] + phrases.end)
    return "\n".join(lines) or phrases.unknown


def _labels(action: Action) -> str:
    labels = [code(call.label) for call in action.calls[:SHOWN]]
    more = len(action.calls) - SHOWN
    return ", ".join(labels) + (f" (+{more})" if more > 0 else "")


def _sum_up(actions: Sequence[Action], since: Sequence[Message], phrases: Phrases) -> str:
    calls = [call for message in since for call in message.calls]
    results = {message.call_id: message.content for message in since if message.role == "tool"}
    answered = [results.get(call.id, "") for call in calls]
    if [call.name for call in calls] == [call.name for action in actions for call in action.calls]:
        return report(actions, answered, phrases)
    return plain_report([call.name for call in calls], answered, phrases)


def _stream(text: str, sink: Sink, token: Token) -> None:
    """Show the text word by word; `Interrupted` with what was shown."""
    shown = 0
    for piece in PIECE.findall(text):
        if token.is_set:
            raise Interrupted(text[:shown])
        sink.text(piece)
        shown += len(piece)
