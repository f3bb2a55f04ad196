"""Says in words how a process ended."""

from __future__ import annotations

import signal


def ending(exit_code: int) -> str:
    """Return `exit code 3`, or the signal that ended it; a shell's 128 + n is a signal of its child."""
    if exit_code < 0:
        return f"ended by {_name(-exit_code)}"
    if exit_code > 128 and (name := _name(exit_code - 128)).startswith("SIG"):
        return f"exit code {exit_code}, {name}"
    return f"exit code {exit_code}"


def _name(number: int) -> str:
    """Return a signal's name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
