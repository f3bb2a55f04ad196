"""Wrap styled runs to a width. Knows cells and graphemes, nothing of blocks or widgets.

Each line remembers what the wrap swallowed before it (its *joint*), so that a selection over wrapped
lines copies the text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment

Runs = Sequence[Segment]
Break = tuple[int, int, str]
"""Start and end of a line in the text, and the text between it and the line before."""

TAB = 4
_IDEOGRAPH = "\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CLOSING = "\u3001\u3002\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff1a\uff1b\uff1f"
_WORD = re.compile(rf"(\s*)([{_IDEOGRAPH}][{_CLOSING}]*|[^\s{_IDEOGRAPH}]+|$)")
"""A word; an ideograph is a word of its own, but a closing mark stays with what it closes."""


def breaks(text: str, width: int) -> list[Break]:
    """Return where `text` is broken to fit `width` cells; at least one line, also for no text."""
    lines: list[Break] = []
    start = 0
    for line in text.split("\n"):
        if len(line) * 2 <= width or cell_len(line) <= width:
            lines.append((start, start + len(line), "\n"))
        else:
            lines.extend(_break_line(line, start, max(1, width)))
        start += len(line) + 1
    return lines


def _break_line(line: str, offset: int, width: int) -> Iterator[Break]:
    start, end, used, joint = 0, 0, 0, "\n"
    for match in _WORD.finditer(line):
        blank, word = match.groups()
        if not word:
            break
        cells = cell_len(word)
        room = width - used - cell_len(blank)
        if cells > room and end > start and cells <= width:
            yield offset + start, offset + end, joint
            start, used, joint = match.start(2), 0, blank
        elif cells <= room:
            used += cell_len(blank)
        else:
            pieces = list(_chop(line, match.start(), match.end(), (used, width)))
            for cut in pieces:
                yield offset + start, offset + cut, joint
                start, joint = cut, ""
            used, cells = 0, cell_len(line[start : match.end()])
        end = match.end()
        used += cells
    yield offset + start, offset + end, joint


def _chop(line: str, start: int, end: int, room: tuple[int, int]) -> Iterator[int]:
    """Yield where a word longer than a line is cut; `room` is the cells used so far and the width."""
    used, width = room
    for begin, _, cells in split_graphemes(line[start:end])[0]:
        if used + cells > width and used:
            yield start + begin
            used = 0
        used += cells


def wrap(runs: Runs, width: int) -> list[tuple[list[Segment], str]]:
    """Return the runs as lines of at most `width` cells, each with its joint; tabs become blanks."""
    runs = [_flat(run) for run in runs]
    text = "".join(run.text for run in runs)
    found = breaks(text, width)
    if len(found) == 1 and found[0][1] == len(text):  # else blanks that do not fit hang over its end
        return [([run for run in runs if run.text], "\n")]
    return _cut(runs, found)


def _flat(run: Segment) -> Segment:
    return Segment(run.text.expandtabs(TAB), run.style) if "\t" in run.text else run


def _cut(runs: Runs, found: Sequence[Break]) -> list[tuple[list[Segment], str]]:
    lines: list[tuple[list[Segment], str]] = []
    index, base = 0, 0
    for start, end, joint in found:
        line: list[Segment] = []
        while index < len(runs) and base + len(runs[index].text) <= start:
            base += len(runs[index].text)
            index += 1
        at, position = index, base
        while at < len(runs) and position < end:
            text, style, _ = runs[at]
            if piece := text[max(0, start - position) : end - position]:
                line.append(Segment(piece, style))
            position += len(text)
            at += 1
        lines.append((line, joint))
    return lines


def crop(text: str, width: int) -> str:
    """Return `text` on one line in at most `width` cells, with `…` where it was cut."""
    text = " ".join(text[: width * 4 + 400].split())
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    used, end = 0, 0
    for _, stop, cells in split_graphemes(text)[0]:
        if used + cells > width - 1:
            break
        used, end = used + cells, stop
    cut = text[:end].rstrip()
    while cut and cell_len(cut) > width - 1:
        cut = cut[:-1]  # behind joiners that join nothing, the parts count less than the whole
    return cut + "…"


def pad(text: str, width: int) -> str:
    """Return `text` filled with blanks to `width` cells."""
    return text + " " * max(0, width - cell_len(text))
