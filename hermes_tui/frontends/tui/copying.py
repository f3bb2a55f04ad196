"""Copies a text to the user's clipboard by the way that leads there; the screen waits for nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.frontends.offthread import off_thread

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp


def copy(app: HermesApp, text: str, write: Callable[[str], object]) -> None:
    """Begin to copy; `write` gives a sequence to the terminal. A program that fails is followed by OSC 52."""
    from hermes_tui.frontends import clipboard

    def by_terminal() -> None:
        if sequence := clipboard.osc52(text, os.environ):
            write(sequence)
        else:
            app.main.transcript.note("not copied: too long for the terminal's clipboard", "warning")

    async def by_program(words: list[str]) -> None:
        if not await off_thread(lambda: clipboard.put(words, text, os.environ)):
            by_terminal()

    if (words := clipboard.program(os.environ)) is None:
        by_terminal()
    else:
        app.run_worker(by_program(words), group="copying")
