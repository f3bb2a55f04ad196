"""What the engine asks of the parts around it. Each is stated by its caller and has a handful of members.

What a turn needs: provider, tools, permissions, checkpoints, disk, guards. The state that a tool may ask for
by protocol stands in `state.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from hermes_tui.engine.events import Event
from hermes_tui.engine.footprint import Footprint, Subject
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolSchema, Usage

T = TypeVar("T")

# -- the model ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the model."""

    system: str
    messages: Sequence[Message]
    tools: Sequence[ToolSchema]


@dataclass(frozen=True, slots=True)
class Answer:
    """The model's whole answer to one request."""

    message: Message
    usage: Usage | None = None
    """None when the server did not say."""
    cost: float | None = None
    """What it cost by the price that the user gave for this endpoint; None when that is not known."""
    model: str = ""
    """Who answered; empty when nobody said."""
    context: int | None = None
    """Tokens that this model's context holds, as far as its endpoint said; None: it did not."""


class Sink(Protocol):
    """Takes an answer while it arrives."""

    def text(self, piece: str) -> None:
        """Take a piece of the answer."""

    def thinking(self, piece: str) -> None:
        """Take a piece of the model's thinking."""

    def notice(self, level: str, text: str) -> None:
        """Tell the user something (a retry, an idle stream); level is info, warning or error."""


class Provider(Protocol):
    """Answers requests. Called from the engine thread only."""

    @property
    def model(self) -> str:
        """The model's name; empty until the first answer when the server chooses it."""

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        """Ask the model and stream its answer into `sink`.

        Returns at once with `Interrupted` (content: the text so far) when `token` is set, and raises
        `ProviderError` when the model cannot be asked.
        """

    def close(self) -> None:
        """Let go of connections and threads; returns at once."""


@dataclass(frozen=True, slots=True)
class ProviderTable:
    """What a plugin's provider is made from: a `[providers.NAME]` table of config.toml."""

    name: str
    model: str
    """Empty: its own choice."""
    base_url: str
    key: str = field(repr=False)
    """From the environment variable that the table names; empty: it names none."""
    headers: Mapping[str, str]
    idle_timeout: float
    """Seconds of silence after which a request should be given up."""


MakeProvider = Callable[[ProviderTable], Provider]


# -- what is kept -------------------------------------------------------------------------------------


class Recorder(Protocol):
    """Keeps the session. Never raises: what cannot be kept is said by notice.

    `message`, `cut` and `replaced` come from the engine thread and are kept in order. `event` comes from any
    thread, before a front end sees the event, and returns when that and all before it is safe.
    """

    def message(self, message: Message) -> None:
        """Keep a message that joins the conversation."""

    def event(self, event: Event) -> None:
        """Keep what is about to be shown; deltas may wait for up to a second, live output is not kept."""

    def cut(self, keep: int) -> None:
        """Note that the conversation ends behind its first `keep` messages now; the rest stays readable."""

    def replaced(self, messages: Sequence[Message]) -> None:
        """Note that the model gets these messages from now on; what they stand for stays readable."""


# -- tools --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gives back: a part for the model and a part for the reader."""

    content: str
    """For the model; depends on nothing but the arguments and what they name."""
    display: str = ""
    """One short line for the reader: "184 lines", "+3 −1"."""
    ok: bool = True
    """False: the call failed and `content` says how to do it right."""


class Call(Protocol):
    """All that a running tool has: its folder, its token, its output, its state, the one door to the disk."""

    @property
    def id(self) -> str:
        """The call's id."""

    @property
    def folder(self) -> Path:
        """The session's folder: relative paths start here."""

    @property
    def token(self) -> Token:
        """Set when this call shall stop."""

    def output(self, text: str) -> None:
        """Show live output; never blocks."""

    def state(self, protocol: type[T]) -> T:
        """Return the session's implementation of a state protocol; `ToolError` if there is none."""

    def declared(self, path: Path) -> Path:
        """Return a canonical path that the call is about to open for reading, without following a link.

        `ToolError` when it is none of those that were judged: it leads elsewhere since then.
        """

    def replace(self, path: Path, data: bytes | None, expected: str | None, mode: int | None = None) -> None:
        """Make `path` hold `data` (None: remove it), atomically, inside the open checkpoint.

        `mode`: permission bits for a file that is new; None: those of the umask.
        `expected` is the content hash it must have now (`ABSENT` for "no such file", None for "do not
        check"). Raises `StaleFile` when it has another, `Interrupted` when the token is set: then
        nothing was written.
        """


