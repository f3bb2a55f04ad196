"""The prompt: what the user says next. Sends a message; everybody else decides what becomes of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, Final

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from hermes_tui.frontends.keys import Action, State, decide
from hermes_tui.frontends.tui.host import Hermes
from hermes_tui.frontends.tui.widgets.prompt.completions import Completions
from hermes_tui.frontends.tui.widgets.prompt.drafts import Drafts
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor

BURST: Final = 0.01
"""Seconds between keys below which no hand has typed them: a paste without brackets."""
SETTLE: Final = 0.05
"""Seconds of silence after which a burst that ended in its only Enter was meant to be sent."""


class Prompt(Editor):
    """The editor at the bottom of the screen, with history, completions and a guard against bursts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d", "app.ladder('ctrl+d')", show=False),
        Binding("pageup", "screen.page(-1)", "Scroll the conversation up"),
        Binding("pagedown", "screen.page(1)", "Scroll the conversation down"),
    ]

    class QueueChanged(Message):
        """A waiting message was taken back or sent."""

    def __init__(self, completions: Completions, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(id="prompt", placeholder="Ask, or / for commands")
        self._hermes: Hermes | None = None
        self._completions = completions
        self._clock = clock
        self._kept: list[str] = []
        self._drafts = Drafts(self._remembered)
        self._dismissed = ""
        self._held: Timer | None = None
        self.last_key = float("-inf")
        """When the last key came, on the clock given."""
        self._typed = float("-inf")
        self._enters = 0

    def connect(self, hermes: Hermes) -> None:
        """Offer commands, history and what waits; until then everything can be written and sent."""
        self._hermes = hermes
        for text in self._kept:
            hermes.history.add(text)
        self._drafts.sent()
        self._look_up()

    def _remembered(self) -> list[str]:
        return self._hermes.history.items() if self._hermes else list(self._kept)

    def on_key(self, event: events.Key) -> None:
        """Take the keys that the completions, the history and sending need."""
        now = self._clock()
        self._release()
        if not (burst := event.time - self._typed < BURST):
            self._enters = 0
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self._enter(burst)
        elif self._completions.shown and event.key in ("tab", "up", "down"):
            event.stop()
            event.prevent_default()
            self._complete(event.key)
        elif event.is_printable:
            self._typed = event.time
        self.last_key = now

    def _enter(self, burst: bool) -> None:
        match decide(self._state(burst), "enter"):
            case Action.HOLD_ENTER:
                self.action_new_line()
                self._enters += 1
                if self._enters == 1:
                    self._held = self.set_timer(SETTLE, self._send_held)
            case Action.ACCEPT_COMPLETION:
                self._complete("tab")
            case Action.RUN_COMMAND | Action.SUBMIT | Action.QUEUE:
                self.send()
            case Action.RESUME if self._hermes:
                agent = self._hermes.agent
                agent.submit(agent.unqueue() or "")  # a message wakes the queue: the newest one does
                self.post_message(self.QueueChanged())
            case _:
                pass

    def _state(self, burst: bool) -> State:
        line, hermes = self.text.strip(), self._hermes
        return State(
            empty=not line,
            burst=burst,
            completion=self._completions.shown,
            command=hermes is not None and hermes.commands.is_complete(line) and "\n" not in line,
            running=hermes is not None and hermes.agent.busy,
            waiting=hermes is not None and bool(hermes.agent.queued),
        )

    def send(self) -> None:
        """Send what is written; the prompt is empty then."""
        text = self.written.strip()
        self.keep()
        self.post_message(self.Sent(self, text))

    def keep(self) -> None:
        """Put what is written into the history and empty the prompt."""
        if (text := self.written.strip()) and self._hermes:
            self._hermes.history.add(text)
        elif text:
            self._kept.append(text)
        self.put("")
        self.pastes.clear()
        self.history.clear()
        self._drafts.sent()
        self.hide_completions()

    def _send_held(self) -> None:
        self._held = None
        self.put(self.text.removesuffix("\n"))
        self._enter(burst=False)

    def _release(self) -> None:
        """Another key came: what was held was a paste."""
        if self._held is not None:
            self._held.stop()
            self._held = None

    def action_cursor_up(self, select: bool = False) -> None:
        """Go up, from the first line into the history; a message that waits comes back first."""
        waiting = self._hermes.agent.unqueue() if self._hermes and not self.text else None
        if waiting is not None:
            self.put(waiting)
            self.post_message(self.QueueChanged())
            return
        if select or not self._at_edge(-1) or not self._walk(-1):
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """Go down, from the last line towards the draft."""
        if select or not self._at_edge(1) or not self._walk(1):
            super().action_cursor_down(select)

    def _at_edge(self, step: int) -> bool:
        offset = self.wrapped_document.location_to_offset(self.cursor_location).y
        return offset == (0 if step < 0 else self.wrapped_document.height - 1)

    def _walk(self, step: int) -> bool:
        text = self._drafts.move(step, self.text)
        if text is None:
            return False
        self.put(text)
        self._dismissed = text
        return True

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._look_up()

    def _look_up(self) -> None:
        text, hermes = self.text, self._hermes
        if hermes is None or text == self._dismissed or not text.startswith("/") or "\n" in text:
            self._completions.offer([], {})
            return
        self._dismissed = ""
        lines = [line for line in hermes.commands.complete(hermes, text) if line != text]
        self._completions.offer(lines, {f"/{name}": words for name, words in hermes.commands.names()})

    def _complete(self, key: str) -> None:
        if key == "tab":
            self.take(self._completions.chosen)
        else:
            self._completions.move(-1 if key == "up" else 1)

    def take(self, line: str) -> None:
        """Write a completion; a command's name gets the blank before its argument."""
        more = self._hermes.commands.complete(self._hermes, f"{line} ") if self._hermes else ()
        self.put(f"{line} " if more and " " not in line else line)

    def hide_completions(self) -> None:
        """Close the list until the text changes."""
        self._dismissed = self.text
        self._completions.offer([], {})
