"""Pasted text: made harmless, and a long one stands as a placeholder until the prompt is sent.

Knows no widget.
"""

from __future__ import annotations

import re
from typing import Final

from hermes_tui.text import harmless

LONG_LINES: Final = 12
LONG_TEXT: Final = 1_500
"""Lines or characters from which a paste is collapsed."""


def clean(text: str) -> str:
    """Return pasted text as it may stand in the prompt; terminals paste `\\r` for a line end."""
    return harmless(text.replace("\r\n", "\n").replace("\r", "\n"))


class Pastes:
    """What the placeholders of one draft stand for."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._count = 0

    def take(self, text: str) -> str:
        """Return what goes into the prompt for a clean pasted `text`: the text or a placeholder."""
        lines = text.count("\n") + 1
        if lines < LONG_LINES and len(text) < LONG_TEXT:
            return text
        self._count += 1
        size = f"{lines} lines" if lines > 1 else f"{len(text)} characters"
        mark = f"[pasted #{self._count}: {size}]"
        self._texts[mark] = text
        return mark

    def at(self, line: str, column: int) -> str | None:
        """Return the placeholder that the cursor stands in or beside, else the line's last one, if any."""
        spans = [(line.find(mark), mark) for mark in self._texts if mark in line]
        here = (mark for start, mark in spans if start <= column <= start + len(mark))
        return next(here, max(spans, default=(0, None))[1])

    def text(self, mark: str) -> str:
        """Return what a placeholder stands for."""
        return self._texts[mark]

    def ending(self, before: str) -> str | None:
        """Return the placeholder that `before` ends with, if any."""
        return next((mark for mark in self._texts if before.endswith(mark)), None)

    def expand(self, text: str) -> str:
        """Return `text` with what its placeholders stand for."""
        if not self._texts:
            return text
        marks = re.compile("|".join(map(re.escape, self._texts)))
        return marks.sub(lambda match: self._texts[match[0]], text)

    def clear(self) -> None:
        """Forget them: the draft was sent. Numbers go on, so that old drafts stay unambiguous."""
        self._texts.clear()
