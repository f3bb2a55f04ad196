"""Finds the slash commands and runs them: a function's name is the command, its docstring the help.

Every public coroutine function of a module here is a command; `complete_NAME(hermes)` beside it, or
`complete_NAME(hermes, ui)` where the screen knows them, gives the arguments that Tab offers: words, or
pairs of a word and what is said beside it. Nobody lists commands by hand.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import hermes_tui.commands as package
from hermes_tui.engine.errors import HermesError

if TYPE_CHECKING:
    from hermes_tui.commands.ui import UI

Function = Callable[[Any, "UI", str], Awaitable[None]]
Word = str | tuple[str, str]
"""An argument, or one with a few words on it."""
Completer = Callable[..., Sequence[Word]]
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""What a command may be called."""


@dataclass(frozen=True, slots=True)
class Command:
    """One slash command."""

    name: str
    """Without the slash."""
    help: str
    """One line, for lists."""
    usage: str
    """The rest of the docstring: its arguments."""
    function: Function
    completer: Completer | None = None


class Commands:
    """All slash commands of the program."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self._commands = {command.name: command for command in sorted(commands, key=lambda c: c.name)}

    def all(self) -> list[Command]:
        """Return every command, by name."""
        return list(self._commands.values())

    def names(self) -> list[tuple[str, str]]:
        """Return (name, help) of every command, by name."""
        return [(command.name, command.help) for command in self._commands.values()]

    def get(self, name: str) -> Command | None:
        """Return the command of this name."""
        return self._commands.get(name)

    def is_complete(self, line: str) -> bool:
        """Whether the line is a command as it stands: Enter runs it even while completions show."""
        words = line[1:].split(maxsplit=1)
        return line.startswith("/") and bool(words) and words[0] in self._commands

    def is_meant(self, text: str) -> bool:
        """Whether a text is for `run`, not for the model: a mistyped command too, a path that exists not."""
        word = text.split(maxsplit=1)[0] if text.startswith("/") and "\n" not in text else ""
        if NAME.fullmatch(word[1:]) is None:
            return False
        return word[1:] in self._commands or not Path(word).exists()

    def complete(self, hermes: Any, line: str) -> list[str]:
        """Return whole lines that `line` may become, best first."""
        if not line.startswith("/") or "\n" in line:
            return []
        name, blank, argument = line[1:].partition(" ")
        if not blank:
            return [f"/{known}" for known in self._commands if known.startswith(name)]
        command = self._commands.get(name)
        if command is None or command.completer is None:
            return []
        begun = argument.lstrip()
        return [f"/{name} {word}" for word, _ in self.words(hermes, None, name) if word.startswith(begun)]

    def words(self, hermes: Any, ui: UI | None, name: str) -> list[tuple[str, str]]:
        """Return the arguments that a command offers, each with a few words on it. May be slow."""
        command = self._commands.get(name)
        if command is None or command.completer is None:
            return []
        wants_ui = len(inspect.signature(command.completer).parameters) > 1
        if wants_ui and ui is None:
            return []
        words = command.completer(hermes, ui) if wants_ui else command.completer(hermes)
        return [(word, "") if isinstance(word, str) else word for word in words]

    def takes_words(self, name: str) -> bool:
        """Whether a command has arguments to offer."""
        command = self._commands.get(name)
        return command is not None and command.completer is not None

    async def run(self, hermes: Any, ui: UI, line: str) -> None:
        """Run one line that begins with a slash. An error is one line for the user."""
        name, _, argument = line[1:].strip().partition(" ")
        command = self._commands.get(name)
        if command is None:
            ui.warn(unknown(name, list(self._commands)))
            return
        try:
            await command.function(hermes, ui, argument.strip())
        except HermesError as error:
            ui.warn(str(error))


def unknown(name: str, known: Sequence[str]) -> str:
    """Return one line on a command that does not exist."""
    close = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean /{close[0]}?" if close else "/help lists them"
    return f"no command /{name}; {hint}"


def collect(module: ModuleType) -> list[Command]:
    """Return the commands that one module defines."""
    found = []
    for name, function in vars(module).items():
        if name.startswith("_") or not inspect.iscoroutinefunction(function):
            continue
        if function.__module__ != module.__name__:
            continue
        text = inspect.getdoc(function) or ""
        first, _, rest = text.partition("\n")
        completer = getattr(module, f"complete_{name}", None)
        found.append(Command(name, first.rstrip("."), rest.strip(), function, completer))
    return found


def load() -> Commands:
    """Import every module here and return its commands."""
    names = sorted(
        info.name for info in pkgutil.iter_modules(package.__path__) if info.name not in ("registry", "ui")
    )
    modules = [importlib.import_module(f"{package.__name__}.{name}") for name in names]
    return Commands([command for module in modules for command in collect(module)])
