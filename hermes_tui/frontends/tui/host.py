"""What the full screen asks of the assembled program. Stated here by the caller; assemble fits it.

Must know no widget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hermes_tui.commands.ui import UI
from hermes_tui.engine.events import Event
from hermes_tui.engine.questions import How


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

    def interrupt(self, call_id: str | None = None, force: bool = False) -> bool:
        """Stop the turn, or one call of it; `force` kills now. False: there was nothing to stop."""

    def answer(self, question_id: str, how: How, answer: str = "", scope: str | None = None) -> bool:
        """End a question; False when it had ended already."""

    def do(self, function: Callable[[], Any]) -> Future[Any]:
        """Run `function` on the engine's thread between turns."""


class Settings(Protocol):
    """The settings that the screen shows."""

    @property
    def theme(self) -> str:
        """The theme to start with."""


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


class Background(Protocol):
    """The commands in the background."""

    def list(self) -> Sequence[Process]:
        """Return every one of the session, oldest first."""


class Commands(Protocol):
    """The slash commands."""

    def names(self) -> list[tuple[str, str]]:
        """Return name and one line of help for each."""

    def is_complete(self, line: str) -> bool:
        """Whether Enter may run the line as it stands."""

    def is_meant(self, text: str) -> bool:
        """Whether a text is for `run`, not for the model: a mistyped command too."""

    def complete(self, hermes: Any, line: str) -> list[str]:
        """Return whole lines that `line` may become, best first."""

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


def opened(hermes: Hermes) -> Opening:
    """Return the opening of a program that is there already."""
    return Opening(hermes.folder, hermes.settings.theme, lambda: hermes)
