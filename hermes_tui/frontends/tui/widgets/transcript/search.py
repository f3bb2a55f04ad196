"""Finds text in the transcript and remembers which match is the current one.

Looks through the blocks' sources, so nothing is drawn to count; a match's place on the screen is worked out
when it is visited. What Markdown hides (`**`) counts as text of the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hermes_tui.frontends.tui.widgets.transcript.blocks import Block
from hermes_tui.frontends.tui.widgets.transcript.layout import Drawn


class Search:
    """One search: a pattern, its matches as (block, which of them in it), the current one."""

    def __init__(self, needle: str, blocks: Iterable[Block]) -> None:
        self.pattern = re.compile(re.escape(needle), re.IGNORECASE)
        self.matches: list[tuple[int, int]] = []
        self.current = -1
        if needle:
            for block in blocks:
                found = sum(1 for _ in self.pattern.finditer(block.source()))
                self.matches.extend((block.index, number) for number in range(found))

    def step(self, by: int, default: int) -> tuple[int, int] | None:
        """Go `by` matches on, round the end; the first time to `default`. None when there are none."""
        if not self.matches:
            return None
        self.current = default if self.current < 0 else (self.current + by) % len(self.matches)
        return self.matches[self.current]

    def nearest(self, index: int) -> int:
        """Return the number of the last match at or above block `index`, else the first one."""
        above = [number for number, match in enumerate(self.matches) if match[0] <= index]
        return above[-1] if above else 0

    def place(self, lines: Sequence[Drawn], number: int) -> tuple[int, tuple[int, int]]:
        """Return the line and the span of the block's `number`th match, or the nearest to it there is."""
        places = [(at, span) for at, line in enumerate(lines) for span in self.spans(line)]
        if not places:
            return 0, (0, 0)
        return places[min(number, len(places) - 1)]

    def spans(self, line: Drawn) -> list[tuple[int, int]]:
        """Return where a drawn line matches, in characters."""
        return [match.span() for match in self.pattern.finditer(line.text, line.gutter)]
