"""The browser on pages that hang, trap, ask, open windows or lead into this machine's own network."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.errors import Interrupted, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.state import Browser
from hermes_tui.tools.base import samples
from hermes_tui.tools.browser import TOOLS, Back, Click, Navigate, Snapshot
from hermes_tui.tools.browser.chrome import chromium
from hermes_tui.tools.browser.driver import Driver
from tests.tools.support import Session

pytest.importorskip("playwright", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium is installed")

GRACE = 3.0
"""Seconds that a call has to end after Ctrl-C."""
PAGES = {
    "/": "<title>home</title><a href=/second target=_blank>window</a>",
    "/second": "<title>second</title><p>You are in the window",
    "/stays": "<title>stays</title><button>b</button>"
    "<script>onbeforeunload = e => e.preventDefault()</script>",
    "/socket": "<title>socket</title><script>s = new WebSocket('ws://127.0.0.1:PRIVATE/socket');"
    "s.onerror = () => document.title = 'refused'</script>",
    "/hangs": "<title>hangs</title><button>b</button><script>setTimeout(() => { while (1); }, 700)</script>",
    "/private": "<title>private</title>it was reached",
}


class Site(http.server.ThreadingHTTPServer):
    """The pages, and what was asked for."""

    daemon_threads = True

    def __init__(self, private: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Page)
        self.private = private
        self.asked: list[str] = []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def host(self) -> str:
        """Where it is."""
        return f"127.0.0.1:{self.server_port}"


class Page(http.server.BaseHTTPRequestHandler):
    """Answers one request."""

    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        body = PAGES.get(self.path, "").replace("PRIVATE", self.server.private).encode()
        self.send_response(302 if self.path == "/leads" else 200)
        self.send_header("Location", f"http://localhost:{self.server.private}/private")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def private() -> Iterator[Site]:
    """A server in this machine's network that nobody allowed."""
    site = Site()
    yield site
    site.shutdown()
    site.server_close()


@pytest.fixture
def site(private: Site) -> Iterator[Site]:
    site = Site(str(private.server_port))
    yield site
    site.shutdown()
    site.server_close()


@pytest.fixture
def session(tmp_path: Path, site: Site) -> Iterator[Session]:
    driver = Driver([site.host])
    session = Session(tmp_path)
    session.states[Browser] = driver
    yield session
    driver.close()


def opened(session: Session, site: Site, path: str) -> str:
    return session.run(Navigate(), url=f"http://{site.host}{path}").content


def until_shown(session: Session, words: str) -> str:
    deadline = time.monotonic() + 20
    while words not in (text := session.run(Snapshot()).content):
        assert time.monotonic() < deadline, text
    return text


def until_it_hangs(session: Session, tool: Any, arguments: dict[str, Any]) -> None:
    while True:
        session.run(tool, **arguments)


HELD = [tool for tool in TOOLS if tool.name.partition("_")[2] in ("snapshot", "click", "scroll", "press")]
"""What a page that hangs holds up; others leave it, read beside it, or take the same way."""


@pytest.mark.parametrize("tool", HELD, ids=lambda tool: tool.name)
def test_on_a_page_that_hangs_an_interrupt_ends_each_tool_and_the_next_page_opens(
    session: Session, site: Site, tool: Any
) -> None:
    text = opened(session, site, "/hangs")
    ref = text.partition('button "b" [ref=')[2].partition("]")[0]
    arguments = samples(tool.schema.parameters)[0]
    arguments |= {"ref": ref} if "ref" in arguments else {}
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.monotonic())
        session.token.set()

    threading.Timer(1.5, press).start()
    with pytest.raises(Interrupted):
        until_it_hangs(session, tool, arguments)
    assert time.monotonic() - pressed[0] < GRACE
    session.token = Token()
    assert "You are in the window" in opened(session, site, "/second")


def test_a_redirect_into_this_machines_network_is_refused(
    session: Session, site: Site, private: Site
) -> None:
    said = session.refused(Navigate(), url=f"http://{site.host}/leads")
    assert "in this machine's own network, and was not opened" in said
    assert f'[web] allow_private = ["localhost:{private.server_port}"]' in said
    assert private.asked == []


def test_a_web_socket_into_this_machines_network_is_refused(
    session: Session, site: Site, private: Site
) -> None:
    opened(session, site, "/socket")
    until_shown(session, "\nrefused\n")
    assert private.asked == []


def test_a_window_that_a_link_opens_is_the_page_in_use_and_back_closes_it(
    session: Session, site: Site
) -> None:
    text = opened(session, site, "/")
    session.run(Click(), ref=text.partition('link "window" [ref=')[2].partition("]")[0])
    until_shown(session, "You are in the window")
    assert "\nhome\n" in session.run(Back()).content


def test_a_page_that_wants_to_keep_us_is_left(session: Session, site: Site) -> None:
    text = opened(session, site, "/stays")
    session.run(Click(), ref=text.partition('button "b" [ref=')[2].partition("]")[0])
    assert "You are in the window" in opened(session, site, "/second")


def test_a_browser_that_died_is_started_anew(session: Session, site: Site) -> None:
    opened(session, site, "/")
    driver = session.states[Browser]
    assert isinstance(driver, Driver)
    driver.do(lambda page: page.context.browser.close(), Token())
    with pytest.raises(ToolError, match="open another page with browser_navigate"):
        session.run(Snapshot())
    assert "You are in the window" in opened(session, site, "/second")
