"""What the front ends ask of the assembled program. Stated here by the callers; assemble fits it.

Must know no widget.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hermes_tui.commands.ui import UI
from hermes_tui.engine.events import Event
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.questions import How

if TYPE_CHECKING:  # loading it costs the first frame a twentieth of its time
    from hermes_tui.engine.state import Todo


class Outbox(Protocol):
    """The engine's events, oldest first."""

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake`, from the engine's threads, when events came after the last drain."""

    def drain(self) -> list[Event]:
        """Return what came since the last drain."""


class Agent(Protocol):
    """The engine's side; every method returns at once."""

    @property
    def events(self) -> Outbox:
        """What it tells."""

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""

    @property
    def queued(self) -> Sequence[str]:
        """Messages that wait for the running turn to end."""

    @property
    def schedule(self) -> str:
        """How batches are scheduled, from the next one on."""

    def unqueue(self) -> str | None:
        """Take the newest waiting message back; None if none waits."""

    def submit(self, text: str) -> object:
        """Start a turn with this message, or queue it while one runs."""

    def steer(self, text: str) -> object:
        """Give the model a message at the next batch boundary of the running turn."""

    def interrupt(self, call_id: str | None = None, force: bool = False) -> bool:
        """Stop the turn, or one call of it; `force` kills now. False: there was nothing to stop."""

    def again(self, call: ToolCall) -> object:
        """Run a call that only reads once more, for the user alone."""

    def answer(self, question_id: str, how: How, answer: str = "", scope: str | None = None) -> bool:
        """End a question; False when it had ended already."""

    def do(self, function: Callable[[], Any]) -> Future[Any]:
        """Run `function` on the engine's thread between turns."""


class Settings(Protocol):
    """The settings that the screen shows."""

    @property
    def theme(self) -> str:
        """The theme to start with."""

    @property
    def vi_keys(self) -> bool:
        """Whether the prompt has vi's keys."""

    @property
    def while_working(self) -> str:
        """What Enter does while the model works: queue or steer."""

    @property
    def reduced_motion(self) -> bool:
        """Whether nothing turns or glides."""

    @property
    def notify(self) -> str:
        """How news is told out of sight: off, bell, osc9 or osc777."""

    @property
    def window_title(self) -> bool:
        """Whether the terminal's title says what goes on."""

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys that the user changed, by action."""


class Permissions(Protocol):
    """The permission mode."""

    @property
    def mode(self) -> str:
        """plan, ask, edits or all."""

    def cycle(self) -> str:
        """Go to the next mode and return it."""


class History(Protocol):
    """What was typed before, over all sessions."""

    def items(self) -> list[str]:
        """Return it, oldest first."""

    def add(self, text: str) -> None:
        """Remember one more."""

    def recall(self, texts: Sequence[str]) -> None:
        """Offer these first, as the newest."""


class Process(Protocol):
    """A command in the background."""

    @property
    def id(self) -> str:
        """Its name in the table."""

    @property
    def command(self) -> str:
        """What was run."""

    @property
    def running(self) -> bool:
        """Whether it has not ended."""


class Kept(Protocol):
    """Files of the session's own."""

    def put(self, name: str, ending: str, body: bytes) -> Path:
        """Write a file; return its path. Raises `OSError`."""


class Background(Protocol):
    """The commands in the background."""

    def list(self) -> Sequence[Process]:
        """Return every one of the session, oldest first."""


class Todos(Protocol):
    """The model's todo list."""

    def items(self) -> list[Todo]:
        """Return it, in order."""


class Commands(Protocol):
    """The slash commands."""

    def names(self) -> list[tuple[str, str]]:
        """Return name and one line of help for each."""

    def is_complete(self, line: str) -> bool:
        """Whether Enter may run the line as it stands."""

    def is_meant(self, text: str) -> bool:
        """Whether a text is for `run`, not for the model: a mistyped command too."""

    def words(self, hermes: Any, ui: UI | None, name: str) -> list[tuple[str, str]]:
        """Return the arguments that a command offers, each with a few words on it; may be slow."""

    def takes_words(self, name: str) -> bool:
        """Whether a command has arguments to offer."""

    async def run(self, hermes: Any, ui: UI, line: str) -> None:
        """Run one command line, `/name argument`."""


class Hermes(Protocol):
    """The assembled program."""

    @property
    def agent(self) -> Agent:
        """The engine."""

    @property
    def settings(self) -> Settings:
        """What it runs with."""

    @property
    def permissions(self) -> Permissions:
        """What may run unasked."""

    @property
    def commands(self) -> Commands:
        """What `/` offers."""

    @property
    def history(self) -> History:
        """What the prompt remembers."""

    @property
    def checkpoints(self) -> Any:
        """The store of checkpoints, or None where there is none."""

    @property
    def background(self) -> Background:
        """What goes on when a turn is interrupted."""

    @property
    def todos(self) -> Todos:
        """The steps the model has set itself."""

    @property
    def folder(self) -> Path:
        """Where relative paths start."""

    @property
    def project(self) -> Path | None:
        """What checkpoints and permissions go by; None in the home folder."""

    @property
    def provider_label(self) -> str:
        """Who answers: a model's name, or "rehearsal (no model)"."""

    @property
    def rehearsing(self) -> bool:
        """Whether the rehearsal answers, which is no model."""

    @property
    def kept(self) -> Kept:
        """Where what a prompt refers to is kept."""

    @property
    def themes(self) -> Mapping[str, Mapping[str, Any]]:
        """The themes of plugins: name → the fields of a theme's file."""

    @property
    def environment(self) -> Mapping[str, str]:
        """What commands inherit."""

    def tell_model(self, text: str) -> None:
        """Let the model know, with the next message, of something the user did himself."""

    @property
    def session(self) -> Any:
        """The session that is written, and all others."""

    def past(self) -> bytes:
        """Return what was shown in the session so far: events, a line each. Reads a file."""

    def branch(self) -> str:
        """Return the branch and how many files differ ("main ±2"); may take a while."""

    def close(self) -> None:
        """End every process, save, let go; returns at once."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the first frame needs; everything else is made behind it."""

    folder: Path
    """Where relative paths start."""
    theme: str
    """The theme to start with."""
    assemble: Callable[[], Hermes]
    """Makes the program. Called once, in a thread, when the first frame stands; `HermesError` ends it all."""
    clock: Callable[[], float] = time.time
    """Unix seconds by which what runs is timed; a replay has a clock of its own."""
    known: bool = False
    """Whether the user was here before: the welcome is short then."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The keys that the user changed, by action."""
    late: Callable[[], bool] = lambda: False
    """Whether a theme that is not there may still come with a plugin."""


def opened(hermes: Hermes) -> Opening:
    """Return the opening of a program that is there already."""
    settings, known = hermes.settings, bool(hermes.history.items())
    return Opening(hermes.folder, settings.theme, lambda: hermes, known=known, keys=settings.keys)
