"""The session's state that a tool may ask for by protocol; `dispatch.py` injects it.

The registry never knows which agent runs: a tool names one of these, assemble supplies the object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from hermes_tui.engine.interrupt import Token


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the person at the terminal."""

    text: str
    choices: tuple[str, ...] = ()
    multiple: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """How a question ended. Only `answered` is an answer; nothing else is ever consent."""

    how: Literal["answered", "cancelled", "refused"]
    answer: str = ""


class Asker(Protocol):
    """Asks the user and waits; the call's slot is free meanwhile."""

    def ask(self, question: Question) -> Reply:
        """Return the reply; `Interrupted` when the call is stopped meanwhile."""


class Reads(Protocol):
    """What the model has read in this session: content hashes by canonical path. Thread-safe."""

    def note(self, path: Path, content_hash: str, text: bytes) -> None:
        """Remember that the model has seen (or written) the file with this content."""

    def hash(self, path: Path) -> str | None:
        """Return the hash the model last saw, or None if it never read the file."""

    def seen(self, path: Path) -> bytes | None:
        """Return what it last saw, to say what changed; None if that is not kept."""

    def forget(self, path: Path | None = None) -> None:
        """Drop one path, or all."""


@dataclass(slots=True)
class Todo:
    """One item of the todo list."""

    id: str
    content: str
    status: Literal["pending", "in_progress", "completed", "cancelled"] = "pending"


class Todos(Protocol):
    """The session's todo list. Thread-safe."""

    def items(self) -> list[Todo]:
        """Return the list, in order."""

    def write(self, todos: Sequence[Todo], merge: bool) -> list[Todo]:
        """Replace the list, or update it by id; return it."""


class Inherited(Protocol):
    """What every command inherits."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The program's environment at its start, non-interactive and without its own keys."""


@dataclass(frozen=True, slots=True)
class BackgroundInfo:
    """One background process as the model sees it."""

    id: str
    command: str
    running: bool
    exit_code: int | None
    """None while it runs."""


class Background(Protocol):
    """The table of processes started with `background=true`. Thread-safe."""

    def start(self, command: str, folder: Path) -> str:
        """Start a command and return its id."""

    def list(self) -> list[BackgroundInfo]:
        """Return every one of this session, oldest first."""

    def log(self, process_id: str, offset: int, limit: int) -> str:
        """Return `limit` lines of its output from line `offset` (negative: from the end)."""

    def wait(self, process_id: str, timeout: float, token: Token) -> BackgroundInfo:
        """Return when it ends, after `timeout` seconds, or with `Interrupted`."""

    def kill(self, process_id: str) -> BackgroundInfo:
        """End its whole process group."""

    def close(self) -> None:
        """End all of them."""


@dataclass(frozen=True, slots=True)
class StateSource:
    """Where dispatch finds the implementations of the state protocols: protocol → object."""

    objects: Mapping[type[Any], Any] = field(default_factory=dict)
