"""The conversation: turns what happens into blocks. Knows the order of things, not how they look.

While an answer streams, its open piece stays the last block; whatever else comes in between is put before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from hermes_tui.frontends.tui.widgets.transcript import diff as diffs
from hermes_tui.frontends.tui.widgets.transcript.batch import Batch, Call, preview
from hermes_tui.frontends.tui.widgets.transcript.blocks import (
    AnswerPiece,
    Block,
    Receipt,
    Thinking,
    answer_blocks,
    plain_blocks,
)
from hermes_tui.frontends.tui.widgets.transcript.entries import (
    AnswerEntry,
    BatchEntry,
    CallEntry,
    Entry,
    NoteEntry,
    ThinkingEntry,
    UserEntry,
)
from hermes_tui.frontends.tui.widgets.transcript.layout import Layout
from hermes_tui.frontends.tui.widgets.transcript.shell import Shell
from hermes_tui.frontends.tui.widgets.transcript.split import Piece, Splitter
from hermes_tui.text import harmless

FIELD_LIMIT = 2_000
"""Characters of a call's argument or outcome that are kept; the row shows a line of them."""
DETAIL_BUDGET = 8_000_000
"""Characters of call details kept in all; beyond it the oldest are dropped."""

_NOTES = {"info": ("text", "  "), "warning": ("warning", "! "), "error": ("error", "✗ ")}


