"""The conversation on the screen: what the app tells it, folding, search. One widget, however long it is.

All text that comes in is untrusted: it is made harmless where it is cut into blocks and is never markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import Thread
from typing import ClassVar, TypedDict, Unpack

from textual import events
from textual.binding import Binding, BindingType

from hermes_tui.frontends.tui.widgets.transcript.document import Document
from hermes_tui.frontends.tui.widgets.transcript.entries import CallEntry, Entry
from hermes_tui.frontends.tui.widgets.transcript.layout import Drawn
from hermes_tui.frontends.tui.widgets.transcript.markdown import warm
from hermes_tui.frontends.tui.widgets.transcript.paint import Mark
from hermes_tui.frontends.tui.widgets.transcript.search import Search
from hermes_tui.frontends.tui.widgets.transcript.viewport import Viewport
from hermes_tui.text import harmless

SHOWN_FIRST = 400
"""Entries of a long conversation that are there in the first frame."""
SLICE = 4_000
"""Of the others so many are added at once,"""
BETWEEN_SLICES = 0.05
"""with so many seconds in between, so that keys are not kept waiting."""

Place = tuple[int, str]
"""A block and what of it is folded."""


class Outcome(TypedDict, total=False):
    """What is known of a call only later."""

    display: str
    """The outcome in a few words."""
    detail: str
    """Its output; a preview of it is kept."""


class Transcript(Viewport):
    """The conversation. Methods may be called before it is mounted; nothing is drawn until it has a size."""

    DEFAULT_CSS = """
    Transcript {
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        & > .transcript--text { color: $foreground; }
        & > .transcript--muted { color: $text-muted; }
        & > .transcript--accent { color: $accent; }
        & > .transcript--success { color: $success; }
        & > .transcript--warning { color: $warning; }
        & > .transcript--error { color: $error; }
        & > .transcript--heading { color: $accent; }
        & > .transcript--code { color: $secondary; }
        & > .transcript--fence { background: $surface; }
        & > .transcript--keyword { color: $primary; }
        & > .transcript--string { color: $success; }
        & > .transcript--number { color: $warning; }
        & > .transcript--comment { color: $text-muted; text-style: italic; }
        & > .transcript--function { color: $secondary; }
        & > .transcript--link { text-style: underline; }
        & > .transcript--added { background: $success 12%; }
        & > .transcript--removed { background: $error 12%; }
        & > .transcript--added-word { background: $success 35%; }
        & > .transcript--removed-word { background: $error 35%; }
        & > .transcript--match { background: $warning 35%; }
        & > .transcript--current-match { background: $warning; color: $background; }
        & > .transcript--cursor { background: $accent 20%; }
        &:ansi {
            & > .transcript--added { color: $success; background: transparent; }
            & > .transcript--removed { color: $error; background: transparent; }
            & > .transcript--added-word { color: $success; background: transparent; text-style: reverse; }
            & > .transcript--removed-word { color: $error; background: transparent; text-style: reverse; }
            & > .transcript--match { background: transparent; text-style: underline bold; }
            & > .transcript--current-match { background: transparent; text-style: reverse bold; }
            & > .transcript--cursor { background: transparent; text-style: reverse; }
        }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "next_fold", "Next detail", show=False, id="next_detail"),
        Binding("k", "previous_fold", "Previous detail", show=False, id="previous_detail"),
        Binding("enter,space", "toggle_fold", "Fold or unfold", show=False),
        Binding("o", "toggle_all", "Fold or unfold all", show=False, id="all_details"),
    ]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._document = Document(self.body)
        self._search: Search | None = None
        self._cursor: Place | None = None
        self._unfolded = False
        self._earlier: list[Entry] = []
        self._double_clicked: int | None = None
        self._warm = False

    def on_mount(self) -> None:
        """Go on with a conversation that was loaded before there was a screen."""
        self._go_on_loading()

    # what happens in the conversation

    def user(self, text: str, *, follow: bool = True) -> None:
        """Show a prompt, and go to the end if the user has just sent it (`follow`)."""
        if not self._warm:
            self._warm = True  # an answer will come: what draws it loads while the model begins
            Thread(target=warm, daemon=True).start()
        self._document.user(text)
        if follow:
            self.follow()
        else:
            self.show_changes(news=True)

    def open_answer(self) -> None:
        """Begin an answer. Deltas without it begin one too."""
        self._document.open_answer()

    def answer_delta(self, text: str) -> None:
        """Take a piece of the answer's Markdown, cut anywhere."""
        self._document.answer_delta(text)
        self.show_changes(news=True)

    def close_answer(self) -> None:
        """End the answer; an unclosed fence ends with it. Without an open answer nothing happens."""
        self._document.close_answer()
        self.show_changes()

    def thinking_delta(self, text: str) -> None:
        """Take a piece of the model's thinking; anything else that happens ends it."""
        self._document.thinking(text)
        self.show_changes(news=True)

    def note(self, text: str, level: str = "info") -> None:
        """Show a notice or a command's output as it is; `level` is info, warning or error."""
        self._document.note(text, level)
        self.show_changes(news=True)

    def begin_batch(self, batch: int, title: str) -> None:
        """Begin the block of a batch; with a number that is there already, change its title."""
        self._document.batch(batch, title)
        self.show_changes(news=True)

    def call(
        self, batch: int, call_id: str, name: str, main: str, state: str, **outcome: Unpack[Outcome]
    ) -> None:
        """Add or update a call's row. `state` is waiting, running or an outcome of the engine.

        `main` is its main argument. An empty or missing `display` or `detail` leaves what was there.
        """
        self._document.call(batch, CallEntry(call_id, name, main, state, **outcome))
        self.show_changes(news=True)

    def diff(self, call_id: str, text: str) -> None:
        """Show an edit's unified diff below its call."""
        self._document.diff(call_id, text)
        self.show_changes(news=True)

    def shell(self, number: int, command: str, output: str = "", how: str = "") -> None:
        """Show a command line that the user runs himself, or what became of it; empty `how`: it runs.

        `number` tells it from others. `output` replaces what was shown; it is harmless already.
        """
        self._document.shell(number, command, output, how)
        self.show_changes(news=True)

    def receipt(self, lines: Sequence[str]) -> None:
        """Show what an interrupt left; the first line says it."""
        self._document.receipt(lines)
        self.show_changes(news=True)

    def load(self, entries: Iterable[Entry]) -> None:
        """Show a whole conversation; nothing is drawn but what is seen.

        Of a long one the newest `SHOWN_FIRST` entries come at once, the others behind the first frame.
        """
        entries = list(entries)
        if not self.body.blocks:
            self._earlier, entries = entries[:-SHOWN_FIRST], entries[-SHOWN_FIRST:]
        self._document.load(entries)
        self._go_on_loading()
        self.follow()

    def load_before(self, entries: Iterable[Entry]) -> None:
        """Show what was said before all that is there, or is still to come; a slice at a time."""
        self._earlier[:0] = entries
        self._go_on_loading()

    def _go_on_loading(self) -> None:
        if self._earlier and self.is_running:
            self.set_timer(BETWEEN_SLICES, self._load_slice)

    def _load_slice(self) -> None:
        self._load_earlier(SLICE)
        self._go_on_loading()

    def _load_earlier(self, count: int) -> None:
        """Put the newest of what is still to be loaded before what is there."""
        if not self._earlier:
            return
        entries = self._earlier[-count:]
        del self._earlier[-count:]
        added = self._document.load_earlier(entries)
        if self._cursor is not None:
            self._cursor = self._cursor[0] + added, self._cursor[1]
        self._search = None
        self.moved_down(added)

    def clear(self) -> None:
        """Forget everything."""
        self._document.clear()
        self._earlier = []
        self._search = self._cursor = None
        if self.is_attached:
            self.screen.clear_selection()
        self.follow()

    # what others ask

    def last_answer(self) -> str:
        """Return the newest answer's Markdown (harmless, else as it came); empty when there is none."""
        return harmless(self._document.last_answer())

    def text(self) -> str:
        """Return all that is shown as plain text. Draws everything: for tests and export."""
        self.before_frame()
        lines = [line for index in range(len(self.body.blocks)) for line in self.body.lines(index)]
        return "\n".join(line.text.rstrip() for line in lines)

    def before_frame(self) -> None:
        """See `Viewport`."""
        self._document.flush()

    # search

    def search(self, needle: str) -> int:
        """Mark all that matches, whatever its case; return how many there are. Empty text ends the search."""
        self._load_earlier(len(self._earlier))
        self.before_frame()
        self._search = Search(needle, self.body.blocks) if needle else None
        self.refresh()
        return len(self._search.matches) if self._search else 0

    def next_match(self) -> int:
        """Go to the match below; return its number from 1, 0 when there is none."""
        return self._go(1)

    def previous_match(self) -> int:
        """Go to the match above, the first time to the last one seen; numbers as in `next_match`."""
        return self._go(-1)

    def _go(self, by: int) -> int:
        search = self._search
        if search is None:
            return 0
        bottom, _ = self.body.find(self.scroll_offset.y + self.size.height - 1)
        match = search.step(by, search.nearest(bottom))
        if match is None:
            return 0
        index, number = min(match[0], len(self.body.blocks) - 1), match[1]
        if self.body.blocks[index].reveal(search.pattern):
            self.body.touch(self.body.blocks[index])
        self.bring_to_view(index, search.place(self.body.lines(index), number)[0])
        return search.current + 1

    # folding

    def on_click(self, event: events.Click) -> None:
        """Fold or unfold what was clicked on, unless text was being selected."""
        offset = event.get_content_offset(self)
        y = self.scroll_offset.y + offset.y if offset is not None else self.body.total
        if y >= self.body.total or not self.body.ready:
            return
        index, place = self.body.find(y)
        self._double_clicked = index if event.chain == 2 else None
        target = self.body.lines(index)[place].target
        if target and event.chain == 1 and self.text_selection is None:
            self._toggle((index, target))

    def text_select_all(self) -> None:
        """Select everything; after a double click only the block under the mouse."""
        if self._double_clicked is None:
            super().text_select_all()
        else:
            self.select_block(self._double_clicked)

    def action_toggle_fold(self) -> None:
        """Fold or unfold what the cursor is on."""
        if self._cursor is None:
            self.action_previous_fold()
        if self._cursor is not None:
            self._toggle(self._cursor)

    def action_toggle_all(self) -> None:
        """Unfold every detail, or fold every one."""
        self._unfolded = not self._unfolded
        for block in self.body.blocks:
            if block.fold(folded=not self._unfolded):
                self.body.touch(block)
        self.settle()

    def toggle_newest(self) -> None:
        """Unfold the newest detail that is seen or above, or fold it again."""
        if not self.body.blocks or not self.body.ready:
            return
        bottom, _ = self.body.find(self.scroll_offset.y + self.size.height - 1)
        for index in range(bottom, -1, -1):
            if targets := [target for target in self.body.blocks[index].targets() if target != "batch"]:
                self._toggle((index, targets[-1]))
                return

    def action_next_fold(self) -> None:
        """Move the cursor to the next thing that can be unfolded."""
        self._move_cursor(1)

    def action_previous_fold(self) -> None:
        """Move the cursor to the one above; the first time to the last one on the screen."""
        self._move_cursor(-1)

    def _toggle(self, place: Place) -> None:
        index, target = place
        if self.body.blocks[index].toggle(target):
            self._cursor = place
            self.hold()
            self.body.touch(self.body.blocks[index])
            self.settle()

    def _move_cursor(self, by: int) -> None:
        places = [
            (index, target) for index, block in enumerate(self.body.blocks) for target in block.targets()
        ]
        if not places:
            return
        if self._cursor in places:
            at = min(max(places.index(self._cursor) + by, 0), len(places) - 1)
        else:
            bottom, _ = self.body.find(self.scroll_offset.y + self.size.height - 1)
            at = max((number for number, (index, _) in enumerate(places) if index <= bottom), default=0)
        self._cursor = index, target = places[at]
        lines = self.body.lines(index)
        self.bring_to_view(index, next((n for n, line in enumerate(lines) if line.target == target), 0))

    def marks_of(self, index: int, place: int, line: Drawn) -> Iterator[Mark]:
        """See `Viewport`."""
        if line.target and self._cursor == (index, line.target) and self.has_focus:
            yield line.gutter - 2, -1, self.mark_style("cursor")
        if (search := self._search) is None:
            return
        here: tuple[int, tuple[int, int]] | None = None
        if search.current >= 0 and search.matches[search.current][0] == index:
            here = search.place(self.body.lines(index), search.matches[search.current][1])
        for span in search.spans(line):
            current = here == (place, span)
            yield (*span, self.style_of("current-match") if current else self.mark_style("match"))
