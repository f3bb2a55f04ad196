"""Puts the terminal back as it was, on the ways out that Textual does not cover.

Textual restores it when its loop ends; this is for what it leaves on, and for a loop that is stuck.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

MODES_OFF: Final = "".join(
    f"\x1b[?{mode}l" for mode in (1000, 1002, 1003, 1006, 1015, 1016, 1004, 2004, 2048)
)
"""Mouse in all its encodings, focus reports, bracketed paste, resize reports."""
SCREEN_OFF: Final = "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?7h\x1b[0m\r\n"
"""Kitty keys popped, the normal screen, a cursor, wrapping, no colour."""

Attributes = list[Any] | None


def attributes() -> Attributes:
    """Return the terminal's line settings, or None where there is no terminal."""
    try:
        return termios.tcgetattr(sys.__stdin__.fileno()) if sys.__stdin__ else None
    except (termios.error, OSError, ValueError):
        return None


def when_gone(act: Callable[[], None]) -> None:
    """Call `act`, in a thread of its own, once the terminal has gone.

    Not every program gets a SIGHUP then (one in a session of its own does not), and reading a terminal that
    has gone returns nothing, at once and for ever.
    """
    if attributes() is None or sys.__stdin__ is None:
        return
    poll = select.poll()
    poll.register(sys.__stdin__.fileno(), 0)  # hang-ups and errors are told without being asked for

    def watch() -> None:
        poll.poll()
        act()

    threading.Thread(target=watch, name="terminal", daemon=True).start()


def modes_off(more: str = "") -> None:
    """Turn off what a terminal may go on reporting, and write `more`; safe at any time."""
    _write(MODES_OFF + more)


def restore(before: Attributes, more: str = "") -> None:
    """Restore everything although the screen's loop is stuck, and write `more`."""
    _write(MODES_OFF + SCREEN_OFF + more)
    if before is not None and sys.__stdin__ is not None:
        with suppress(termios.error, OSError, ValueError):
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, before)


def _write(sequence: str) -> None:
    if sys.__stderr__ is None or not sys.__stderr__.isatty():
        return
    with suppress(OSError):  # the terminal has gone
        os.write(sys.__stderr__.fileno(), sequence.encode("ascii"))
