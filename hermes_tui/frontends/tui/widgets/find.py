"""The line that searches the conversation: Ctrl+F opens it, Enter and the arrows go from match to match."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static, TextArea

from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.frontends.tui.widgets.transcript import Transcript

PAUSE: Final = 0.12
"""Seconds after the last key before a long conversation is searched."""
HINT: Final = "Enter ↑ earlier · ↓ later · Esc close"


class FindLine(Editor):
    """What is searched for: one line."""

    DEFAULT_CSS = "FindLine { height: 1; max-height: 1; width: 1fr; }"

    class Step(Message):
        """Go to the next match: later if `by` is 1, earlier if -1."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def on_key(self, event: events.Key) -> None:
        """Take the keys that go to a match; a new line is none here."""
        steps = {"enter": -1, "up": -1, "shift+enter": 1, "down": 1, "ctrl+j": 1}
        if (by := steps.get(event.key)) is not None:
            event.stop()
            event.prevent_default()
            self.post_message(self.Step(by))


class Find(Horizontal):
    """Hidden until it is wanted."""

    DEFAULT_CSS = """
    Find {
        height: 1; padding: 0 1; background: $panel; display: none;
        &.-open { display: block; }
        & > .label { width: auto; color: $accent; }
        & > .count { width: auto; color: $text-muted; padding: 0 0 0 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("ctrl+f", "later_or_earlier", show=False),
    ]

    class Closed(Message):
        """It is not wanted any more."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(id="find")
        self._transcript = transcript
        self._line: FindLine | None = None
        self._count = Static("", classes="count", markup=False)
        self._pause: Timer | None = None
        self._found = 0

    def compose(self) -> ComposeResult:
        """Label, line, count and keys."""
        self._line = FindLine(placeholder="what to look for in the conversation")  # late: it takes its time
        yield Static("find ", classes="label", markup=False)
        yield self._line
        yield self._count

    @property
    def open(self) -> bool:
        """Whether it is there."""
        return self.has_class("-open")

    def show(self) -> None:
        """Open it, with what was looked for last."""
        if self._line is None:
            return
        self.add_class("-open")
        self._line.select_all()
        self.screen.set_focus(self._line)  # at once: the next key is for it
        self._say(0)
        self._search()

    @property
    def _text(self) -> str:
        return self._line.text if self._line is not None else ""

    def action_close(self) -> None:
        """Close it; its marks go."""
        self._stop_pause()
        self.remove_class("-open")
        self._transcript.search("")
        self.post_message(self.Closed())

    def action_later_or_earlier(self) -> None:
        """Ctrl+F once more: the match before."""
        self._go(-1)

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._stop_pause()
        self._pause = self.set_timer(PAUSE, self._search)

    @on(FindLine.Step)
    def _step(self, event: FindLine.Step) -> None:
        event.stop()
        self._go(event.by)

    def _search(self) -> None:
        self._stop_pause()
        if self.open:
            self._found = self._transcript.search(self._text)
            self._go(-1)

    def _go(self, by: int) -> None:
        if self._pause is not None:  # a key came before the search did
            self._search()
            return
        self._say(self._transcript.next_match() if by > 0 else self._transcript.previous_match())

    def _say(self, number: int) -> None:
        if not self._text:
            words = ""
        elif not self._found:
            words = "nothing found"
        else:
            words = f"{number} of {self._found}"
        wide = self.app.size.width >= 80
        self._count.update(Content(" · ".join(filter(None, [words, HINT if wide else ""]))))

    def _stop_pause(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
