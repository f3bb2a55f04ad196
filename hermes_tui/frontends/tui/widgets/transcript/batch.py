"""The block of one batch of calls: a row each, with a folded detail or a diff below it.

Keeps no more of an output than `DETAIL_LINES` lines and `DETAIL_LIMIT` characters a call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rich.cells import cell_len

from hermes_tui.frontends.tui.widgets.transcript import diff as diffs
from hermes_tui.frontends.tui.widgets.transcript.blocks import Block
from hermes_tui.frontends.tui.widgets.transcript.canvas import (
    Canvas,
    Line,
    indented,
    paragraph,
)
from hermes_tui.frontends.tui.widgets.transcript.wrap import crop, pad
from hermes_tui.text import harmless

DETAIL_LINES = 200
DETAIL_LIMIT = 16_000
DIFF_SHOWN = 16
"""Lines of a diff that are shown before it is unfolded."""
NAME_WIDTH = 16

_GLYPHS = {
    "waiting": ("○", "muted"),
    "running": ("◐", "accent"),
    "ok": ("✓", "success"),
    "failed": ("✗", "error"),
    "denied": ("⊘", "warning"),
    "not_started": ("·", "muted"),
    "cancelled": ("■", "warning"),
    "abandoned": ("?", "error"),
}
"""How each state looks; an unknown one is shown as waiting."""


@dataclass(slots=True)
class Call:
    """One call of a batch, as it is shown."""

    id: str
    name: str
    main: str
    state: str
    display: str = ""
    detail: str = ""
    diff: list[diffs.Row] = field(default_factory=list)
    folded: bool = True
    forgotten: bool = False
    """Whether its detail was dropped to bound the memory."""

    def kept(self) -> int:
        """Return how many characters of detail it holds."""
        return len(self.detail) + sum(len(row.text) for row in self.diff)

    def forget(self) -> None:
        """Drop the detail; the session keeps the whole."""
        self.diff = []
        self.detail = ""
        self.forgotten = True


def preview(text: str) -> str:
    """Return an output harmless and short: its first and last lines, saying what was left out."""
    lines = text.strip("\n").split("\n") if len(text) <= 40 * DETAIL_LIMIT else _ends(text)
    if len(lines) > DETAIL_LINES:
        head, tail = lines[: DETAIL_LINES // 2], lines[-DETAIL_LINES // 2 :]
        lines = [*head, f"… {text.count(chr(10)) + 1 - DETAIL_LINES} lines left out …", *tail]
    text = "\n".join(lines)
    if len(text) > DETAIL_LIMIT:
        half = DETAIL_LIMIT // 2
        text = f"{text[:half]}\n… {len(text) - DETAIL_LIMIT} characters left out …\n{text[-half:]}"
    return harmless(text)


def _ends(text: str) -> list[str]:
    room = 8 * DETAIL_LIMIT
    return [*text[:room].strip("\n").split("\n"), *text[-room:].strip("\n").split("\n")]


class Batch(Block):
    """A head line and a row for each call."""

    def __init__(self, title: str) -> None:
        self.title = harmless(title)
        self.calls: dict[str, Call] = {}
        self._folded = False

    def source(self) -> str:
        """See `Block`."""
        parts = [self.title]
        for call in self.calls.values():
            parts.append(f"{call.name} {call.main} {call.display}\n{call.detail}")
            parts.extend(row.text for row in call.diff)
        return "\n".join(parts)

    def estimate(self, width: int) -> int:
        """See `Block`."""
        if self._folded:
            return 1
        return 1 + sum(
            1 + min(len(call.diff), DIFF_SHOWN) + (0 if call.folded else call.detail.count("\n") + 1)
            for call in self.calls.values()
        )

    def draw(self, canvas: Canvas) -> list[Line]:
        """See `Block`."""
        arrow = "▸" if self._folded else "▾"
        head = [canvas.run(f"{arrow} ", "muted"), canvas.run(crop(self.title, canvas.width - 2))]
        lines = [Line(head, 2, target="batch")]
        if not self._folded:
            names = max((min(NAME_WIDTH, cell_len(call.name)) for call in self.calls.values()), default=0)
            mains = max((cell_len(call.main) for call in self.calls.values()), default=0)
            for call in self.calls.values():
                lines.append(_row(call, canvas, names, mains))
                lines.extend(_detail(call, canvas.narrower(6)))
        return lines

    def targets(self) -> list[str]:
        """See `Block`."""
        rows = [] if self._folded else [call.id for call in self.calls.values() if _can_unfold(call)]
        return ["batch", *(f"call:{call_id}" for call_id in rows)]

    def toggle(self, target: str) -> bool:
        """See `Block`."""
        if target == "batch":
            self._folded = not self._folded
            return True
        call = self.calls.get(target.removeprefix("call:"))
        if call is None or not _can_unfold(call):
            return False
        call.folded = not call.folded
        return True

    def fold(self, *, folded: bool) -> bool:
        """See `Block`."""
        self._folded = self._folded and folded
        changed = [call for call in self.calls.values() if _can_unfold(call) and call.folded != folded]
        for call in changed:
            call.folded = folded
        return bool(changed)

    def reveal(self, pattern: re.Pattern[str]) -> bool:
        """See `Block`."""
        self._folded = False
        hidden = [
            call
            for call in self.calls.values()
            if call.folded and (pattern.search(call.detail) or any(pattern.search(r.text) for r in call.diff))
        ]
        for call in hidden:
            call.folded = False
        return True


def _can_unfold(call: Call) -> bool:
    return len(call.diff) > DIFF_SHOWN if call.diff else bool(call.detail)


def _row(call: Call, canvas: Canvas, names: int, mains: int) -> Line:
    """Draw `✓ read_file  loaders/csv.py   184 lines ▸`, cropping the argument before the outcome."""
    glyph, role = _GLYPHS.get(call.state, _GLYPHS["waiting"])
    name = pad(crop(call.name, NAME_WIDTH), names)
    room = max(0, canvas.width - 8 - names)
    tail = "   output not kept here" if call.forgotten else ""
    if call.display:
        # the argument gives way to the outcome, but not more than half of the room
        tail = f"   {crop(call.display, room - 3 - min(cell_len(call.main), room // 2) - len(tail))}{tail}"
    room = max(0, room - cell_len(tail))
    main = pad(crop(call.main, room), min(mains, room))
    runs = [
        canvas.run(f"  {glyph} ", role),
        canvas.run(f"{name}  ") if call.state != "running" else canvas.run(f"{name}  ", "accent"),
        canvas.run(main, "code"),
    ]
    if tail:
        runs.append(canvas.run(tail, role if call.state in ("failed", "denied", "abandoned") else "muted"))
    if _can_unfold(call):
        runs.append(canvas.run(" ▸" if call.folded else " ▾", "muted"))
    return Line(runs, 2, target=f"call:{call.id}")


def _detail(call: Call, canvas: Canvas) -> list[Line]:
    edge = [canvas.run("    │ ", "muted")]
    lines: list[Line] = []
    if call.diff:
        shown = call.diff[:DIFF_SHOWN] if call.folded else call.diff
        lines += diffs.draw_rows(shown, canvas)
        if left := len(call.diff) - len(shown):
            lines.append(Line([canvas.run(f"⋯ {left} more lines", "muted")], target=f"call:{call.id}"))
    elif call.detail and not call.folded:
        lines += paragraph(canvas, [canvas.run(call.detail, "muted")])
    return indented(lines, edge, edge)
