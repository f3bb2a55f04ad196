"""One call's whole output, growing as long as the call runs."""

from __future__ import annotations

from typing import Final

from hermes_tui.frontends.runs import Call
from hermes_tui.frontends.tui.screens.output import OutputScreen

PAUSE: Final = 0.25
"""Seconds between two looks at a call that runs."""


class CallScreen(OutputScreen):
    """A call, and its output so far."""

    def __init__(self, call: Call) -> None:
        super().__init__(f"{call.name} {call.main}", call.text)
        self._call = call

    def on_mount(self) -> None:
        """Look again while it runs."""
        if not self._call.over:
            self._timer = self.set_interval(PAUSE, self._look)

    def _look(self) -> None:
        if self._call.over:
            self._timer.stop()
        if self._call.text != self._text:
            self._text = self._call.text
            self.lines.grow(self._text)
