"""Text fitted into cells: clipped, filled, wrapped. Knows no widget."""

from __future__ import annotations

from textwrap import wrap

from hermes_tui.text import cells, clip


def tail(text: str, width: int) -> str:
    """Clip a text; of a path its end is kept, the part that tells it from others."""
    if cells(text) <= width or " " in text or "/" not in text or width < 2:
        return clip(text, width)
    while cells(text) > width - 1:
        text = text[1:]
    return f"…{text}"


def pad(text: str, width: int) -> str:
    """Fill a text with blanks to `width` cells."""
    return text + " " * (width - cells(text))


def wrapped(text: str, width: int, most: int) -> list[str]:
    """Wrap a text to at most `most` lines; the last one is clipped."""
    lines = wrap(text, max(10, width))
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [clip(line, width) for line in lines]
