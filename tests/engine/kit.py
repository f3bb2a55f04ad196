"""A small working world around the engine: real tools, a real disk, a scripted model, a person who answers.

Everything implements the protocols of `engine/protocols.py`; nothing stands in for a part of the engine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from hermes_tui.engine.agent import Agent
from hermes_tui.engine.events import CallFinished, Event, QuestionAsked, TurnFinished
from hermes_tui.engine.messages import Message
from hermes_tui.engine.parts import NoRecorder, Options, Parts
from hermes_tui.engine.protocols import Guard, Tool
from hermes_tui.engine.state import StateSource
from tests.engine.around import Journal, Person, RealDisk, Say, Script
from tests.engine.tools import Box, ordinary

E = TypeVar("E", bound=Event)

PATIENCE = 20.0
"""Seconds that a test waits for something before it fails."""


def until(condition: Callable[[], Any]) -> None:
    """Return when the condition holds; fail when it does not in time."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.002)


class Recorded(NoRecorder):
    """Remembers the messages."""

    def __init__(self, messages: list[Message]) -> None:
        self._messages = messages

    def message(self, message: Message) -> None:
        """Remember it."""
        self._messages.append(message)


@dataclass
class World:
    """An agent in a folder, with everything it said so far."""

    folder: Path
    model: Script
    agent: Agent
    events: list[Event] = field(default_factory=list)
    journal: Journal = field(default_factory=Journal)
    recorded: list[Message] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def collect(self) -> None:
        with self._lock:
            self.events.extend(self.agent.events.drain())

    def of(self, kind: type[E]) -> list[E]:
        """Everything of one kind so far."""
        self.collect()
        return [event for event in self.events if isinstance(event, kind)]

    def wait(self, kind: type[E], count: int = 1) -> E:
        """The count-th event of a kind, when it has come."""
        until(lambda: len(self.of(kind)) >= count)
        return self.of(kind)[count - 1]

    def turn(self, prompt: str = "go") -> TurnFinished:
        """Run one turn to its end."""
        before = len(self.of(TurnFinished))
        self.agent.submit(prompt)
        return self.wait(TurnFinished, before + 1)

    def statuses(self) -> dict[str, str]:
        """Each call's status."""
        return {event.id: event.status for event in self.of(CallFinished)}

    def results(self) -> list[tuple[str | None, str]]:
        """What the model got for each call when it was asked last, in order."""
        return [(m.call_id, m.content) for m in history_of(self.model) if m.role == "tool"]

    def result(self, call_id: str) -> CallFinished:
        """The one call_finished of a call."""
        (found,) = [event for event in self.of(CallFinished) if event.id == call_id]
        return found

    def question(self, count: int = 1) -> QuestionAsked:
        """The count-th question, when it was asked."""
        return self.wait(QuestionAsked, count)

    def types(self) -> list[str]:
        """The kinds of all events, in order."""
        self.collect()
        return [event.type for event in self.events]


def world(folder: Path, *lines: Say, tools: Sequence[Tool] = (), **more: Any) -> World:
    """Build an agent. `more`: permissions, guards, checkpoints, state, other parts, or any option."""
    journal = Journal()
    model = Script(*lines)
    recorded: list[Message] = []
    guards: Sequence[Guard] = more.pop("guards", ())
    parts = Parts(
        provider=model,
        toolbox=more.pop("toolbox", Box([*ordinary(), *tools])),
        permissions=more.pop("permissions", Person()),
        checkpoints=more.pop("checkpoints", journal),
        disk=RealDisk(),
        system=lambda: "be brief",
        state=more.pop("state", StateSource()),
        guards=guards,
        recorder=Recorded(recorded),
        **{
            name: more.pop(name)
            for name in ("keep_text", "carry", "news", "images", "foreign")
            if name in more
        },
    )
    agent = Agent(parts, Options(folder=folder, **more))
    return World(folder, model, agent, journal=journal, recorded=recorded)


def history_of(model: Script) -> list[Message]:
    """The conversation as the model got it last."""
    return list(model.requests[-1].messages)
