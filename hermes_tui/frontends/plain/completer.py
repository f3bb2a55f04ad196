"""What Tab offers in line mode: slash commands with their arguments, files after `@`."""

from __future__ import annotations

from collections.abc import Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from hermes_tui.commands.registry import Commands
from hermes_tui.engine.errors import HermesError
from hermes_tui.frontends.fileindex import FileIndex
from hermes_tui.frontends.host import Hermes
from hermes_tui.frontends.offers import mention
from hermes_tui.text import one_line

MOST = 40
"""Completions that are listed."""


class PlainCompleter(Completer):
    """Asked only when Tab is pressed, so it may take a moment."""

    def __init__(self, hermes: Hermes, commands: Commands, files: FileIndex) -> None:
        self._hermes = hermes
        self._commands = commands
        self._files = files

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield what the text before the cursor may become."""
        before = document.text_before_cursor
        line = before.rpartition("\n")[2]
        if before.startswith("/") and "\n" not in before:
            yield from self._of_command(before)
        elif (begun := mention(line)) is not None:
            yield from self._of_files(*begun)

    def _of_command(self, line: str) -> Iterator[Completion]:
        name, blank, argument = line[1:].partition(" ")
        if not blank:
            for known, text in self._commands.names():
                if known.startswith(name):
                    more = " " if self._commands.takes_words(known) else ""
                    yield completion(f"/{known}{more}", len(line), f"/{known}  {text}")
            return
        begun = argument.lstrip()
        try:
            words = self._commands.words(self._hermes, None, name)
        except HermesError:  # checkpoints that cannot be read: nothing to offer
            return
        for word, text in words:
            if word.startswith(begun):
                yield completion(word, len(begun), f"{word}  {text}".rstrip())

    def _of_files(self, begun: str, written: int) -> Iterator[Completion]:
        for name in self._files.search(begun, MOST):
            quoted = f'@"{name}"' if " " in name else f"@{name}"
            yield completion(quoted, written, name)


def completion(text: str, written: int, shown: str) -> Completion:
    """Return one that replaces the last `written` characters."""
    return Completion(text, start_position=-written, display=one_line(shown, 100))
