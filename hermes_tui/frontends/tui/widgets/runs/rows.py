"""What the Runs panel says, as rows of (text, role). Knows no widget, no colour and no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hermes_tui.frontends.runs import PLANNED, RUNNING, Batch, Call, Checkpoint, Rollback, duration
from hermes_tui.frontends.tui.widgets.fitting import pad, tail, wrapped
from hermes_tui.frontends.tui.widgets.runs.bars import bar
from hermes_tui.text import cells, clip

Span = tuple[str, str]
"""A piece of text and its role: text, muted, accent, success, warning or error."""

SPINNER: Final = "◐◓◑◒"
GLYPHS: Final = {
    PLANNED: ("○", "muted"),
    "ok": ("✓", "success"),
    "failed": ("✗", "error"),
    "denied": ("⊘", "warning"),
    "not_started": ("·", "muted"),
    "cancelled": ("■", "warning"),
    "abandoned": ("?", "error"),
}
WORDS: Final = {
    "failed": "failed",
    "denied": "denied",
    "not_started": "never started",
    "cancelled": "cancelled",
    "abandoned": "may still be running",
}
"""How an outcome that is not `ok` is said."""

TIME: Final = 6
"""Cells of the column with the seconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the panel."""

    spans: Sequence[Span]
    target: Call | Batch | None = None
    """What Enter opens on it; None: it cannot be selected."""


def glyph(call: Call, beat: int) -> Span:
    """Return a call's mark; `beat` turns the spinner."""
    if call.state == RUNNING and call.why:
        return "?", "warning"
    if call.state == RUNNING:
        return SPINNER[beat % len(SPINNER)], "accent"
    return GLYPHS.get(call.state, ("○", "muted"))


def plural(count: int, word: str) -> str:
    """Return "1 call", "2 calls"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def name(batch: Batch) -> str:
    """Return what a batch is called."""
    return (
        f"Batch {batch.number}" if batch.agent is None else f"Sub-agent {batch.agent} · batch {batch.number}"
    )


def folded(batch: Batch, width: int, now: float) -> Row:
    """Return a batch on one line."""
    troubles = Counter(WORDS[call.state] for call in batch.calls.values() if call.state in WORDS)
    parts = [plural(len(batch.calls), "call"), batch.timing(now)]
    marks = [f"⚑ #{mark.number}" for mark in batch.checkpoints]
    marks += [f"↶ #{back.number}" for back in batch.rollbacks]
    forms = [[name(batch), *parts, *marks], [name(batch), *parts], [str(batch.number), *parts]]
    texts = [" · ".join(form) for form in forms]
    text = next((text for text in texts if cells(text) <= width), texts[-1])
    trouble = "".join(f" · {count} {word}" for word, count in troubles.items())
    spans = [(clip(text, width), "muted"), (clip(trouble, max(0, width - cells(text))), "warning")]
    return Row(spans, batch)


def unfolded(batch: Batch, width: int, now: float, beat: int) -> list[Row]:
    """Return a batch in full: how it runs and why, its calls, its checkpoints."""
    title = name(batch)
    heads = [f" · {batch.mode} · {batch.timing(now)}", f" · {batch.timing(now)}"]
    head = next((text for text in heads if cells(title + text) <= width), heads[-1])
    rows = [Row([(title, "accent"), (clip(head, width - cells(title)), "text")], batch)]
    rows += [Row([(line, "muted")]) for line in wrapped(batch.why, width, 2)]
    columns = Columns.of(batch, width)
    for call in [*batch.calls.values(), None]:
        number = call.number if call else 0
        marks = (mark for mark in batch.checkpoints if mark.before == number)
        rows += [row for mark in marks for row in checkpoint_rows(mark, width)]
        rows += call_rows(call, batch, columns, now, beat) if call else []
    return rows + [rollback_row(back, width) for back in batch.rollbacks]


def rollback_row(back: Rollback, width: int) -> Row:
    """Return the mark of one rollback."""
    forms = (
        f"↶ back to #{back.number} · saved as #{back.saved_as} · /rollback undo",
        f"↶ back to #{back.number}",
    )
    return Row([(next((form for form in forms if cells(form) <= width), forms[-1]), "accent")])


def checkpoint_rows(mark: Checkpoint, width: int) -> list[Row]:
    """Return the mark of one checkpoint: what is safe, and below it what is not."""
    safe, _, left_out = mark.saved.partition("; ")
    rows = [Row([(clip(f"⚑ checkpoint #{mark.number} · before · {safe}", width), "muted")])]
    return rows + [Row([(f"  {line}", "warning")]) for line in wrapped(left_out, width - 2, 3)]


@dataclass(frozen=True, slots=True)
class Columns:
    """Where things stand in the rows of one batch, in cells."""

    width: int
    number: int
    name: int
    main: int
    bar: int

    @classmethod
    def of(cls, batch: Batch, width: int) -> Columns:
        """Share the width out: names and arguments get what they need, the bars the rest."""
        number = len(str(len(batch.calls))) + 1 if len(batch.calls) > 1 else 0
        names = min(12, max((cells(call.name) for call in batch.calls.values()), default=0))
        rest = max(4, width - 2 - number - names - 1 - 1 - 1 - TIME)
        longest = max((cells(call.main) for call in batch.calls.values()), default=0)
        main = min(longest, rest - max(2, rest * 2 // 5))
        return cls(width, number, names, main, rest - main)


def call_rows(call: Call, batch: Batch, columns: Columns, now: float, beat: int) -> list[Row]:
    """Return a call's line, and below it why it waits or what it printed last."""
    mark, role = glyph(call, beat)
    number = f"{call.number:<{columns.number}}" if columns.number else ""
    spans: list[Span] = [
        (f"{mark} ", role),
        (number, "muted"),
        (pad(clip(call.name, columns.name), columns.name) + " ", "text"),
    ]
    room = columns.width - 2 - columns.number - columns.name - 1
    if call.why:
        return waiting(call, spans, room, columns.width)
    if call.started is None:
        said = WORDS.get(call.state, "")
        main = clip(call.main, room - cells(said) - 1 if said else room)
        return [Row([*spans, (main, "muted"), (f" {said}" if said else "", "muted")], call)]
    seconds = call.seconds(now) or 0.0
    drawn = bar(call.started, call.started + seconds, batch.span(now), columns.bar)
    spans += [
        (pad(tail(call.main, columns.main), columns.main) + " ", "text"),
        (drawn, role),
        (f" {duration(seconds):>{TIME}}", "muted"),
    ]
    return [Row(spans, call), *below(call, columns.width)]


