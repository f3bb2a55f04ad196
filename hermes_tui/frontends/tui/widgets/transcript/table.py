"""A Markdown table: columns as wide as they need, wrapped when the screen is narrower."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.segment import Segment

from hermes_tui.frontends.tui.widgets.transcript.canvas import BLANK, Canvas, Line, cells, paragraph
from hermes_tui.frontends.tui.widgets.transcript.wrap import Runs, wrap

_BETWEEN = " │ "
_LEAST = 6
"""Columns narrower than this many cells cannot be read: then each row is a list of its cells."""


def table(rows: Sequence[Sequence[Runs]], alignments: Sequence[str], canvas: Canvas) -> list[Line]:
    """Return the lines of a table; the first row is its head."""
    natural = [max(_width(cell) for cell in column) for column in zip(*rows, strict=False)]
    room = canvas.width - len(_BETWEEN) * (len(natural) - 1)
    if room < sum(min(_LEAST, width) for width in natural):
        return _records(rows, canvas)
    widths = _fit(natural, room)
    lines: list[Line] = []
    for number, row in enumerate(rows):
        lines.extend(_row(row, widths, alignments, canvas))
        if not number:
            lines.append(Line([canvas.run("─┼─".join("─" * width for width in widths), "muted")]))
    return lines


def _width(runs: Runs) -> int:
    return max(1, cells(runs))


def _fit(natural: Sequence[int], room: int) -> list[int]:
    """Share `room` among the columns: the narrow ones get what they need, the wide ones the rest."""
    widths = [0] * len(natural)
    order = sorted(range(len(natural)), key=natural.__getitem__)
    for position, column in enumerate(order):
        widths[column] = max(1, min(natural[column], room // (len(order) - position)))
        room -= widths[column]
    return widths


def _row(row: Sequence[Runs], widths: Sequence[int], alignments: Sequence[str], canvas: Canvas) -> list[Line]:
    wrapped = [[part for part, _ in wrap(cell, width)] for cell, width in zip(row, widths, strict=False)]
    lines: list[Line] = []
    for parts in zip_longest(*wrapped, fillvalue=[]):
        runs: list[Segment] = []
        for part, width, alignment in zip(parts, widths, alignments, strict=False):
            if runs:
                runs.append(canvas.run(_BETWEEN, "muted"))
            runs.extend(_aligned(part, width, alignment))
        lines.append(Line(runs))
    return lines


def _aligned(part: Runs, width: int, alignment: str) -> list[Segment]:
    free = max(0, width - cells(part))
    left = {"right": free, "center": free // 2}.get(alignment, 0)
    return [Segment(" " * left), *part, Segment(" " * (free - left))]


def _records(rows: Sequence[Sequence[Runs]], canvas: Canvas) -> list[Line]:
    head, *body = rows
    lines: list[Line] = []
    for row in body:
        if lines:
            lines.append(BLANK)
        for name, cell in zip(head, row, strict=False):
            lines.extend(paragraph(canvas, [*name, canvas.run(": ", "muted"), *cell]))
    return lines
