"""What stands behind the full screen in a replay, in place of the assembled program: it does nothing.

No model, no tool, no network, no checkpoint; the history is not the user's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from hermes_tui.commands.registry import Commands, load
from hermes_tui.engine.events import BatchPlanned, Event, Notice, TurnStarted
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.questions import How
from hermes_tui.frontends.replay.player import Player

E = TypeVar("E", bound=Event)

COMMANDS: Final = ("help", "theme", "clear", "quit")
"""The slash commands that concern the screen alone."""
NOTHING_IS_SENT: Final = "this is a replay: nothing is sent, nothing is run"


class ReplayAgent:
    """Plays; what is asked of it is answered with words."""

    queued: Sequence[str] = ()
    session = ""
    messages: Sequence[Any] = ()

    def __init__(self, player: Player, schedule: str) -> None:
        self.events = player
        self.schedule = schedule
        """That of the recording's first batch."""

    @property
    def busy(self) -> bool:
        """Whether a turn is being played."""
        return self.events.busy

    def unqueue(self) -> str | None:
        """Nothing waits."""
        return None

    def submit(self, text: str) -> None:
        """Say that nothing is sent."""
        self.events.put(Notice(level="info", text=NOTHING_IS_SENT, time=self.events.now()))

    steer = submit

    def again(self, call: ToolCall) -> None:
        """Say that nothing is run."""
        self.submit("")

    def interrupt(self, call_id: str | None = None, force: bool = False) -> bool:
        """Show the rest at once: what was recorded has happened, it cannot be stopped."""
        return self.events.rush()

    def answer(self, question_id: str, how: How, answer: str = "", scope: str | None = None) -> bool:
        """Take any answer; the recorded one is shown when it comes."""
        return True

    def do(self, function: Callable[[], Any]) -> Future[Any]:
        """Do it now."""
        future: Future[Any] = Future()
        future.set_result(function())
        return future


class Fixed:
    """Settings and permissions that nothing depends on."""

    mode = "replay"

    def __init__(self, theme: str) -> None:
        self.theme = theme

    def cycle(self) -> str:
        """There is one mode."""
        return self.mode


class Own:
    """A history that ends with the replay."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def items(self) -> list[str]:
        """Return what was typed here."""
        return list(self._texts)

    def add(self, text: str) -> None:
        """Remember one more."""
        self._texts.append(text)

    def recall(self, texts: Sequence[str]) -> None:
        """Offer these, too."""
        self._texts += texts


class NoProcesses:
    """Nothing runs in the background."""

    def list(self) -> Sequence[Any]:
        """Return nothing."""
        return ()


class NoTodos:
    """A recording holds no list."""

    def items(self) -> list[Any]:
        """Return nothing."""
        return []


class Passing:
    """Keeps what is pasted for as long as the replay lasts."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def put(self, name: str, ending: str, body: bytes) -> Path:
        """Write a file and return its path."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="hermes-replay-")
        file = Path(self._folder.name, f"{name}{ending}")
        file.write_bytes(body)
        return file

    def close(self) -> None:
        """Remove it all."""
        if self._folder is not None:
            self._folder.cleanup()


def first(events: Sequence[Event], kind: type[E], get: Callable[[E], str]) -> str:
    """Return what the first event of a kind says; "replay" where there is none, or it does not say."""
    found = next((get(event) for event in events if isinstance(event, kind)), "")
    return found or "replay"


class Replay:
    """Fits `tui.host.Hermes`."""

    checkpoints = None
    rehearsing = False
    session = None
    environment: Mapping[str, str] = MappingProxyType({})

    def __init__(self, events: Sequence[Event], speed: float, folder: Path, settings: Any) -> None:
        self.player = Player(events, speed)
        self.agent = ReplayAgent(
            self.player, first(events, BatchPlanned, lambda event: event.plan["schedule"])
        )
        self.provider_label = first(events, TurnStarted, lambda event: event.model)
        self.settings = settings
        self.permissions = Fixed(settings.theme)
        self.themes: Mapping[str, Mapping[str, Any]] = {}
        self.theme = settings.theme
        self.commands = Commands([command for name in COMMANDS if (command := load().get(name))])
        self.history = Own()
        self.background = NoProcesses()
        self.todos = NoTodos()
        self.kept = Passing()
        self.folder = folder
        self.project: Path | None = folder

    def start(self) -> None:
        """Begin to play."""
        text = "a recording is played: nothing is sent, nothing is run; Ctrl-C shows the rest at once"
        self.player.put(Notice(level="info", text=text, time=self.player.now()))
        self.player.start(self._over)

    def _over(self) -> None:
        text = "the replay is over; Ctrl-C twice leaves"
        self.player.put(Notice(level="info", text=text, time=self.player.now()))

    def past(self) -> bytes:
        """Return nothing: a recording is played, not loaded."""
        return b""

    def branch(self) -> str:
        """Return nothing: it is not known where this was recorded."""
        return ""

    def new_conversation(self) -> None:
        """/clear empties the screen alone."""

    def tell_model(self, text: str) -> None:
        """There is none."""

    def close(self) -> None:
        """Nothing else is open."""
        self.kept.close()
