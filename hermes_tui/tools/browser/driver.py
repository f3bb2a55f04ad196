"""Drives the session's browser in a thread of its own: one action after another, none that cannot be left.

Started with the first use, gone with the session. One that hangs or died is ended, and the next use starts
another.
"""

from __future__ import annotations

import queue
import threading
import uuid
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from hermes_tui.engine.errors import HermesError, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.processes.kill import kill_marked
from hermes_tui.text import harmless
from hermes_tui.tools.browser.chrome import Chrome
from hermes_tui.tools.browser.gate import Gate

T = TypeVar("T")

PATIENCE: Final = 60.0
"""Seconds of one action, the browser's start included."""
LAST_CHANCE: Final = 1.0
"""Seconds that the next action gives one which was left to end."""
STUCK: Final = (
    "the page does not answer any more (a script of it hangs, or the browser died), and the browser was "
    "closed; open another page with browser_navigate"
)


class Driver:
    """Implements `engine.state.Browser`. Thread-safe."""

    def __init__(self, allowed: Collection[str]) -> None:
        """`allowed`: private hosts, or `host:port`, that the page may reach."""
        self._allowed = allowed
        self._lock = threading.Lock()
        self._running: _Running | None = None
        self._left: Future[Any] | None = None
        """An action that nobody waits for any more."""

    def do(self, action: Callable[[Any], T], token: Token) -> T:
        """Run an action on the page."""
        future: Future[T] = Future()
        with self._lock:
            self._fit().put(action, future)
        waits: list[Future[Any]] = [future, token.future]
        wait(waits, PATIENCE, FIRST_COMPLETED)
        if not future.done():
            self._left = future
        token.raise_if_set()
        if not future.done():
            raise ToolError(f"the browser did not answer within {PATIENCE:g} s")
        return future.result()

    def console(self) -> list[str]:
        """Return what the page has logged."""
        running = self._running
        return [] if running is None else running.console()

    def close(self) -> None:
        """End the browser; returns at once."""
        if self._running is not None:
            self._running.end()

    def _fit(self) -> _Running:
        """Return a browser that takes actions, a new one when the last is over or stuck."""
        left, self._left = self._left, None
        if self._running is not None and left is not None and not wait([left], LAST_CHANCE).done:
            self._running.end()
        if self._running is None or self._running.over.is_set():
            self._running = _Running(self._allowed)
        return self._running


class _Running:
    """One browser and its thread."""

    def __init__(self, allowed: Collection[str]) -> None:
        self.over = threading.Event()
        """Set when it takes no more actions."""
        self._allowed = allowed
        self._jobs: queue.SimpleQueue[tuple[Callable[[Any], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._mark = uuid.uuid4().hex
        self._chrome: Chrome | None = None
        threading.Thread(target=self._serve, name="browser", daemon=True).start()

    def put(self, action: Callable[[Any], Any], future: Future[Any]) -> None:
        """Do an action after those before it."""
        self._jobs.put((action, future))

    def console(self) -> list[str]:
        """Return what the pages have logged."""
        return [] if self._chrome is None else list(self._chrome.logged)

    def end(self) -> None:
        """Take no more and end the browser; returns at once."""
        self.over.set()
        self._jobs.put(None)
        kill_marked(self._mark)

    # -- the browser's thread -------------------------------------------------------------------------

    def _serve(self) -> None:
        from playwright.sync_api import Error, sync_playwright

        problem = ToolError(STUCK)
        gate = Gate(self._allowed)
        try:
            with sync_playwright() as playwright:
                self._chrome = Chrome(playwright, self._allowed, gate.address, self._mark)
                while not self.over.is_set() and (job := self._jobs.get()) is not None:
                    self._settle(*job, gate, Error)
        except Error as error:
            problem = ToolError(f"the browser does not start: {_first_line(error)}")
        finally:
            self.over.set()
            gate.close()
            kill_marked(self._mark)
            self._refuse(problem)

    def _settle(
        self, action: Callable[[Any], Any], future: Future[Any], gate: Gate, broken: type[Exception]
    ) -> None:
        """Put the result, or what went wrong in words, into a future."""
        assert self._chrome is not None
        try:
            future.set_result(partial(action, self._chrome.page)())
        except HermesError as error:
            future.set_exception(error)
        except broken as error:
            if not self._chrome.answers():
                self.over.set()
                future.set_exception(ToolError(STUCK))
            elif "ERR_TUNNEL_CONNECTION_FAILED" in str(error) and gate.problem:
                future.set_exception(ToolError(gate.problem))
            else:
                future.set_exception(ToolError(_first_line(error)))
        finally:
            if not future.done():
                future.set_exception(ToolError("the browser's action broke"))

    def _refuse(self, problem: ToolError) -> None:
        """Answer the actions that were not begun."""
        with suppress(queue.Empty):
            while True:
                if (job := self._jobs.get_nowait()) is not None:
                    job[1].set_exception(problem)


def _first_line(error: Exception) -> str:
    return harmless(str(error).strip().partition("\n")[0])[:300]
