"""Why a command line is not proven read-only. One small value, made where it is found."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_tui.engine.footprint import Hazard

Span = tuple[int, int]
"""Characters [start, end)."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """The rule that decided, in words for a person, and the place it decided about."""

    rule: str
    """Short and stable: `redirect.write`."""
    why: str
    """Goes on from the offending word: "`rm` deletes"."""
    span: Span
    """In the joined text of the line."""
    hazard: Hazard = Hazard.UNKNOWN


class Refused(Exception):
    """A command, or a part of it, is not proven read-only."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.why)
        self.trouble = trouble


class Unreadable(Refused):
    """The line cannot be taken apart further: a quote without its end, a construct out of place."""