class Document:
    """All blocks of the conversation, in a layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._layout.clear()
        self._splitter: Splitter | None = None
        self._waiting: list[str] = []
        self._tail: AnswerPiece | None = None
        self._answer: list[str] = []
        self._thinking: Thinking | None = None
        self._batches: dict[int, Batch] = {}
        self._calls: dict[str, tuple[Batch, Call]] = {}
        self._shells: dict[int, Shell] = {}
        self._detailed: deque[tuple[Batch, Call]] = deque()
        self._kept = 0

    @property
    def streaming(self) -> bool:
        """Whether an answer is open."""
        return self._splitter is not None

    def user(self, text: str) -> None:
        """Add a prompt."""
        self._add(*plain_blocks(text, "accent", "❯ "))

    def note(self, text: str, level: str) -> None:
        """Add a notice or a command's output."""
        self._add(*plain_blocks(text, *_NOTES.get(level, _NOTES["info"])))

    def shell(self, number: int, command: str, output: str, how: str) -> None:
        """Add a command line of the user, or say what it printed and how it ended."""
        if (block := self._shells.get(number)) is None:
            block = self._shells[number] = Shell(command)
            self._add(block)
        block.update(output, how)
        self._layout.touch(block)

    def receipt(self, lines: Sequence[str]) -> None:
        """Add what an interrupt left."""
        self._add(Receipt(lines))

    def open_answer(self) -> None:
        """Begin an answer; one that is still open ends."""
        self.close_answer()
        self._end_thinking()
        self._splitter = Splitter()
        self._answer = []

    def answer_delta(self, text: str) -> None:
        """Take a piece of the answer; it is looked at by the next `flush`."""
        if self._splitter is None:
            self.open_answer()
        self._waiting.append(text)
        self._answer.append(text)

    def close_answer(self) -> None:
        """End the answer."""
        if self._splitter is None:
            return
        self.flush()
        self._pop_tail()
        self._append_pieces(self._splitter.close())
        self._splitter = None

    def flush(self) -> None:
        """Turn what arrived since the last time into blocks."""
        if self._splitter is None or not self._waiting:
            return
        closed = self._splitter.feed("".join(self._waiting))
        self._waiting.clear()
        tail = self._splitter.tail()
        if not closed and self._tail is not None and tail is not None:
            self._tail.piece = tail
            self._layout.touch(self._tail)
            return
        self._pop_tail()
        self._append_pieces(closed)
        if tail is not None:
            self._tail = AnswerPiece(tail)
            self._layout.append(self._tail)

    def last_answer(self) -> str:
        """Return the Markdown of the newest answer; empty when there is none."""
        self._answer = ["".join(self._answer)]
        return self._answer[0]

    def thinking(self, text: str) -> None:
        """Take a piece of the model's thinking."""
        if self._thinking is None:
            block = Thinking(is_open=True)
            self._add(block)
            self._thinking = block
        self._thinking.add(text)
        self._layout.touch(self._thinking)

    def batch(self, batch: int, title: str) -> None:
        """Begin the block of a batch, or give it another title; numbers are unique until `clear`."""
        if (block := self._batches.get(batch)) is not None:
            block.title = harmless(title)
            self._layout.touch(block)
            return
        self._batches[batch] = Batch(title)
        self._add(self._batches[batch])

    def call(self, batch: int, entry: CallEntry) -> None:
        """Add a call to its batch, or say what became of it. An empty display or detail changes nothing."""
        if batch not in self._batches:
            self.batch(batch, f"batch {batch}")
        block = self._batches[batch]
        call = block.calls.get(entry.id)
        if call is None:
            call = block.calls[entry.id] = Call(entry.id, "", "", "waiting")
        self._calls[entry.id] = (block, call)
        self._update(block, call, entry)
        self._layout.touch(block)

    def diff(self, call_id: str, text: str) -> None:
        """Show an edit below its call; a call that is not known is ignored."""
        if (known := self._calls.get(call_id)) is None:
            return
        block, call = known
        before = call.kept()
        call.diff = diffs.parse(text)
        self._account(block, call, before)
        self._layout.touch(block)

    def load(self, entries: Sequence[Entry]) -> None:
        """Add a whole conversation."""
        self.close_answer()
        self._end_thinking()
        self._layout.extend(self._blocks(entries))
        newest = next((entry for entry in reversed(entries) if isinstance(entry, AnswerEntry)), None)
        self._answer = self._answer if newest is None else [newest.text]

    def load_earlier(self, entries: Sequence[Entry]) -> int:
        """Put what was said before everything that is there; return how many blocks that made."""
        newer, self._detailed = self._detailed, deque()
        added = self._layout.prepend(self._blocks(entries))
        self._detailed.extend(newer)
        return added

    def _blocks(self, entries: Iterable[Entry]) -> Iterator[Block]:
        return (block for entry in entries for block in self._blocks_of(entry))

    def _blocks_of(self, entry: Entry) -> Sequence[Block]:
        match entry:
            case UserEntry(text):
                return plain_blocks(text, "accent", "❯ ")
            case AnswerEntry(text):
                return answer_blocks(text)
            case NoteEntry(text, level):
                return plain_blocks(text, *_NOTES.get(level, _NOTES["info"]))
            case ThinkingEntry(text):
                return [Thinking(text)]
            case BatchEntry():
                return [self._loaded_batch(entry)]
            case _:
                return [Receipt(entry.lines)]

    def _loaded_batch(self, entry: BatchEntry) -> Batch:
        block = Batch(entry.title)
        for item in entry.calls:
            call = block.calls[item.id] = Call(item.id, "", "", item.state)
            self._update(block, call, item)
        return block

    def _update(self, block: Batch, call: Call, entry: CallEntry) -> None:
        before = call.kept()
        call.name = harmless(entry.name) or call.name
        call.main = harmless(entry.main[:FIELD_LIMIT]) or call.main
        call.state = entry.state
        call.display = harmless(entry.display[:FIELD_LIMIT]) or call.display
        if entry.detail:
            call.detail, call.forgotten = preview(entry.detail), False
        call.diff = diffs.parse(entry.diff) if entry.diff else call.diff
        self._account(block, call, before)

    def _account(self, block: Batch, call: Call, before: int) -> None:
        """Keep the details of all calls within the budget: the oldest go first."""
        if (kept := call.kept()) == before:
            return
        self._kept += kept - before
        if not before:
            self._detailed.append((block, call))
        while self._kept > DETAIL_BUDGET and self._detailed:
            old_block, old = self._detailed.popleft()
            self._kept -= old.kept()
            old.forget()
            if old_block.index >= 0:
                self._layout.touch(old_block)

    def _add(self, *blocks: Block) -> None:
        """Append blocks, before the open piece of an answer if there is one."""
        self._end_thinking()
        self.flush()
        tail = self._pop_tail()
        for block in blocks:
            self._layout.append(block)
        if tail is not None:
            self._tail = tail
            self._layout.append(tail)

    def _end_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.is_open = False
            self._layout.touch(self._thinking)
            self._thinking = None

    def _pop_tail(self) -> AnswerPiece | None:
        tail, self._tail = self._tail, None
        if tail is not None:
            self._layout.pop()
        return tail

    def _append_pieces(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            self._layout.append(AnswerPiece(piece))
