"""Slow work off the screen's thread, in a daemon thread: one that is stuck never holds the exit.

(asyncio's own executor does: it joins its threads when the loop ends.)
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from hermes_tui.engine.errors import HermesError

T = TypeVar("T")


async def off_thread(work: Callable[[], T]) -> T:
    """Return what `work` returns, or raise what it raises; the screen goes on meanwhile."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def deliver(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # a T, as there was no error

    def run() -> None:
        result: T | None = None
        error: BaseException | None = None
        try:
            result = work()
        except (HermesError, OSError) as expected:
            error = expected
        finally:  # an error of our own is raised in the caller, too
            with suppress(RuntimeError):  # the loop has ended: nobody waits any more
                loop.call_soon_threadsafe(deliver, result, error or sys.exception())

    threading.Thread(target=run, name="off-thread", daemon=True).start()
    return await done
