"""Work in threads that nobody has to wait for: a look-up of a name cannot be interrupted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

from hermes_tui.engine.errors import HermesError, Interrupted, ToolError
from hermes_tui.engine.interrupt import Token

T = TypeVar("T")


def all_of(works: Sequence[Callable[[], T]], token: Token, seconds: float) -> list[T | ToolError]:
    """Do all at once; return each result, or why there is none, in order.

    `Interrupted` at once when the token is set; what takes longer than `seconds` is given up.
    """
    futures = [_started(work) for work in works]
    deadline = time.monotonic() + seconds
    while not all(future.done() for future in futures) and time.monotonic() < deadline:
        left: list[Future[Any]] = [future for future in futures if not future.done()]
        wait([*left, token.future], deadline - time.monotonic(), FIRST_COMPLETED)
        token.raise_if_set()
    token.raise_if_set()
    return [future.result() if future.done() else ToolError("it took too long") for future in futures]


def _started(work: Callable[[], T]) -> Future[T | ToolError]:
    future: Future[T | ToolError] = Future()

    def run() -> None:
        outcome: T | ToolError = ToolError("it broke off")
        try:
            outcome = work()
        except ToolError as error:
            outcome = error
        except Interrupted:
            outcome = ToolError("interrupted")
        except (HermesError, OSError, ValueError, RuntimeError, ImportError) as error:
            outcome = ToolError(str(error))
        finally:
            future.set_result(outcome)

    threading.Thread(target=run, name="aside", daemon=True).start()
    return future
