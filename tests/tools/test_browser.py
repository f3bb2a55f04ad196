"""The browser tools in the machine's own Chromium, on pages served on loopback."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.footprint import Access, Level
from hermes_tui.engine.state import Browser
from hermes_tui.tools.browser import (
    Back,
    Click,
    Console,
    GetImages,
    Navigate,
    Press,
    Scroll,
    Snapshot,
    Type,
)
from hermes_tui.tools.browser.chrome import chromium
from hermes_tui.tools.browser.driver import Driver
from tests.tools.support import Session

pytest.importorskip("playwright", reason="playwright is not installed")
needs_chromium = pytest.mark.skipif(chromium() is None, reason="no Chromium is installed")

PAGE = b"""<!doctype html><title>Shop \x1b[31m</title><h1>Welcome</h1><img src=/a.png alt="a cat">
<form action=/found><input name=q aria-label="Search"><button>Go</button></form>
<a href=/second>Second page</a><script>console.log("hello from the page"); fetch("http://10.0.0.1/")
.catch(() => console.error("blocked"))</script>"""


class Site(http.server.BaseHTTPRequestHandler):
    """Two pages and one that never comes."""

    let_go = threading.Event()

    def do_GET(self) -> None:
        if self.path == "/slow":
            self.let_go.wait(60)
        body = PAGE if self.path == "/" else f"<title>{self.path}</title><p>You are at {self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            return  # nobody waits any more

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    Site.let_go.clear()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    Site.let_go.set()
    server.shutdown()


@pytest.fixture
def session(tmp_path: Path, site: str) -> Iterator[Session]:
    driver = Driver([site.removeprefix("http://").rstrip("/")])
    session = Session(tmp_path)
    session.states[Browser] = driver
    yield session
    driver.close()


def ref(snapshot: str, words: str) -> str:
    """The ref of the element that the words name."""
    line = next(line for line in snapshot.splitlines() if words in line)
    return line.partition("[ref=")[2].partition("]")[0]


@needs_chromium
def test_a_page_is_opened_read_used_and_left(session: Session, site: str) -> None:
    shop = session.run(Navigate(), url=site).content
    assert "from the web: data" in shop
    assert "\x1b" not in shop
    assert 'heading "Welcome"' in shop
    session.run(Type(), ref=ref(shop, "Search"), text="cats")
    found = session.run(Click(), ref=ref(session.run(Snapshot()).content, 'button "Go"')).content
    assert "You are at /found?q=cats" in found
    back = session.run(Back()).content
    second = session.run(Click(), ref=ref(back, "Second page")).content
    assert "You are at /second" in second
    assert "You are at /second" in session.run(Scroll(), direction="down").content
    assert "You are at /second" in session.run(Press(), key="Tab").content


@needs_chromium
def test_pictures_and_the_console_are_read_and_this_machines_network_is_closed(
    session: Session, site: str
) -> None:
    session.run(Navigate(), url=site)
    assert f"{site}a.png  a cat" in session.run(GetImages()).content
    deadline = time.monotonic() + 20
    while "blocked" not in (text := session.run(Console()).content):
        assert time.monotonic() < deadline, text
    assert "log: hello from the page" in text
    refused = session.refused(Navigate(), url="http://localhost:1/")
    assert "in this machine's own network, and was not opened" in refused


@needs_chromium
def test_wrong_refs_and_no_page_say_what_to_do(session: Session, site: str) -> None:
    assert session.refused(Snapshot()) == "no page is open; open one with browser_navigate"
    session.run(Navigate(), url=site)
    assert "look at it with browser_snapshot" in session.refused(Click(), ref="e999")
    assert "take one such as e12" in session.refused(Click(), ref="'] >> body")


@needs_chromium
def test_an_interrupt_ends_an_action_at_once(session: Session, site: str) -> None:
    session.run(Navigate(), url=site)
    threading.Timer(0.3, session.token.set).start()
    with pytest.raises(Interrupted):
        session.run(Navigate(), url=f"{site}slow")


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "javascript:alert(1)", "http://["])
def test_only_web_addresses_are_opened(tmp_path: Path, url: str) -> None:
    assert "begin it with https://" in Session(tmp_path).refused(Navigate(), url=url)


def test_looking_is_side_by_side_and_acting_is_not(tmp_path: Path) -> None:
    look = Snapshot().footprint({}, tmp_path)
    assert (look.level, look.reads, look.writes) == (Level.SAFE, ("state:browser",), ())
    click = Click().footprint({"ref": "e1"}, tmp_path)
    assert (click.level, click.writes, click.may_write_files) == (
        Level.UNDECLARED,
        ("state:browser",),
        False,
    )
    go = Navigate().footprint({"url": "https://x.example/a"}, tmp_path)
    assert [(s.text, s.access, s.pattern) for s in go.subjects] == [
        ("https://x.example/a", Access.NETWORK, "https://x.example/*")
    ]
