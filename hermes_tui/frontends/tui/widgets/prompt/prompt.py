"""The prompt: what the user says next. Sends a message; everybody else decides what becomes of it."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from hermes_tui.frontends.host import Hermes
from hermes_tui.frontends.keys import Action, State, decide
from hermes_tui.frontends.offers import Offer
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.tui.widgets.prompt.completer import Completer, Written
from hermes_tui.frontends.tui.widgets.prompt.completions import Completions
from hermes_tui.frontends.tui.widgets.prompt.drafts import Drafts
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.widgets.prompt.modal import ViKeys

BURST: Final = 0.01
"""Seconds between keys below which no hand has typed them: a paste without brackets."""
SETTLE: Final = 0.05
"""Seconds of silence after which a burst that ended in its only Enter was meant to be sent."""


class Prompt(Editor):
    """The editor at the bottom of the screen, with history, completions and a guard against bursts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d", "app.ladder('ctrl+d')", show=False),
        Binding(
            "ctrl+s,alt+enter,ctrl+enter",
            "send_other_way",
            "While the model works: to it, not queued",
            id="send_other_way",
        ),
        Binding("ctrl+v,super+v", "paste", "Paste a picture, or what was copied here", id="paste"),
        Binding("ctrl+r", "recall", "Search what was sent before", id="recall"),
        Binding("pageup", "screen.page(-1)", "Scroll the conversation up", id="page_up"),
        Binding("pagedown", "screen.page(1)", "Scroll the conversation down", id="page_down"),
        Binding("ctrl+end", "screen.to_end", "Go to the newest of the conversation", id="to_end"),
    ]

    class QueueChanged(Message):
        """A waiting message was taken back or sent."""

    class NothingToPaste(Message):
        """The paste key found nothing."""

    class MarkChanged(Message):
        """What the prompt is for now: `❯` a message, `$` a command line, `N` vi commands."""

        def __init__(self, mark: str) -> None:
            super().__init__()
            self.mark = mark

    def __init__(self, completions: Completions, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(id="prompt", placeholder="Ask, or / for commands, @ for files, ! to run a command")
        self._hermes: Hermes | None = None
        self._completions = completions
        self._completer = Completer(completions, self._beside)
        self._clock = clock
        self._kept: list[str] = []
        self._drafts = Drafts(self._remembered)
        self._dismissed = ""
        self._held: Timer | None = None
        self.last_key = float("-inf")
        """When the last key came, on the clock given."""
        self._typed = float("-inf")
        self._enters = 0
        self._before_recall = ""
        self._vi: ViKeys | None = None
        self._mark = "❯"

    def connect(self, hermes: Hermes, ui: Any = None) -> None:
        """Offer commands, history and what waits; until then everything can be written and sent.

        `ui` is what commands see of the screen: some of their arguments are known only there.
        """
        self._hermes = hermes
        for text in self._kept:
            hermes.history.add(text)
        self._drafts.sent()
        self._completer.connect(hermes, ui)
        self.use_vi(hermes.settings.vi_keys)
        self._look_up()

    def use_vi(self, on: bool) -> None:
        """Take the vi keys, or leave them."""
        from hermes_tui.frontends.tui.widgets.prompt.modal import ViKeys  # late, as most do without

        self._vi = ViKeys(self) if on else None
        self._show_mark()

    def on_unmount(self) -> None:
        """Nothing goes on in the background."""
        self._completer.close()

    def _remembered(self) -> list[str]:
        return self._hermes.history.items() if self._hermes else list(self._kept)

    # keys

    def on_key(self, event: events.Key) -> None:
        """Take the keys that the completions, the history, vi and sending need."""
        now = self._clock()
        self._release()
        if not (burst := event.time - self._typed < BURST):
            self._enters = 0
        if self._takes(event, burst):
            event.stop()
            event.prevent_default()
        elif event.is_printable:
            self._typed = event.time
        self.last_key = now

    def _takes(self, event: events.Key, burst: bool) -> bool:
        """Do what a key means here; False for one that the editor has."""
        listed = self._completions.shown
        if event.key == "enter":
            self._enter(burst)
        elif listed and event.key in ("tab", "up", "down"):
            self._complete(event.key)
        elif self._vi is not None and not (listed and event.key == "escape"):
            taken = self._vi.press(event)
            self._show_mark()
            return taken
        else:
            return False
        return True

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
        recalling = self._completer.recalling
        return State(
            empty=not line and not recalling,
            burst=burst,
            completion=self._completions.shown,
            command=hermes is not None
            and hermes.commands.is_complete(line)
            and "\n" not in line
            and not recalling,
            running=hermes is not None and hermes.agent.busy,
            waiting=hermes is not None and bool(hermes.agent.queued),
        )

    # sending

    def send(self, other_way: bool = False) -> None:
        """Send what is written; the prompt is empty then."""
        text = self.written.strip()
        self.keep()
        self.post_message(self.Sent(self, text, other_way))

    def action_send_other_way(self) -> None:
        """Send it, while the model works not as Enter would."""
        if self.text.strip() and not self._completer.recalling:
            self.send(other_way=True)

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
        if self._vi is not None:
            self._vi.insert()
            self._show_mark()

    def _send_held(self) -> None:
        self._held = None
        self.put(self.text.removesuffix("\n"))
        self._enter(burst=False)

    def _release(self) -> None:
        """Another key came: what was held was a paste."""
        if self._held is not None:
            self._held.stop()
            self._held = None

    def paste_here(self) -> tuple[str, str] | None:
        """Return the placeholder at the cursor, or the last one of its line, and what it stands for."""
        row, column = self.cursor_location
        mark = self.pastes.at(self.document[row], column)
        return (mark, self.pastes.text(mark)) if mark else None

    # pictures

    def _paste(self, text: str) -> None:
        """Take pasted text; a picture that was dropped onto the terminal is mentioned."""
        from hermes_tui.frontends.dropped import dropped

        found = dropped(text, self._hermes.folder) if self._hermes else None
        super()._paste(f"{found} " if found else text)

    def action_paste(self) -> None:
        """Paste a picture that lies in the clipboard, else the text that was copied here."""
        self.run_worker(self._paste_picture(), group="pasting")

    async def _paste_picture(self) -> None:
        from hermes_tui.frontends import clipboard
        from hermes_tui.frontends.dropped import mention

        body = await off_thread(lambda: clipboard.picture(os.environ))
        if body and self._hermes:
            kept, folder = self._hermes.kept, self._hermes.folder
            path = await off_thread(lambda: kept.put("pasted", ".png", body))
            self._paste(f"{mention(path, folder)} ")
        elif self.app.clipboard:
            self._paste(self.app.clipboard)
        else:
            self.post_message(self.NothingToPaste())

    # what was sent before, and what waits

    def action_cursor_up(self, select: bool = False) -> None:
        """Go up, from the first line into the history; a message that waits comes back first."""
        waiting = self._hermes.agent.unqueue() if self._hermes and not self.text else None
        if waiting is not None:
            self.load(waiting)
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
        self.load(text)
        self._dismissed = self.text
        return True

    def action_recall(self) -> None:
        """Search the history for what is written; again: the next one that fits."""
        if self._completer.recalling:
            self._completions.move(1)
            return
        self._before_recall = self.text
        self._completer.recall(self._remembered(), self.text)

    # completions

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._show_mark()
        self._look_up()

    def _look_up(self) -> None:
        if self.text == self._dismissed and not self._completer.recalling:
            self._completions.offer([])
            return
        self._dismissed = ""
        row, column = self.cursor_location
        at_end = (row, column) == self.document.end
        self._completer.look_up(Written(self.text, self.document[row][:column], at_end))

    def _beside(self, work: Awaitable[None]) -> None:
        self.run_worker(work, group="completing", exclusive=True)

    def _complete(self, key: str) -> None:
        if key != "tab":
            self._completions.move(-1 if key == "up" else 1)
        elif (offer := self._completions.chosen) is not None:
            self.take(offer)

    def take(self, offer: Offer) -> None:
        """Write a completion; a command's name gets the blank before its argument."""
        recalled = self._completer.recalling
        if recalled:
            self._completer.hide()
            self.load(offer.write)
            self._dismissed = self.text
        elif self._completer.replaces < 0:
            name = offer.write.removeprefix("/")
            argued = self._hermes is not None and self._hermes.commands.takes_words(name)
            self.put(f"{offer.write} " if argued else offer.write)
        else:
            row, column = self.cursor_location
            start = (row, max(0, column - self._completer.replaces))
            self.replace(offer.write, start, (row, column), maintain_selection_offset=False)

    def hide_completions(self) -> None:
        """Close the list until the text changes; a search of the history gives the draft back."""
        recalling = self._completer.recalling
        self._completer.hide()
        if recalling:
            self.load(self._before_recall)
        self._dismissed = self.text

    def _show_mark(self) -> None:
        normal = self._vi is not None and self._vi.normal
        mark = "N" if normal else "$" if self.text.startswith("!") else "❯"
        if mark != self._mark:
            self._mark = mark
            self.post_message(self.MarkChanged(mark))
