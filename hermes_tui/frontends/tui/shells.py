"""The command lines that the user runs with `!`: shown while they run, offered to the model afterwards.

`!!` offers the output ticked, `!` unticked; the tick can be changed until the next message goes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from textual.timer import Timer

if TYPE_CHECKING:
    from hermes_tui.frontends.shellline import Ended, ShellLine
    from hermes_tui.frontends.tui.app import HermesApp

PAUSE: Final = 1 / 15
"""Seconds between two looks at what running ones print."""
OFFERED: Final = 3
"""Outputs that are offered to the model: the newest."""


@dataclass(frozen=True, slots=True)
class _Offer:
    ended: Ended
    goes: bool


class Shells:
    """All of the session."""

    def __init__(self, app: HermesApp) -> None:
        self._app = app
        self._running: dict[int, ShellLine] = {}
        self._shown: dict[int, str] = {}
        self._offers: list[_Offer] = []
        self._count = 0
        self._timer: Timer | None = None

    @property
    def running(self) -> bool:
        """Whether one runs."""
        return bool(self._running)

    def run(self, text: str) -> None:
        """Run what stands behind `!` or `!!`."""
        from hermes_tui.frontends.shellline import ShellLine  # late: the first frame needs none of it

        goes = text.startswith("!!")
        command = text.lstrip("!").strip()
        if not command:
            self._app.main.transcript.note("write a command behind the !, such as !git status", "warning")
            return
        self._count += 1
        number = self._count
        line = ShellLine(command, self._app.hermes.folder, self._app.hermes.environment)
        self._running[number] = line
        self._app.main.transcript.shell(number, command)
        self._app.main.transcript.follow()

        def ended(what: Ended) -> None:
            self._app.call_later(self._ended, number, what, goes)

        line.start(ended)
        if self._timer is None:
            self._timer = self._app.set_interval(PAUSE, self._look)

    def stop(self) -> None:
        """Stop all that run; the second time at once."""
        for line in self._running.values():
            line.stop()

    def tick(self) -> None:
        """Let the newest offered output go with the next message, or not."""
        if self._offers:
            self._offers[-1] = replace(self._offers[-1], goes=not self._offers[-1].goes)
            self._show_offers()

    def tell(self) -> None:
        """A message goes: tell the model of what is ticked; nothing is offered any more."""
        from hermes_tui.frontends.shellline import for_the_model

        for offer in self._offers:
            if offer.goes:
                self._app.hermes.tell_model(for_the_model(offer.ended))
        self._offers.clear()
        self._show_offers()

    def _look(self) -> None:
        for number, line in self._running.items():
            if (output := line.output) != self._shown.get(number, ""):
                self._shown[number] = output
                self._app.main.transcript.shell(number, line.command, output)

    def _ended(self, number: int, ended: Ended, goes: bool) -> None:
        del self._running[number]
        self._shown.pop(number, None)
        if not self._running and self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._app.main.transcript.shell(number, ended.command, ended.output, ended.how)
        self._offers = [*self._offers, _Offer(ended, goes)][-OFFERED:]
        self._show_offers()

    def _show_offers(self) -> None:
        self._app.main.waiting.show_outputs([(o.ended.command, o.goes) for o in self._offers])
