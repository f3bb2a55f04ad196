"""The kinds of plain blocks: a prompt, a piece of an answer, thinking, a note, a receipt.

A block holds its source and draws itself on a canvas; it knows nothing of where it stands. Long texts come
as several blocks (`plain_blocks`), so that only what is seen of them is ever drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment

from hermes_tui.frontends.tui.widgets.transcript.canvas import BLANK, Canvas, Line, paragraph
from hermes_tui.frontends.tui.widgets.transcript.split import LINE_LIMIT, PIECE_LIMIT, Piece, split
from hermes_tui.frontends.tui.widgets.transcript.wrap import crop
from hermes_tui.text import harmless

CHUNK_LINES = 100
THINKING_LIMIT = 64_000
"""Characters of thinking that are kept: the newest."""


class Block:
    """One part of the transcript. The base: not foldable, a blank line above."""

    gap: bool = True
    """Whether a blank line stands above."""
    joint: str = "\n"
    """What stands between the text before and this block's."""
    index: int = -1
    """Its place in the layout, set there."""

    def source(self) -> str:
        """Return its text as it came, for search and for a first guess of its height."""
        raise NotImplementedError

    def draw(self, canvas: Canvas) -> list[Line]:
        """Return its lines, without the gap."""
        raise NotImplementedError

    def estimate(self, width: int) -> int:
        """Return about how many lines it has, cheaply."""
        text = self.source()
        return text.count("\n") + 1 + len(text) // max(1, width)

    def targets(self) -> list[str]:
        """Return what of it can be folded."""
        return []

    def toggle(self, target: str) -> bool:
        """Fold or unfold `target`; return whether anything changed."""
        return False

    def fold(self, *, folded: bool) -> bool:
        """Fold or unfold all details; return whether anything changed."""
        return False

    def reveal(self, pattern: re.Pattern[str]) -> bool:
        """Unfold what hides a match; return whether anything changed."""
        return False


class Plain(Block):
    """Text as it is, wrapped, behind a mark: a prompt, a note, command output."""

    def __init__(
        self, text: str, role: str, mark: str = "", *, start: bool = True, joint: str = "\n"
    ) -> None:
        self._text = text
        self._role = role
        self._mark = mark
        self.gap = start
        self.joint = joint
        self._start = start

    def source(self) -> str:
        """See `Block`."""
        return self._text

    def estimate(self, width: int) -> int:
        """See `Block`."""
        return self._text.count("\n") + 1 + len(self._text) // width

    def draw(self, canvas: Canvas) -> list[Line]:
        """See `Block`."""
        mark = [canvas.run(self._mark, self._role)] if self._mark else []
        blanks = [Segment(" " * len(self._mark))] if self._mark else []
        runs = [canvas.run(harmless(self._text).strip("\n"), self._role)]
        return paragraph(canvas, runs, mark if self._start else blanks, blanks)


def plain_blocks(text: str, role: str, mark: str = "") -> list[Block]:
    """Return a text of any length as blocks of at most `CHUNK_LINES` lines."""
    if len(text) <= LINE_LIMIT:
        return [Plain(text, role, mark)]
    text = harmless(text).strip("\n")
    chunks: list[tuple[str, list[str]]] = [("\n", [])]
    for row in text.split("\n"):
        for start in range(0, max(1, len(row)), LINE_LIMIT):
            if start or len(row) > LINE_LIMIT or len(chunks[-1][1]) >= CHUNK_LINES:
                chunks.append(("" if start else "\n", []))
            chunks[-1][1].append(row[start : start + LINE_LIMIT])
    return [
        Plain("\n".join(chunk), role, mark, start=not number, joint=joint)
        for number, (joint, chunk) in enumerate(chunk for chunk in chunks if chunk[1])
    ]


