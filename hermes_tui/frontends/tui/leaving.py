"""The ways out: the user leaves, a signal comes, an error of our own. The terminal is as it was."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from rich.text import Text

from hermes_tui.frontends.signals import signals
from hermes_tui.frontends.tui import terminal

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp

GRACE: Final = 2.0
"""Seconds after a signal in which the screen may end by itself."""
FRAMES: Final = 3
"""Places of the program that are named when it breaks."""


def run(app: HermesApp) -> int:
    """Run the app and return its exit code: 128 and the signal's number when one ended it."""
    before = terminal.attributes()
    arrived: list[signal.Signals] = []

    def leave(number: signal.Signals) -> None:
        arrived.append(number)
        _close(app)  # process groups end first, whatever the screen does
        watchdog = threading.Timer(GRACE, _force, (number, before, app.attention.ending()))
        watchdog.daemon = True
        watchdog.start()
        with suppress(RuntimeError):  # no loop yet, or no longer
            app.call_later(app.exit)

    try:
        with signals((signal.SIGTERM, signal.SIGHUP), leave):
            terminal.when_gone(lambda: leave(signal.SIGHUP))
            app.run()
    finally:
        terminal.modes_off(app.attention.ending())
        _close(app)
    return 128 + arrived[0] if arrived else app.return_code or 0


def _close(app: HermesApp) -> None:
    if app.connected:
        app.hermes.close()


def _force(number: signal.Signals, before: terminal.Attributes, more: str) -> None:
    """The screen's loop is stuck: leave without it."""
    terminal.restore(before, more)
    os._exit(128 + number)


def last_words() -> Text:
    """Return what is said of an error of our own: what, where, and that nothing is lost."""
    error = sys.exception()
    if error is None:
        return Text("hermes-tui ended by an error of its own.")
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    what = traceback.format_exception_only(error)[-1].strip()
    places = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in reversed(frames)]
    return Text(
        "\n".join(
            [f"hermes-tui: an error of its own: {what[:500]}", *places, "What you typed is in the history."]
        )
    )
