"""External memory: what earlier turns said, found by meaning. Off unless the user configured one.

States what a memory provider implements, and what a turn and a tool ask of it. Keeps nothing itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from hermes_tui.engine.foreign import DATA
from hermes_tui.engine.interrupt import Token

SOURCE: Final = "external memory"
"""What questions and results call it."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """One turn that was kept."""

    text: str
    """What was asked and what was answered, shortened, without keys."""
    time: float
    """When, in Unix seconds."""
    session: str
    """In which session."""
    score: float = 1.0
    """How near it is to what was looked for: 1 is the same, 0 has nothing to do with it."""


Embed = Callable[[Sequence[str]], list[list[float]]]
"""Turns texts into vectors, one each, at the endpoint that the user configured; raises `HermesError`."""


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """What a memory provider is given when it is opened."""

    folder: Path
    """Its own folder for this project: there, and for the user alone (0700)."""
    embed: Embed
    """May be left alone by a provider that needs no vectors."""
    model: str
    """The embedding model: vectors of two models cannot be compared. Empty: none is set."""


class MemoryProvider(Protocol):
    """Keeps turns and finds them again. Called from one thread of its own; whatever it raises is a notice."""

    def recall(self, query: str, limit: int) -> Sequence[Remembered]:
        """Return at most `limit` turns, the nearest first; may take its time."""

    def store(self, turn: Remembered) -> None:
        """Keep one turn."""

    def close(self) -> None:
        """Let go of files and connections."""


OpenMemory = Callable[[MemoryPlace], MemoryProvider]


class ExternalMemory(Protocol):
    """The session's external memory, for the turn and for tools. Thread-safe."""

    def before(self, prompt: str, session: str, token: Token) -> Sequence[Remembered]:
        """Return what other sessions said near to a prompt; raises nothing, a failure is one notice."""

    def after(self, prompt: str, answer: str, session: str) -> None:
        """Keep a turn that is done; returns at once and raises nothing."""

    def search(self, query: str, limit: int, token: Token) -> Sequence[Remembered]:
        """Return the nearest turns; `ToolError` says why there are none, `Interrupted` at once."""


class NoMemory:
    """Remembers nothing."""

    def before(self, prompt: str, session: str, token: Token) -> Sequence[Remembered]:
        """Return nothing."""
        return ()

    def after(self, prompt: str, answer: str, session: str) -> None:
        """Forget it."""

    def search(self, query: str, limit: int, token: Token) -> Sequence[Remembered]:
        """Return nothing."""
        return ()


def told(turns: Sequence[Remembered]) -> str:
    """Return what was remembered as text for the model: marked as data, and quoted to its end."""
    parts = [time.strftime("%Y-%m-%d:\n", time.localtime(turn.time)) + _quoted(turn.text) for turn in turns]
    return "\n\n".join([f"[from {SOURCE}: {DATA}; earlier sessions, which may be out of date]", *parts])


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())