class Answer(Block):
    """A whole answer that is not streaming: cut into pieces only when it is drawn."""

    def __init__(self, text: str) -> None:
        self._text = text

    def source(self) -> str:
        """See `Block`."""
        return self._text

    def draw(self, canvas: Canvas) -> list[Line]:
        """See `Block`."""
        lines: list[Line] = []
        for piece in split(self._text):
            if lines and not piece.joined:
                lines.append(BLANK)
            lines.extend(_draw_piece(piece, canvas))
        return lines


def answer_blocks(text: str) -> list[Block]:
    """Return a whole answer as one block, or as its pieces when it is long."""
    if len(text) <= PIECE_LIMIT:
        return [Answer(text)]
    return [AnswerPiece(piece) for piece in split(text)]


class AnswerPiece(Block):
    """One piece of a streamed answer; the open one changes until it is closed."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.gap = not piece.joined

    def source(self) -> str:
        """See `Block`."""
        return self.piece.text

    def draw(self, canvas: Canvas) -> list[Line]:
        """See `Block`."""
        return _draw_piece(self.piece, canvas)


def _draw_piece(piece: Piece, canvas: Canvas) -> list[Line]:
    from hermes_tui.frontends.tui.widgets.transcript.markdown import draw

    return draw(piece, canvas)


class Thinking(Block):
    """What the model thinks: one line, unfolded on demand; the newest `THINKING_LIMIT` characters."""

    def __init__(self, text: str = "", *, is_open: bool = False) -> None:
        self._parts: list[str] = []
        self._kept = 0
        self._lines = 1
        self._folded = True
        self.is_open = is_open
        self.add(text)

    def add(self, text: str) -> None:
        """Append what arrived."""
        self._parts.append(text)
        self._kept += len(text)
        self._lines += text.count("\n")
        if self._kept > 2 * THINKING_LIMIT:
            self._parts = [self.source()]
            self._kept = len(self._parts[0])

    def source(self) -> str:
        """See `Block`."""
        return "".join(self._parts)[-THINKING_LIMIT:]

    def estimate(self, width: int) -> int:
        """See `Block`."""
        return 1 if self._folded else super().estimate(width)

    def draw(self, canvas: Canvas) -> list[Line]:
        """See `Block`."""
        title = "thinking" if self.is_open else "thought"
        arrow = "▸" if self._folded else "▾"
        count = f" · {self._lines} lines" if self._lines > 1 else ""
        head = f"{arrow} {title}{count}"
        if self._folded:
            newest = "".join(self._parts[-400:])[-4_000:].rstrip().rpartition("\n")[2]
            shown = crop(harmless(newest), canvas.width - len(head) - 3)
            return [Line([canvas.run(f"{head} · {shown}" if shown else head, "muted")], 2, target="fold")]
        body = paragraph(
            canvas, [canvas.run(harmless(self.source()).strip("\n"), "muted")], [canvas.run("  ")]
        )
        return [Line([canvas.run(head, "muted")], 2, target="fold"), *body]

    def targets(self) -> list[str]:
        """See `Block`."""
        return ["fold"]

    def toggle(self, target: str) -> bool:
        """See `Block`."""
        return self.fold(folded=not self._folded)

    def fold(self, *, folded: bool) -> bool:
        """See `Block`."""
        changed, self._folded = folded != self._folded, folded
        return changed

    def reveal(self, pattern: re.Pattern[str]) -> bool:
        """See `Block`."""
        return pattern.search(self.source()) is not None and self.fold(folded=False)


class Receipt(Block):
    """What an interrupt left: the first line says it, the others tell what became of the calls."""

    mark: ClassVar[str] = "■ "

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [harmless(text) for text in lines] or [""]

    def source(self) -> str:
        """See `Block`."""
        return "\n".join(self._lines)

    def draw(self, canvas: Canvas) -> list[Line]:
        """See `Block`."""
        first, *others = self._lines
        drawn = paragraph(canvas, [canvas.run(first, "warning")], [canvas.run(self.mark, "warning")])
        for text in others:
            drawn += paragraph(canvas, [canvas.run(text)], [canvas.run("  ")])
        return drawn
