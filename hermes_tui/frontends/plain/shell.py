"""`!command` in line mode: the user's own command line, its output in the page, `!!` for the model too."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from hermes_tui.frontends.shellline import Ended, ShellLine, for_the_model

if TYPE_CHECKING:
    from hermes_tui.frontends.plain.mode import LineMode

MOST: Final = 200
"""Lines of the output that are written: the newest."""


class Shell:
    """Runs one command line at a time."""

    def __init__(self, mode: LineMode) -> None:
        self._mode = mode
        self._line: ShellLine | None = None

    @property
    def running(self) -> bool:
        """Whether one runs."""
        return self._line is not None

    def stop(self) -> None:
        """End it; the second time at once."""
        if self._line is not None:
            self._line.stop()

    async def run(self, text: str) -> None:
        """Run what stands behind `!` or `!!`."""
        command = text.lstrip("!").strip()
        if not command or self._line is not None:
            self._mode.paper.line("write a command behind the !, one at a time: !git status", "warning")
            return
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Ended] = loop.create_future()
        self._line = ShellLine(command, self._mode.hermes.folder, self._mode.hermes.environment)

        def over(ended: Ended) -> None:
            loop.call_soon_threadsafe(done.set_result, ended)

        self._line.start(over)
        try:
            self._show(await done, text.startswith("!!"))
        finally:
            self._line = None

    def _show(self, ended: Ended, goes: bool) -> None:
        paper = self._mode.paper
        lines = ended.output.split("\n") if ended.output else []
        if len(lines) > MOST:
            paper.line(f"… {len(lines) - MOST} lines before …", "note")
        for line in lines[-MOST:]:
            paper.line(line)
        if goes:
            self._mode.hermes.tell_model(for_the_model(ended))
        told = "; the model gets it with your next message" if goes else ""
        paper.line(f"[{ended.how}{told}]", "note" if ended.ok else "warning")
