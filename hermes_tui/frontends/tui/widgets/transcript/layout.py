"""Where every block lies and what its lines are; draws a block only when somebody looks at it.

Heights are guessed until a block is drawn, and corrected then. Drawn lines are kept for the blocks looked
at last (`KEPT_LINES`). Knows no widget and no scroll position.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from hermes_tui.frontends.tui.widgets.transcript.blocks import Block
from hermes_tui.frontends.tui.widgets.transcript.canvas import BLANK, Canvas, Line, cells
from hermes_tui.frontends.tui.widgets.transcript.heights import Heights

KEPT_LINES = 600
MARGIN = 1
"""Blank cells left and right of everything."""


class Drawn(NamedTuple):
    """One line as it stands on the screen: as wide as the canvas, on its ground."""

    strip: Strip
    text: str
    gutter: int
    """How many of its first characters are decoration."""
    joint: str
    """What stands between the text of the line above and its own."""
    target: str
    """What a click on it folds; empty for nothing."""


class Layout:
    """The blocks in order. Heights are kept once there is a canvas."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._heights = Heights()
        self._measured = bytearray()
        self._drawn: OrderedDict[int, list[Drawn]] = OrderedDict()
        self._drawn_lines = 0
        self._canvas: Canvas | None = None

    @property
    def total(self) -> int:
        """Lines of all blocks, as far as known."""
        return self._heights.total

    @property
    def ready(self) -> bool:
        """Whether there is a canvas to draw on."""
        return self._canvas is not None

    def set_canvas(self, canvas: Canvas) -> None:
        """Draw on another canvas from now on: everything is guessed again."""
        same_width = self._canvas is not None and self._canvas.width == canvas.width
        self._canvas = canvas
        self._drawn.clear()
        self._drawn_lines = 0
        if not same_width:
            self._heights.reset(self._guess(block) for block in self.blocks)
            self._measured = bytearray(len(self.blocks))

    def append(self, block: Block) -> None:
        """Add a block at the end."""
        block.index = len(self.blocks)
        self.blocks.append(block)
        if self._canvas is not None:
            self._heights.append(self._guess(block))
            self._measured.append(0)

    def extend(self, blocks: Iterable[Block]) -> None:
        """Add many blocks at the end, in one go."""
        self.blocks.extend(blocks)
        for index in range(len(self._measured), len(self.blocks)):
            self.blocks[index].index = index
        if self._canvas is not None:
            known = [self._heights[index] for index in range(len(self._heights))]
            added = [self._guess(block) for block in self.blocks[len(known) :]]
            self._heights.reset(known + added)
            self._measured.extend(bytes(len(added)))

    def prepend(self, blocks: Iterable[Block]) -> int:
        """Add blocks before all others; return how many. The others' numbers grow by as many."""
        added = list(blocks)
        self.blocks[:0] = added
        for index, block in enumerate(self.blocks):
            block.index = index
        if self._canvas is not None and added:
            self._drawn_lines -= len(self._drawn.pop(0, ()))  # the first one has a gap above it now
            self._drawn = OrderedDict((at + len(added), lines) for at, lines in self._drawn.items())
            self._measured[:0] = bytes(len(added))
            known = [self._heights[index] for index in range(len(self._heights))]
            self._heights.reset([self._guess(block) for block in added] + known)
            if known:
                self.touch(self.blocks[len(added)])
        return len(added)

    def pop(self) -> Block:
        """Remove the last block and return it."""
        block = self.blocks.pop()
        self._forget(block.index)
        if self._canvas is not None:
            self._heights.pop()
            self._measured.pop()
        block.index = -1
        return block

    def clear(self) -> None:
        """Remove all blocks."""
        self.blocks.clear()
        self._heights.reset(())
        self._measured.clear()
        self._drawn.clear()
        self._drawn_lines = 0

    def touch(self, block: Block) -> None:
        """Take note that a block changed."""
        self._forget(block.index)
        if self._canvas is not None:
            self._measured[block.index] = 0
            self._heights.set(block.index, self._guess(block))

    def top(self, index: int) -> int:
        """Return how many lines lie above a block."""
        return self._heights.top(index)

    def height(self, index: int) -> int:
        """Return a block's height, as far as known."""
        return self._heights[index]

    def find(self, y: int) -> tuple[int, int]:
        """Return the block at line `y` and the line in it."""
        return self._heights.find(y)

    def measured(self, index: int) -> bool:
        """Whether a block's height is exact."""
        return bool(self._measured[index])

    def lines(self, index: int) -> list[Drawn]:
        """Return a block's lines, its gap included; corrects its height."""
        kept = self._drawn.get(index)
        if kept is not None:
            self._drawn.move_to_end(index)
            return kept
        lines = self._draw(index)
        self._drawn[index] = lines
        self._drawn_lines += len(lines)
        self._heights.set(index, len(lines))
        self._measured[index] = 1
        while self._drawn_lines > KEPT_LINES and len(self._drawn) > 1:
            self._drawn_lines -= len(self._drawn.popitem(last=False)[1])
        return lines

    def measure(self, index: int) -> int:
        """Return a block's exact height, drawing it only if it is not known."""
        return self._heights[index] if self._measured[index] else len(self.lines(index))

    def _draw(self, index: int) -> list[Drawn]:
        assert self._canvas is not None
        block = self.blocks[index]
        lines = block.draw(self._canvas.narrower(2 * MARGIN))
        if lines and block.joint != "\n":
            lines[0] = lines[0]._replace(joint=block.joint)
        if lines and self._has_gap(index):
            lines.insert(0, BLANK)
        return [_laid(line, self._canvas) for line in lines]

    def _has_gap(self, index: int) -> bool:
        return index > 0 and self.blocks[index].gap

    def _guess(self, block: Block) -> int:
        width = self._canvas.width - 2 * MARGIN if self._canvas is not None else 80
        return block.estimate(width) + (block.index > 0 and block.gap)

    def _forget(self, index: int) -> None:
        if (lines := self._drawn.pop(index, None)) is not None:
            self._drawn_lines -= len(lines)


def _laid(line: Line, canvas: Canvas) -> Drawn:
    """Put a line on the ground, with the margin left of it and blanks to the right end."""
    ground = canvas.ground
    segments = [Segment(" " * MARGIN, ground)]
    segments += [Segment(run.text, ground + run.style if run.style else ground) for run in line.runs]
    used = MARGIN + cells(line.runs)
    if used < canvas.width:
        segments.append(Segment(" " * (canvas.width - used), ground))
    strip = Strip(segments, max(used, canvas.width)).crop(0, canvas.width)
    return Drawn(strip, " " * MARGIN + line.text, line.gutter + MARGIN, line.joint, line.target)
