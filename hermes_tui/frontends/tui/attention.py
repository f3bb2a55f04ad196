"""Tells somebody who looks elsewhere: the window's title, and a bell or a notification when there is news.

Writes sequences of the terminal, and nothing that came from a model: the words are our own, and the folder's
name is harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from hermes_tui.engine.events import Event, QuestionAsked, TurnFinished, TurnStarted
from hermes_tui.frontends.runs import duration
from hermes_tui.text import one_line

BELL: Final = "\a"
PUSH: Final = "\x1b[22;2t"
POP: Final = "\x1b[23;2t"
"""The terminal keeps its title, and gives it back."""
ENDS: Final = {
    "done": "done",
    "interrupted": "interrupted",
    "limit": "stopped at a limit",
    "error": "an error",
}
"""How a turn ends, in words."""


class Attention:
    """The terminal as somebody sees it who is not looking at the screen."""

    def __init__(self, write: Callable[[str], object], focused: Callable[[], bool], place: str) -> None:
        """`write` gives a sequence to the terminal; `place`: the folder's name, for the title."""
        self._write = write
        self._focused = focused
        self._place = plain(place)
        self._notify = "off"
        self._titled = False
        self._title = ""
        self._began = 0.0

    def use(self, notify: str, title: bool) -> None:
        """Tell by `notify` (off, bell, osc9 or osc777) from now on; say in the title what goes on, or not."""
        self._notify = notify
        if title and not self._titled:
            self._write(PUSH)
            self._titled = True
            self._title = ""
        elif self._titled and not title:
            self._write(POP)
            self._titled = False

    def ending(self) -> str:
        """Return what gives the terminal its title back."""
        return POP if self._titled else ""

    def take(self, arrived: Iterable[Event]) -> None:
        """Tell what of these events is news for somebody who looks elsewhere."""
        for event in arrived:
            if isinstance(event, QuestionAsked):
                self._tell(f"a question for you in {self._place}")
            elif event.agent is None and isinstance(event, TurnStarted):
                self._began = event.time
            elif event.agent is None and isinstance(event, TurnFinished):
                how = ENDS.get(event.reason, "over")
                self._tell(f"{how} after {duration(event.time - self._began)} in {self._place}")

    def show(self, running: bool, questions: int) -> None:
        """Say in the title what goes on."""
        mark = "? " if questions else "◐ " if running else ""
        title = f"{mark}hermes-tui · {self._place}"
        if self._titled and title != self._title:
            self._title = title
            self._write(f"\x1b]2;{title}\x07")

    def _tell(self, what: str) -> None:
        if self._focused():
            return
        if self._notify == "bell":
            self._write(BELL)
        elif self._notify == "osc9":
            self._write(f"\x1b]9;hermes-tui: {what}\x07")
        elif self._notify == "osc777":
            self._write(f"\x1b]777;notify;hermes-tui;{what}\x07")


def plain(text: str) -> str:
    """Return a name as it may stand inside a sequence: harmless, short, without what would end a field."""
    return one_line(text, 60).replace(";", ",")
