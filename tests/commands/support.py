"""A front end for tests that answers from a list and remembers what was shown; the real program behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from hermes_tui.assemble import Hermes, assemble
from hermes_tui.commands.registry import load
from hermes_tui.commands.settings import Sheet
from hermes_tui.start import Start

T = TypeVar("T")


@dataclass
class ScriptedUI:
    """Implements `commands.ui.UI`."""

    picks: list[int | None] = field(default_factory=list)
    answers: list[bool] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    options: list[Sequence[str]] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    marked: list[tuple[int, int]] = field(default_factory=list)
    theme: str = ""
    left: bool = False
    cleared: bool = False

    def say(self, text: str) -> None:
        self.said.append(text)

    def warn(self, text: str) -> None:
        self.warned.append(text)

    async def confirm(self, title: str, body: str, yes: str) -> bool:
        self.asked.append((title, body))
        return self.answers.pop(0)

    async def decide(self, title: str, body: str, options: Sequence[str]) -> int | None:
        self.asked.append((title, body))
        self.options.append(options)
        return self.picks.pop(0)

    async def choose(
        self,
        title: str,
        options: Sequence[str],
        current: int | None,
        look: Callable[[int], None] | None = None,
    ) -> int | None:
        self.options.append(options)
        return self.picks.pop(0)

    async def run(self, work: Callable[[], T]) -> T:
        return work()

    async def browse_checkpoints(self) -> None:
        self.said.append("browser")

    async def browse_settings(self, sheet: Sheet) -> None:
        self.said.append(sheet.text())

    async def browse_sessions(self, text: str) -> None:
        self.said.append(f"sessions {text}".strip())

    async def show_past(self) -> None:
        self.said.append("past")

    def copy(self, text: str) -> None:
        self.copied.append(text)

    def rolled_back(self, number: int, saved_as: int) -> None:
        self.marked.append((number, saved_as))

    def went_back(self, prompt: str, count: int) -> None:
        self.said.append(f"back to before {prompt}, {count} gone")

    def set_theme(self, name: str) -> None:
        self.theme = name

    def keys(self) -> Sequence[tuple[str, str]]:
        return [("F9", "a key of this front end")]

    def themes(self) -> Sequence[str]:
        return ("one", "two")

    def clear(self) -> None:
        self.cleared = True

    def quit(self) -> None:
        self.left = True


def program(folder: Path, home: Path, **flags: object) -> Hermes:
    """Assemble the real program on the rehearsal."""
    environ = {"HOME": str(home), "HERMES_TUI_HOME": str(home / "hermes"), "PATH": "/usr/bin:/bin"}
    hermes = assemble(Start(folder, {"provider": "rehearsal", **flags}, environ=environ))
    hermes.commands = load()
    return hermes