def waiting(call: Call, spans: list[Span], room: int, width: int) -> list[Row]:
    """Return a call that waits: the reason stands in place of its bar, below it if it is too long."""
    main = clip(call.main, max(8, room // 3)) if call.main else ""
    if cells(main) + 2 + cells(call.why) <= room:
        return [Row([*spans, (f"{main}  " if main else "", "text"), (call.why, "muted")], call)]
    first = Row([*spans, (clip(call.main, room), "text")], call)
    return [first, *(Row([(f"    {line}", "muted")]) for line in wrapped(call.why, width - 4, 2))]


def below(call: Call, width: int) -> list[Row]:
    """Return what stands below a call: its last line while it runs, what went wrong when it ended."""
    if call.state == RUNNING and call.last_line:
        return [Row([(f"    {clip(call.last_line, width - 4)}", "muted")])]
    if call.state in WORDS:
        first = call.text.strip().partition("\n")[0]
        said = f"{WORDS[call.state]}: {call.display or first}" if call.display or first else WORDS[call.state]
        return [Row([(f"    {clip(said, width - 4)}", GLYPHS[call.state][1])])]
    if call.display:
        return [Row([(f"    {clip(call.display, width - 4)}", "muted")])]
    return []


def strip(batch: Batch | None, width: int, now: float, beat: int) -> list[Row]:
    """Return the newest batch on one line, for a narrow screen; nothing before the first."""
    if batch is None:
        return []
    over = sum(call.over for call in batch.calls.values())
    if batch.ended is None:
        how = " · side by side" if batch.parallel else " · one after another" if len(batch.calls) > 1 else ""
        text = f"{over} of {len(batch.calls)} · {duration(batch.elapsed(now))}{how}"
        mark: Span = (f"{SPINNER[beat % len(SPINNER)]} ", "accent") if batch.running else ("· ", "muted")
    else:
        text = f"{plural(len(batch.calls), 'call')} · {batch.timing(now)}"
        mark = ("▾ ", "muted")
    spans = [mark, (clip(text, width - 2), "text")]
    room = width - 2 - cells(text)
    for call in batch.calls.values():
        label = clip(call.main or call.name, 20)
        if (room := room - cells(label) - 4) < 0:
            break
        sign, role = glyph(call, beat)
        spans += [(f"  {sign} ", role), (label, "muted")]
    return [Row(spans, batch)]