class Tool(Protocol):
    """One thing the model can call. It declares what a given call touches; nobody else knows its name."""

    @property
    def schema(self) -> ToolSchema:
        """Name, description and JSON Schema of the arguments."""

    @property
    def for_agents(self) -> bool:
        """Whether sub-agents may use it: not one that asks the user, starts agents or keeps memories."""

    def missing(self) -> str | None:
        """Why the tool cannot work here ("no ripgrep"), or None; a missing tool is hidden from the model."""

    def footprint(self, arguments: Mapping[str, Any], folder: Path) -> Footprint:
        """Return what this call would touch now, from the arguments alone.

        Raises `BadArguments` when they do not fit.
        """

    def preview(self, arguments: Mapping[str, Any], folder: Path) -> str:
        """Return what the question shows: the exact command, or a unified diff; empty for none."""

    def run(self, arguments: Mapping[str, Any], call: Call) -> Result:
        """Do it. `ToolError` is a failed result; `Interrupted` a cancelled one with its output so far."""


class ToolBox(Protocol):
    """The registry: a pure look-up that knows no agent and no state."""

    def get(self, name: str) -> Tool | None:
        """Return the tool of this name (outer blanks ignored), also a hidden one."""

    def schemas(self) -> Sequence[ToolSchema]:
        """Return the tools that can work here, for the model."""

    def for_agents(self) -> ToolBox:
        """Return the tools that a sub-agent may use."""


# -- around a call ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pending:
    """A call on its way through dispatch, as guards and permissions see it."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    footprint: Footprint
    written: bool = False
    """Whether the model wrote the call into its text instead of sending it."""


class Guard(Protocol):
    """A plugin's say before a call. Outermost; one that raises denies."""

    def check(self, call: Pending) -> str | None:
        """Return why the call is denied, or None."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the permissions say of one call."""

    decision: Literal["allow", "ask", "deny"]
    why: tuple[str, ...] = ()
    """Reasons in words, a line each; for `deny` also how to allow it."""
    subjects: tuple[Subject, ...] = ()
    """Those that made it ask."""
    pattern: str = ""
    """What "session" and "always" would remember, as `tool(pattern)`; empty: neither is offered."""
    mode: str = ""
    """For `ask`: the narrowest mode that would not ask; empty: every mode does."""


class Permissions(Protocol):
    """Judges calls by mode, rules and the answers given so far. Thread-safe."""

    def judge(self, call: Pending) -> Verdict:
        """Return whether the call may run."""

    def learn(self, call: Pending, verdict: Verdict, scope: str) -> None:
        """Remember a yes for `session` or `always`; `once` is remembered by nobody."""


class OpenCheckpoint(Protocol):
    """The checkpoint of one group of calls, while they run. Thread-safe."""

    @property
    def number(self) -> int:
        """Its number in the project, from 1."""

    def change(self, path: Path, after: bytes | None) -> AbstractContextManager[None]:
        """Journal the intent to make `path` hold `after` (None: absent), then done, or void if it raises."""

    def scanned(self, call_id: str, footprint: Footprint) -> AbstractContextManager[None]:
        """Look at the tree before and after the body, and record the differences as this call's changes."""

    def written(self, call_id: str) -> int:
        """Return the bytes of the files that a scanned call made or changed, as far as they were seen."""

    def not_covered(self) -> Sequence[str]:
        """Return what was found so far that it cannot bring back, and that no other told yet: "a (why)"."""

    def close(self) -> int:
        """End the group; return how many paths changed."""


class Checkpoints(Protocol):
    """Makes checkpoints. One that cannot (no git) says so once by notice and returns None."""

    def open(self, label: str, call: str) -> OpenCheckpoint | None:
        """Start the checkpoint of a group, before its first effect.

        `call` is the id of the call of the session's own agent for which it is taken.
        """

    def uncovered(self, footprint: Footprint) -> Sequence[str]:
        """Say what of a call's effects no rollback would bring back, a sentence each, before it runs.

        Looks at the disk, for a moment at most: a size that it could not count to its end is "more than".
        """


ABSENT = "absent"
"""The content hash of a path where no file is."""


class Disk(Protocol):
    """Reads and replaces files safely: no devices, no half files, modes and links kept."""

    def hash(self, path: Path) -> str:
        """Return the content hash of a file, or `ABSENT`."""

    def stage(
        self, path: Path, data: bytes | None, mode: int | None = None
    ) -> AbstractContextManager[Callable[[], None]]:
        """Prepare the new content beside the file, fsynced; the callable given makes it real.

        `path` is canonical (when removing: its folder is); no link in it is followed.
        Leaving the context without calling it removes what was prepared.
        """
