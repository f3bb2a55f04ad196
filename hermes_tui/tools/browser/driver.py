"""Drives the machine's own Chromium through playwright: one page a session, in a thread of its own.

Started with the first use, gone with the session. The page may not reach this machine's own network unless
the user allowed the host, and opens no files.
"""

from __future__ import annotations

import os
import queue
import threading
import uuid
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from hermes_tui.engine.errors import HermesError, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.processes.environment import marked
from hermes_tui.processes.kill import kill_marked
from hermes_tui.processes.sandbox import program
from hermes_tui.text import harmless
from hermes_tui.tools.addresses import looks_private

T = TypeVar("T")

NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
LIMIT: Final = 15.0
"""Seconds of one step on the page."""
PATIENCE: Final = 60.0
"""Seconds of one action, the browser's start included."""
LOGGED: Final = 200
"""Lines of the page's console that are kept."""
SWITCHES: Final = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions",
)  # fmt: skip


def chromium() -> str | None:
    """Return the installed browser; None when there is none."""
    return program(*NAMES)


class Driver:
    """Implements `engine.state.Browser`. Thread-safe."""

    def __init__(self, allowed: Collection[str]) -> None:
        """`allowed`: private hosts, or `host:port`, that the page may reach."""
        self._allowed = allowed
        self._jobs: queue.SimpleQueue[tuple[Callable[[Any], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._logged: deque[str] = deque(maxlen=LOGGED)
        self._mark = uuid.uuid4().hex

    def do(self, action: Callable[[Any], T], token: Token) -> T:
        """Run an action on the page."""
        future: Future[T] = Future()
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._serve, name="browser", daemon=True)
                self._thread.start()
            self._jobs.put((action, future))
        waits: list[Future[Any]] = [future, token.future]
        wait(waits, PATIENCE, FIRST_COMPLETED)
        token.raise_if_set()
        if not future.done():
            raise ToolError(f"the browser did not answer within {PATIENCE:g} s")
        return future.result()

    def console(self) -> list[str]:
        """Return what the page has logged."""
        return list(self._logged)

    def close(self) -> None:
        """End the browser; returns at once."""
        if self._thread is not None:
            self._jobs.put(None)
            kill_marked(self._mark)

    # -- the browser's thread -------------------------------------------------------------------------

    def _serve(self) -> None:
        from playwright.sync_api import Error, sync_playwright

        try:
            with sync_playwright() as playwright:
                page = self._open(playwright)
                while (job := self._jobs.get()) is not None:
                    action, future = job
                    _settle(future, partial(action, page), Error)
        except Error as error:
            problem = ToolError(f"the browser does not start: {_first_line(error)}")
            while not self._jobs.empty():
                if (job := self._jobs.get()) is not None:
                    job[1].set_exception(problem)
        finally:
            kill_marked(self._mark)

    def _open(self, playwright: Any) -> Any:
        """Start the browser and return its one page."""
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            headless=True,
            args=[*SWITCHES, *root],
            env=marked(dict(os.environ), self._mark),
            chromium_sandbox=not root,
        )
        context = browser.new_context(accept_downloads=False, service_workers="block")
        context.set_default_timeout(LIMIT * 1000)
        context.route("**/*", self._check)
        page = context.new_page()
        page.on("console", lambda message: self._logged.append(harmless(f"{message.type}: {message.text}")))
        page.on("dialog", lambda dialog: dialog.dismiss())
        return page

    def _check(self, route: Any) -> None:
        """Let a request through, or not."""
        route.continue_() if self.allows(route.request.url) else route.abort("blockedbyclient")

    def allows(self, url: str) -> bool:
        """Whether the page may ask this address."""
        parts = urlsplit(url)
        if parts.scheme in ("data", "blob", "about"):
            return True
        host = parts.hostname or ""
        named = host in self._allowed or parts.netloc.rpartition("@")[2] in self._allowed
        return parts.scheme in ("http", "https") and (named or not looks_private(host))


def _settle(future: Future[Any], work: Callable[[], Any], broken: type[Exception]) -> None:
    """Put the result, or what went wrong in words, into a future."""
    try:
        future.set_result(work())
    except HermesError as error:
        future.set_exception(error)
    except broken as error:
        future.set_exception(ToolError(_first_line(error)))
    finally:
        if not future.done():
            future.set_exception(ToolError("the browser's action broke"))


def _first_line(error: Exception) -> str:
    return harmless(str(error).strip().partition("\n")[0])[:300]
