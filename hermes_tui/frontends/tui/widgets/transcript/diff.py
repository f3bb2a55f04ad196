"""Draws a unified diff: line numbers, colours, and marks on the words that changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rich.segment import Segment

from hermes_tui.frontends.tui.widgets.transcript.canvas import Canvas, Line, filled, paragraph
from hermes_tui.text import harmless

DIFF_LINES = 400
"""Lines of a diff that are kept."""
_WORDS_LIMIT = 400
"""Longer lines are not compared word by word."""

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)")
_WORD = re.compile(r"\w+|\s+|.")
Span = tuple[int, int]


@dataclass(slots=True)
class Row:
    """One line of a diff."""

    kind: str
    """`+`, `-`, a blank for context, `@` for a hunk or file head, `…` for what was left out."""
    number: int | None
    """Its number in the new file, for a removed line in the old one."""
    text: str
    words: Sequence[Span] = ()
    """The parts that differ from the line it replaces or is replaced by."""


def parse(diff: str) -> list[Row]:
    """Return the rows of a unified diff of one or several files; at most `DIFF_LINES`."""
    lines = harmless(diff).rstrip("\n").split("\n")
    rows = list(_rows(lines[:DIFF_LINES]))
    if sum(row.kind == "@" for row in rows) == 1:  # the call's row names the file
        rows = [row for row in rows if row.kind != "@"]
    _mark_words(rows)
    if (left := len(lines) - DIFF_LINES) > 0:
        rows.append(Row("…", None, f"{left} more lines"))
    return rows


def _rows(lines: Sequence[str]) -> Iterator[Row]:
    """Read line by line: inside a hunk, as its counts say, everything is content; outside nothing is."""
    old = new = old_left = new_left = 0
    old_name = ""
    for text in lines:
        if (old_left > 0 or new_left > 0) and text[:1] in ("+", "-", " ", ""):
            kind = text[:1] or " "
            yield Row(kind, old if kind == "-" else new, text[1:])
            old, old_left = old + (kind != "+"), old_left - (kind != "+")
            new, new_left = new + (kind != "-"), new_left - (kind != "-")
        elif hunk := _HUNK.match(text):
            if old or new:
                yield Row("…", None, hunk[5].strip())
            old, old_left = int(hunk[1]), int(hunk[2] or 1)
            new, new_left = int(hunk[3]), int(hunk[4] or 1)
        elif text.startswith("--- "):
            old_name, old, new = text[4:].split("\t")[0], 0, 0
        elif text.startswith("+++ "):
            yield Row("@", None, _file_name(old_name, text[4:].split("\t")[0]))
        elif text.startswith(("\\", "…")):
            yield Row("…", None, text.lstrip("\\… "))


def _file_name(old: str, new: str) -> str:
    """Return the name to show; git puts `a/` and `b/` before the names, and only then they are cut off."""
    if old.startswith(("a/", "/dev/null")) and new.startswith(("b/", "/dev/null")):
        old, new = old.removeprefix("a/"), new.removeprefix("b/")
    if new == "/dev/null":
        return f"{old} (deleted)"
    return f"{new} (new)" if old == "/dev/null" else new


def _mark_words(rows: Sequence[Row]) -> None:
    at = 0
    while at < len(rows):
        removed = _run_of(rows, at, "-")
        added = _run_of(rows, at + removed, "+")
        if removed and removed == added:
            for number in range(at, at + removed):
                _compare(rows[number], rows[number + removed])
        at += max(1, removed + added)


def _run_of(rows: Sequence[Row], start: int, kind: str) -> int:
    end = start
    while end < len(rows) and rows[end].kind == kind:
        end += 1
    return end - start


def _compare(old: Row, new: Row) -> None:
    """Mark the words that differ, unless so much differs that marks say nothing."""
    if max(len(old.text), len(new.text)) > _WORDS_LIMIT:
        return
    before, after = _WORD.findall(old.text), _WORD.findall(new.text)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < 0.4:
        return
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    old.words = _spans(before, [(change[1], change[2]) for change in changes])
    new.words = _spans(after, [(change[3], change[4]) for change in changes])


def _spans(words: Sequence[str], ranges: Sequence[Span]) -> list[Span]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return [(starts[first], starts[last]) for first, last in ranges if first < last]


def draw_rows(rows: Sequence[Row], canvas: Canvas) -> list[Line]:
    """Return the lines of these rows; a long one is wrapped below its text."""
    width = max((len(str(row.number)) for row in rows if row.number is not None), default=1)
    lines: list[Line] = []
    for row in rows:
        lines.extend(_draw_row(row, width, canvas))
    return lines


def _draw_row(row: Row, width: int, canvas: Canvas) -> list[Line]:
    if row.kind == "@":
        return paragraph(canvas, [canvas.run(row.text, "muted")])
    if row.kind == "…":
        return paragraph(canvas, [canvas.run(f"{' ' * width} ⋯ {row.text}".rstrip(), "muted")])
    number = canvas.run(f"{row.number:>{width}} ", "muted")
    if row.kind == " ":
        return paragraph(canvas, [canvas.run(row.text, "code")], [number, canvas.run("  ")])
    role = "added" if row.kind == "+" else "removed"
    sign = "+ " if row.kind == "+" else "− "
    rest = [canvas.run(" " * (width + 1)), canvas.run("  ", role)]
    drawn = paragraph(canvas, _words(row, role, canvas), [number, canvas.run(sign, role)], rest)
    ground = canvas.style(role)
    return [line._replace(runs=filled(line.runs, canvas.width, ground)) for line in drawn]


def _words(row: Row, role: str, canvas: Canvas) -> list[Segment]:
    runs: list[Segment] = []
    at = 0
    for start, end in row.words:
        runs += [canvas.run(row.text[at:start], role), canvas.run(row.text[start:end], f"{role}-word")]
        at = end
    runs.append(canvas.run(row.text[at:], role))
    return [run for run in runs if run.text]
