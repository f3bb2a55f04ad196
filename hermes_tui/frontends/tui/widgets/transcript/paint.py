"""Lays marks (search, cursor, selection) over a drawn line."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Mark = tuple[int, int, Style]
"""Start, end (characters; -1 for to the end) and style."""


def marked(strip: Strip, marks: Iterable[Mark]) -> Strip:
    """Return the strip with each mark's style laid over its characters."""
    segments = list(strip)
    length = sum(len(segment.text) for segment in segments)
    for start, end, style in marks:
        segments = _mark(segments, start, length if end < 0 else end, style)
    return Strip(segments, strip.cell_length)


def _mark(segments: Iterable[Segment], start: int, end: int, style: Style) -> list[Segment]:
    marked: list[Segment] = []
    at = 0
    for text, old, _ in segments:
        first = min(max(start - at, 0), len(text))
        last = min(max(end - at, first), len(text))
        parts = (text[:first], old), (text[first:last], (old or Style.null()) + style), (text[last:], old)
        marked.extend(Segment(part, part_style) for part, part_style in parts if part)
        at += len(text)
    return marked
