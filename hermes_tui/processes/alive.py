"""Whether a process of this machine still runs: its number alone may have been given away again."""

from __future__ import annotations

import psutil


def birth(pid: int) -> float | None:
    """Return when a living process began (seconds, good for comparing only), None when there is none."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.Error:
        return None


def is_the_same(pid: int, began: float) -> bool:
    """Whether the process that began then is alive; a clock that was set meanwhile moves it by little."""
    now = birth(pid)
    return now is not None and abs(now - began) < 2.0
