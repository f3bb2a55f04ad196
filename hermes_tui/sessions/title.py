"""A session's title, made without a model."""

from __future__ import annotations

from typing import Final

from hermes_tui.text import one_line

WIDTH: Final = 80
"""Terminal cells."""


def title_of(prompt: str) -> str:
    """Return the first line of a prompt that says something, harmless."""
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "")
    return one_line(first, WIDTH).strip()
