"""What a block is drawn with: a width, named styles, and lines that know what of them is text.

A block turns its source into `Line`s on a `Canvas` and knows no widget. Lines carry no background of the
screen; the widget lays its own below them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from hermes_tui.frontends.tui.widgets.transcript.wrap import Runs, wrap

ROLES = (
    "text",
    "muted",
    "accent",
    "success",
    "warning",
    "error",
    "heading",
    "code",
    "fence",
    "keyword",
    "string",
    "number",
    "comment",
    "function",
    "link",
    "added",
    "removed",
    "added-word",
    "removed-word",
    "match",
    "current-match",
    "cursor",
)
"""The names of all styles; each is a component class `transcript--<name>` of the widget."""

BOLD = Style(bold=True)
ITALIC = Style(italic=True)
STRIKE = Style(strike=True)


class Line(NamedTuple):
    """One line of a block, before it is laid on the ground of the screen."""

    runs: Runs
    gutter: int = 0
    """How many of its first characters are decoration, not text: they are not copied."""
    joint: str = "\n"
    """What stands between the text of the line above and this one: a new line, or what a wrap swallowed."""
    target: str = ""
    """What a click on it folds or unfolds; empty for nothing."""

    @property
    def text(self) -> str:
        """All its characters."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Width in cells, the styles by role, and the ground that everything stands on."""

    width: int
    styles: Mapping[str, Style]
    ground: Style

    def style(self, role: str) -> Style:
        """Return the style of a role of `ROLES`."""
        return self.styles[role]

    def run(self, text: str, role: str = "text") -> Segment:
        """Return a piece of text in a role's style."""
        return Segment(text, self.styles[role])

    def narrower(self, cells: int) -> Canvas:
        """Return the same canvas with `cells` less width (at least 8 stay)."""
        return replace(self, width=max(8, self.width - cells))


def cells(runs: Runs) -> int:
    """Return the width of some runs."""
    return sum(cell_len(run.text) for run in runs)


def filled(runs: Runs, width: int, style: Style) -> list[Segment]:
    """Return the runs with blanks in `style` behind them, up to `width` cells."""
    free = width - cells(runs)
    return [*runs, Segment(" " * free, style)] if free > 0 else list(runs)


def paragraph(canvas: Canvas, runs: Runs, first: Runs = (), rest: Runs | None = None) -> list[Line]:
    """Wrap `runs`; `first` stands before the first line, `rest` (blanks if None) before the others."""
    indent = cells(first)
    others = [Segment(" " * indent)] if rest is None and indent else list(rest or ())
    wrapped = wrap(runs, max(8, canvas.width - indent))
    return indented([Line(segments, 0, joint) for segments, joint in wrapped], first, others)


def indented(lines: Iterable[Line], first: Runs, rest: Runs) -> list[Line]:
    """Put `first` before the first of the lines and `rest` before the others, as decoration."""
    sizes = [sum(len(run.text) for run in prefix) for prefix in (first, rest)]
    return [
        Line([*(rest if number else first), *old.runs], old.gutter + sizes[number > 0], old.joint, old.target)
        for number, old in enumerate(lines)
    ]


BLANK = Line([])
