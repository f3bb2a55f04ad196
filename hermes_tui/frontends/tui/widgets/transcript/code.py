"""Colours for source code, from the theme's own colours. Never guesses a language, never fails."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Protocol

from rich.segment import Segment

from hermes_tui.frontends.tui.widgets.transcript.canvas import Canvas, Line, filled
from hermes_tui.frontends.tui.widgets.transcript.wrap import crop, wrap

HIGHLIGHT_LIMIT = 20_000
"""More code than this many characters at once, or a line of a tenth of it, stays plain."""

_ROLES = (
    ("Comment", "comment"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Name.Function", "function"),
    ("Name.Class", "function"),
    ("Name.Decorator", "function"),
    ("Name.Tag", "keyword"),
    ("Name.Attribute", "function"),
    ("Generic.Inserted", "success"),
    ("Generic.Deleted", "error"),
    ("Generic.Heading", "heading"),
    ("Generic.Subheading", "heading"),
)


class _Lexer(Protocol):
    def get_tokens(self, text: str) -> Iterable[tuple[object, str]]: ...


def code_block(text: str, info: str, canvas: Canvas, *, first: bool = True) -> list[Line]:
    """Return the lines of a code block: as wide as the canvas, long lines wrapped.

    `info` is what stood behind the fence's marks. More than a language there (a file's name) is shown above
    the code, unless this is not the `first` part of the block.
    """
    language, _, more = info.partition(" ")
    ground = canvas.style("fence")
    edge = Segment("  ", ground)
    lines: list[Line] = []
    if first and (more or not text):
        label = Segment(crop(info, canvas.width - 4), ground + canvas.style("muted"))
        lines.append(Line(filled([edge, label], canvas.width, ground), 2))
    for runs in highlighted(text, language, canvas) if text else []:
        for wrapped, joint in wrap(runs, canvas.width - 3):
            body = [Segment(run.text, ground + run.style if run.style else ground) for run in wrapped]
            lines.append(Line(filled([edge, *body], canvas.width, ground), 2, joint))
    return lines


def highlighted(text: str, language: str, canvas: Canvas) -> list[list[Segment]]:
    """Return one list of runs for each line of `text`."""
    lexer = find_lexer(language) if _is_reasonable(text) else None
    if lexer is None:
        return [[canvas.run(row)] for row in text.split("\n")]
    rows: list[list[Segment]] = [[]]
    tokens = ((_role(str(token)), value) for token, value in lexer.get_tokens(text))
    for role, parts in groupby(tokens, key=itemgetter(0)):
        style = canvas.style(role)
        first, *others = "".join(value for _, value in parts).split("\n")
        rows[-1].append(Segment(first, style))
        rows.extend([Segment(other, style)] for other in others)
    return rows[: text.count("\n") + 1]


def _is_reasonable(text: str) -> bool:
    if len(text) > HIGHLIGHT_LIMIT:
        return False
    return all(len(row) <= HIGHLIGHT_LIMIT // 10 for row in text.split("\n"))


@lru_cache(32)
def find_lexer(language: str) -> _Lexer | None:
    """Return what splits code of this language into tokens; None for a language nobody knows."""
    from rich.syntax import Syntax

    name = language.strip("{}.").split(",")[0].lower()
    return Syntax("", name).lexer if name else None


@lru_cache(512)
def _role(token: str) -> str:
    name = token.removeprefix("Token.")
    return next((role for start, role in _ROLES if name.startswith(start)), "text")
