"""Finds what the prompt can become: commands at once, their arguments and files in a thread.

Shows it in the list and says what taking a line writes; changes no text itself. The newest question wins:
an answer that comes after the text has changed is thrown away.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hermes_tui.engine.errors import HermesError
from hermes_tui.frontends import offers
from hermes_tui.frontends.host import Hermes
from hermes_tui.frontends.offers import Offer
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.tui.widgets.prompt.completions import Completions

if TYPE_CHECKING:
    from hermes_tui.frontends.fileindex import FileIndex

FILES: Final = 40
"""Files that are offered."""
RECALL: Final = "history: type to search · Enter take · Esc back"


@dataclass(frozen=True, slots=True)
class Written:
    """What stands in the prompt, as far as completing depends on it."""

    text: str
    before: str
    """The cursor's line up to the cursor."""
    at_end: bool
    """Whether the cursor stands behind everything."""


class Completer:
    """Keeps the list in step with what is written."""

    def __init__(self, shown: Completions, start: Callable[[Awaitable[None]], object]) -> None:
        """`start` runs a coroutine beside the screen, ending the one that it started before."""
        self._list = shown
        self._start = start
        self._hermes: Hermes | None = None
        self._files: FileIndex | None = None
        self._ui: Any = None
        self._words: tuple[str, list[tuple[str, str]]] = ("", [])
        self._fetching = ""
        self._asked = ""
        self._history: list[str] | None = None
        self.replaces = 0
        """How many characters before the cursor a taken line replaces; -1: everything."""

    def connect(self, hermes: Hermes, ui: Any) -> None:
        """Begin to offer commands and files. `ui` is what commands see of the screen."""
        from hermes_tui.frontends.fileindex import FileIndex  # late: the first frame needs none of it

        self._hermes, self._ui = hermes, ui
        self._files = FileIndex(hermes.folder, hermes.project)

    def close(self) -> None:
        """Stop what goes on in the background."""
        if self._files is not None:
            self._files.close()

    @property
    def recalling(self) -> bool:
        """Whether the history is being searched."""
        return self._history is not None

    def recall(self, texts: Sequence[str], needle: str) -> None:
        """Begin to search the history; what is written is the needle."""
        self._history = list(texts)
        self.look_up(Written(needle, needle, True))

    def look_up(self, written: Written) -> None:
        """Show what fits; a slow answer comes later, and the old list stays until then."""
        self._asked = written.text
        if self._history is not None:
            self._offer(-1, offers.of_history(self._history, written.text), RECALL)
        elif self._hermes is None:
            self.hide()
        elif written.text.startswith("/") and "\n" not in written.text and written.at_end:
            self._look_up_command(self._hermes, written.text)
        elif (begun := offers.mention(written.before)) is not None:
            self._start(self._look_up_file(written, *begun))
        else:
            self.hide()

    def hide(self) -> None:
        """Offer nothing, and search the history no longer."""
        self._history = None
        self._list.offer([])

    def _offer(self, replaces: int, found: Sequence[Offer], title: str = "") -> None:
        self.replaces = replaces
        self._list.offer(found, title)

    def _look_up_command(self, hermes: Hermes, line: str) -> None:
        name, blank, argument = line[1:].partition(" ")
        if not blank:
            found = offers.of_commands(hermes.commands.names(), name)
            self._words = ("", [])  # asked again when its argument begins
            self._offer(-1, [offer for offer in found if offer.write != line])
        elif not hermes.commands.takes_words(name):
            self.hide()
        elif self._words[0] == name:
            self._offer(-1, offers.of_words(name, self._words[1], argument.lstrip()))
        elif self._fetching != name:
            self._list.offer([])
            self._start(self._ask_for_words(hermes, name))

    async def _ask_for_words(self, hermes: Hermes, name: str) -> None:
        self._fetching = name
        try:
            words = await off_thread(lambda: hermes.commands.words(hermes, self._ui, name))
        except (HermesError, OSError):
            words = []  # the command itself will say it
        finally:
            self._fetching = ""
        self._words = (name, words)
        if self._asked.startswith(f"/{name} "):
            self._look_up_command(hermes, self._asked)

    async def _look_up_file(self, written: Written, name: str, length: int) -> None:
        """Search, and again while the folder is still being listed."""
        if (files := self._files) is None:
            return
        files.start_once()
        complete = False
        while not complete:
            complete = files.ready.is_set()
            found = await off_thread(lambda: files.search(name, FILES))
            if self._asked != written.text or self._history is not None:
                return
            complete_name = found[:1] == [name] and not name.endswith("/")
            others = [] if complete_name else [one for one in found if one != name]
            self._offer(length, offers.of_files(others))
            if not complete:
                await off_thread(lambda: files.ready.wait(0.5))
