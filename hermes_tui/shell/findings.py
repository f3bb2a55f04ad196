"""What is collected while the commands of a line are judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hermes_tui.shell.paths import Uses
from hermes_tui.shell.trouble import Span, Trouble
from hermes_tui.shell.words import Word

MOST_PARTS: Final = 300
"""Commands of a line; what stands behind them is not judged."""


@dataclass(slots=True)
class Found:
    """One simple command, redirect or assignment, with what was decided about it."""

    words: tuple[Word, ...]
    span: Span
    trouble: Trouble | None


@dataclass(slots=True)
class Findings:
    """All that is known of a line after its commands were judged."""

    trouble: Trouble | None = None
    """The first one."""
    parts: list[Found] = field(default_factory=list)
    uses: Uses = field(default_factory=Uses)
    entered: list[str] = field(default_factory=list)
    """Folders that a `cd` went to."""
    starts: set[int] = field(default_factory=set)
    """Where commands begin, for the second reader."""
    unproven: bool = False
    """Whether something was not understood, so that nobody knows what the line reads."""

    def note(self, trouble: Trouble) -> None:
        """Keep the first trouble; only a redirect leaves it known what the line reads."""
        if self.trouble is None:
            self.trouble = trouble
        if trouble.rule != "redirect.write":
            self.unproven = True

    @property
    def full(self) -> bool:
        """Whether there are so many commands that the rest is not judged."""
        return len(self.parts) > MOST_PARTS

    def part(self, words: Sequence[Word], span: Span, trouble: Trouble | None = None) -> Found:
        """Add a part to show and to match; a trouble of its own counts for the line."""
        found = Found(tuple(words), span, trouble)
        if not self.full:
            self.parts.append(found)
        if trouble is not None:
            self.note(trouble)
        return found
