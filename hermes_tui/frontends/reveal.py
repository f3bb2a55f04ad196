"""Shows exactly what a person consents to: nothing hidden, nothing invisible, the telling parts marked.

Text in, (text, style) out; knows no widget.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from hermes_tui.text import exact

Span = tuple[str, str]
"""A piece of text and its style; an empty style is plain."""

MARKED: Final = "bold underline $warning"
HIDDEN: Final = "bold reverse $error"
"""What stands for something that could not be seen."""
ADDED: Final = "$success"
REMOVED: Final = "$error"
HEAD: Final = "$accent"
NUMBER: Final = "$text-muted"

_GAP: Final = re.compile(r"(?<=\S)[ \t]{4,}|(?m:^[ \t]{21,})|[^\S \t\n]|\n(?:[ \t]*\n){4,}")
"""Runs of blanks inside a line, a far indent, other kinds of blanks, and many empty lines."""
_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ODD: Final = re.compile(r"[^\x20-\x7e\n\t]")


def is_diff(preview: str) -> bool:
    """Whether a preview is a unified diff."""
    return preview.startswith(("--- ", "diff --git ")) and "\n@@ " in preview


def diff_spans(preview: str) -> list[Span]:
    """Return a unified diff, coloured and numbered by line: a removed line by its old number.

    Invisible characters are shown as they are in commands.
    """
    lines = list(_numbered(preview.splitlines(keepends=True)))
    width = max((len(str(number)) for _, number in lines if number is not None), default=0)
    spans: list[Span] = []
    for line, number in lines:
        if number is None:
            spans += _visible(line, HEAD if line.startswith(("---", "+++", "@@", "diff ")) else "")
        else:
            spans.append((f"{number:>{width}} ", NUMBER))
            spans += _visible(line, {"+": ADDED, "-": REMOVED}.get(line[0], ""))
    return spans


def _numbered(lines: Iterable[str]) -> Iterator[tuple[str, int | None]]:
    """Yield each line of a diff with its number; None outside the hunks, as long as their counts say."""
    old = new = old_left = new_left = 0
    for line in lines:
        kind = line[0] if line.strip("\r\n") else " "
        if (old_left > 0 or new_left > 0) and kind in "+- ":
            yield line, old if kind == "-" else new
            old, old_left = old + (kind != "+"), old_left - (kind != "+")
            new, new_left = new + (kind != "-"), new_left - (kind != "-")
            continue
        if hunk := _HUNK.match(line):
            old, new = int(hunk[1]), int(hunk[3])
            old_left, new_left = int(hunk[2] or 1), int(hunk[4] or 1)
        yield line, None


def command_spans(preview: str, marks: Sequence[tuple[int, int]]) -> list[Span]:
    """Return what will run with its marked characters; gaps that could push a part out of sight are said."""
    spans: list[Span] = []
    position = 0
    for match in _GAP.finditer(preview):
        spans += _styled(preview, position, match.start(), marks)
        spans.append((_said(match[0]), HIDDEN))
        position = match.end()
    return [*spans, *_styled(preview, position, len(preview), marks)]


def _said(gap: str) -> str:
    if gap.startswith("\n"):
        return f"\n⟨{gap.count(chr(10)) - 1} empty lines⟩\n"
    if len(gap) == 1 and gap not in " \t":
        return f"⟨U+{ord(gap):04X}⟩"
    return f"⟨{len(gap)} blanks⟩"


def _styled(text: str, start: int, end: int, marks: Iterable[tuple[int, int]]) -> list[Span]:
    """Return a stretch of the text, cut at the edges of the marks."""
    cuts = {start, end}
    inside = [(max(start, first), min(end, last)) for first, last in marks if first < end and last > start]
    for pair in inside:
        cuts.update(pair)
    edges = sorted(cuts)
    spans: list[Span] = []
    for first, last in pairwise(edges):
        style = MARKED if any(a <= first and last <= b for a, b in inside) else ""
        spans += _visible(text[first:last], style)
    return spans


def _visible(text: str, style: str) -> list[Span]:
    """Return text with every character that cannot be seen standing out."""
    spans: list[Span] = []
    position = 0
    for match in _ODD.finditer(text):
        if (shown := exact(match[0])) != match[0]:
            spans += [(text[position : match.start()], style), (shown, HIDDEN)]
            position = match.end()
    return [span for span in [*spans, (text[position:], style)] if span[0]]
