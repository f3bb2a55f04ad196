"""The session's state that a tool may ask for by protocol; `dispatch.py` injects it.

The registry never knows which agent runs: a tool names one of these, assemble supplies the object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Result

T = TypeVar("T")


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

    @property
    def walls(self) -> str:
        """What a command cannot do because the user shuts commands in, in words; empty: nothing."""

    def placed(self, command: str, folder: Path) -> str:
        """Return the command line to run for a command: itself, or it shut in.

        `ToolError` when it has to be shut in and cannot be.
        """


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


class Spool(Protocol):
    """Takes the whole of an output whose result will be cut, while it comes. One thread at a time."""

    def write(self, text: str) -> None:
        """Take the next piece; never raises."""

    def end(self) -> str:
        """Return where all of it can be read, in words; nothing when it was short or could not be kept."""


class Texts(Protocol):
    """Keeps what is too long for the conversation, where the model can read it. Thread-safe."""

    def spool(self, name: str) -> Spool:
        """Return what keeps one output, under a name (its call's id)."""


@dataclass(frozen=True, slots=True)
class StateSource:
    """Where dispatch finds the implementations of the state protocols: protocol → object."""

    objects: Mapping[type[Any], Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """One task for a sub-agent."""

    goal: str
    context: str = ""
    """What it has to know beyond the goal: it sees nothing of the conversation."""


Reason = Literal["done", "interrupted", "limit", "error"]
"""How a turn ends."""


@dataclass(frozen=True, slots=True)
class Report:
    """How a sub-agent's task ended."""

    reason: Reason
    text: str
    """Its last words; empty if it had none."""
    error: str = ""
    """Why it is not done, in one line."""


class Calls(Protocol):
    """Lets a call make calls of its own; they are judged, asked about and recorded like any other."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> Result:
        """Run one, and return its result; one at a time."""


class Delegates(Protocol):
    """Lets sub-agents work on tasks, all at once; the call that asks holds no slot meanwhile."""

    def work(self, tasks: Sequence[Task]) -> list[Report]:
        """Return one report for each task, in order; `Interrupted`, with what was done, when stopped."""


NotesOn = Literal["project", "user"]
"""What is remembered: of this project, or of the user in every project."""


class Memory(Protocol):
    """Notes that outlive the session. Thread-safe; other sessions write them too."""

    def entries(self, target: NotesOn) -> list[str]:
        """Return the notes, oldest first."""

    def add(self, target: NotesOn, content: str) -> None:
        """Add a note; `ToolError` when there is no room."""

    def replace(self, target: NotesOn, old: str, content: str) -> None:
        """Put another in the place of the one note that holds the text `old`; `ToolError` if not one does."""

    def remove(self, target: NotesOn, old: str) -> None:
        """Remove the one note that holds the text `old`; `ToolError` if not one does."""


@dataclass(frozen=True, slots=True)
class Skill:
    """Instructions for one kind of work, in a folder of their own."""

    name: str
    description: str
    category: str
    """The folders between the skills' folder and its own; empty for none."""
    folder: Path
    damage: str = ""
    """Why it cannot be used; empty when it can."""


class Skills(Protocol):
    """The skills of the user and of the trusted project. Thread-safe."""

    def all(self) -> list[Skill]:
        """Return every one, damaged ones too, by name; the project's beats the user's of the same name."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of this or an earlier session."""

    id: int
    """Over all sessions."""
    session: str
    title: str
    """Its session's."""
    time: float
    role: str
    text: str
    """What of it was asked for: all, or the part that matches."""


class SessionSearch(Protocol):
    """What was said, up to the batch that runs now: a batch sees nothing of itself. Thread-safe."""

    def find(self, query: str, limit: int, session: str | None, roles: Sequence[str]) -> Sequence[Said]:
        """Return the best matches in all sessions, or in one, best first; `roles` empty: of anybody."""

    def around(self, session: str, message: int | None, window: int) -> Sequence[Said]:
        """Return a message and up to `window` on each side, oldest first; None: the newest of the session."""


@dataclass(frozen=True, slots=True)
class WebHit:
    """One page that a search found."""

    title: str
    url: str
    text: str
    """A few words of it."""


class Web(Protocol):
    """The web. Each method ends at once with `Interrupted` when the token is set. Thread-safe."""

    def page(self, url: str, token: Token) -> str:
        """Return a page as text; `ToolError` says why there is none."""

    def data(self, url: str, token: Token) -> bytes:
        """Return a file as it is; `ToolError` likewise."""

    def search(self, query: str, limit: int, token: Token) -> list[WebHit]:
        """Return at most `limit` hits, best first."""


class Sight(Protocol):
    """Lets a model look at a picture. Thread-safe."""

    def look(self, picture: bytes, question: str, token: Token) -> str:
        """Return what the model says of a PNG; `ToolError` when none can look, `Interrupted` at once."""


@dataclass(frozen=True, slots=True)
class Private:
    """Where the program and the user keep what code that a model wrote has no business with."""

    project: Path | None
    """The project's folder; None where there is none."""
    home: Path
    """The user's home folder."""
    places: tuple[Path, ...]
    """The program's own folders."""


class Browser(Protocol):
    """The session's one browser page. Actions run one after another, in a thread of its own."""

    def do(self, action: Callable[[Any], T], token: Token) -> T:
        """Run an action on the page (playwright's) and return its result.

        `ToolError` when it fails or takes too long, `Interrupted` at once when the token is set.
        """

    def console(self) -> list[str]:
        """Return what the page has logged, newest last."""
