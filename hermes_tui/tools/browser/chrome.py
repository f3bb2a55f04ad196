"""Starts the machine's own Chromium and keeps its pages: the newest is the one in use.

The page may not reach this machine's own network unless the user allowed the host, and opens no files.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from hermes_tui.processes.environment import marked
from hermes_tui.processes.sandbox import program
from hermes_tui.text import harmless
from hermes_tui.tools.addresses import looks_private

NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
LIMIT: Final = 15.0
"""Seconds of one step on the page."""
LOGGED: Final = 200
"""Lines of the pages' console that are kept."""
MOST_PAGES: Final = 5
"""Windows that pages may have open at once; one more is closed."""
SWITCHES: Final = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)  # fmt: skip


def chromium() -> str | None:
    """Return the installed browser; None when there is none."""
    return program(*NAMES)


class Chrome:
    """One running browser. Only for the thread that made it."""

    def __init__(self, playwright: Any, allowed: Collection[str], gate: str, mark: str) -> None:
        """`allowed`: private hosts that may be asked; `gate`: the proxy's address; `mark`: its processes'."""
        self.logged: deque[str] = deque(maxlen=LOGGED)
        """What the pages said on their console."""
        self._allowed = allowed
        self._pages: list[Any] = []
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            headless=True,
            args=[*SWITCHES, *root],
            env=marked(dict(os.environ), mark),
            chromium_sandbox=not root,
            proxy={"server": gate, "bypass": "<-loopback>"},
        )
        self._context = context = browser.new_context(accept_downloads=False, service_workers="block")
        context.set_default_timeout(LIMIT * 1000)
        context.route("**/*", self._check)
        context.on("page", self._added)
        context.new_page()

    @property
    def page(self) -> Any:
        """The page in use; an empty one when there was none left. An `Error` if it died."""
        if not self._pages:
            self._context.new_page()
        return self._pages[-1]

    def answers(self) -> bool:
        """Whether the page still does: one whose script hangs does not, nor does a dead browser's."""
        from playwright.sync_api import Error

        with suppress(Error):
            self.page.locator("html").wait_for(state="attached", timeout=2000)
            return True
        return False

    def _added(self, page: Any) -> None:
        if len(self._pages) >= MOST_PAGES:
            page.close()
            return
        self._pages.append(page)
        page.on("close", self._gone)
        page.on("console", lambda message: self.logged.append(harmless(f"{message.type}: {message.text}")))
        page.on("dialog", _closed)

    def _gone(self, page: Any) -> None:
        self._pages.remove(page)

    def _check(self, route: Any) -> None:
        """Let a request through to the gate, or not: files never, and this machine's names with a word."""
        route.continue_() if self._allows(route.request.url) else route.abort("blockedbyclient")

    def _allows(self, url: str) -> bool:
        parts = urlsplit(url)
        if parts.scheme in ("data", "blob", "about"):
            return True
        host = parts.hostname or ""
        named = host in self._allowed or parts.netloc.rpartition("@")[2] in self._allowed
        return parts.scheme in ("http", "https") and (named or not looks_private(host))


def _closed(dialog: Any) -> None:
    """Say no to whatever a page asks, but leave it when it wants to keep us."""
    from playwright.sync_api import Error

    with suppress(Error):  # its page may be gone by now
        dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss()
