"""A call's bar on its batch's time axis, as characters. Numbers in, text out."""

from __future__ import annotations

from typing import Final

FULL: Final = "━"
LEFT: Final = "╸"
RIGHT: Final = "╺"
"""The left and the right half of a cell."""


def bar(start: float, end: float, axis: tuple[float, float], width: int) -> str:
    """Return `width` cells with a line from `start` to `end` of the axis; at least half a cell of it.

    All three in seconds; a bar is drawn to half a cell, so that stairs of many short calls stay stairs.
    """
    first, last = axis
    scale = 2 * width / (last - first) if last > first else 0.0
    begin = min(2 * width - 1, max(0, round((start - first) * scale)))
    stop = min(2 * width, max(begin + 1, round((end - first) * scale))) if scale else 2 * width
    cells = [" ", RIGHT, LEFT, FULL]
    halves = [begin <= half < stop for half in range(2 * width)]
    return "".join(cells[2 * halves[2 * cell] + halves[2 * cell + 1]] for cell in range(width))
