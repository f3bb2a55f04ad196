"""The part of a text that shows why it was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

WIDTH: Final = 160
"""Characters of it."""
BEFORE: Final = 50
"""Of these so many stand before the match."""


def snippet(text: str, terms: Sequence[str]) -> str:
    """Return the text around the first of the terms, on one line, with `…` where it was cut."""
    folded = text.casefold()
    places = [place for term in terms if (place := folded.find(term.casefold())) >= 0]
    start = max(0, min(places, default=0) - BEFORE)
    part = " ".join(text[start : start + WIDTH].split())
    return f"{'…' if start else ''}{part}{'…' if start + WIDTH < len(text) else ''}"
