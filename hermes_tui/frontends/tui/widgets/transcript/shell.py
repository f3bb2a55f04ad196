"""The block of a command line that the user ran himself: its newest lines, the rest unfolded on demand."""

from __future__ import annotations

import re

from hermes_tui.frontends.tui.widgets.transcript.batch import preview
from hermes_tui.frontends.tui.widgets.transcript.blocks import Block
from hermes_tui.frontends.tui.widgets.transcript.canvas import Canvas, Line, indented, paragraph
from hermes_tui.text import harmless

SHOWN = 12
"""Lines of output that are shown before it is unfolded: the newest."""


class Shell(Block):
    """One command line with its output."""

    def __init__(self, command: str) -> None:
        self._command = harmless(command)
        self._output = ""
        self._how = ""
        self._folded = True

    def update(self, output: str, how: str) -> None:
        """Take what it has printed, and how it ended; empty while it runs."""
        self._output, self._how = preview(output), harmless(how)

    def source(self) -> str:
        """See `Block`."""
        return f"{self._command}\n{self._output}\n{self._how}"

    def estimate(self, width: int) -> int:
        """See `Block`."""
        lines = self._output.count("\n") + 1
        return 2 + (min(lines, SHOWN) if self._folded else lines)

    def draw(self, canvas: Canvas) -> list[Line]:
        """See `Block`."""
        mark = [canvas.run("! ", "accent")]
        head = paragraph(canvas, [canvas.run(self._command, "accent")], mark)
        return [*head, *self._body(canvas), *self._end(canvas)]

    def _body(self, canvas: Canvas) -> list[Line]:
        edge = [canvas.run("  ", "muted")]
        lines = self._output.split("\n") if self._output else []
        shown = lines[-SHOWN:] if self._folded else lines
        body: list[Line] = []
        if len(lines) > SHOWN:
            arrow = f"▸ {len(lines) - SHOWN} more lines above" if self._folded else "▾ all lines"
            body.append(Line([canvas.run(arrow, "muted")], 2, target="fold"))
        if shown:
            body += paragraph(canvas.narrower(2), [canvas.run("\n".join(shown))])
        return indented(body, edge, edge)

    def _end(self, canvas: Canvas) -> list[Line]:
        if not self._how:
            return [Line([canvas.run("  ◐ running", "accent")], 2)]
        if self._how == "exit code 0":
            return [] if self._output else [Line([canvas.run("  ✓ no output", "muted")], 2)]
        return paragraph(canvas, [canvas.run(self._how, "warning")], [canvas.run("  ✗ ", "warning")])

    def targets(self) -> list[str]:
        """See `Block`."""
        return ["fold"] if self._output.count("\n") >= SHOWN else []

    def toggle(self, target: str) -> bool:
        """See `Block`."""
        return self.fold(folded=not self._folded)

    def fold(self, *, folded: bool) -> bool:
        """See `Block`."""
        changed, self._folded = folded != self._folded, folded
        return changed

    def reveal(self, pattern: re.Pattern[str]) -> bool:
        """See `Block`."""
        hidden = "\n".join(self._output.split("\n")[:-SHOWN])
        return pattern.search(hidden) is not None and self.fold(folded=False)
