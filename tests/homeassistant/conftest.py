"""A house to ask: recorded answers of a real one, or, by `-m homeassistant` after setup.sh, a real one."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.homeassistant.record import FILE
from tests.homeassistant.server import HOME, House, house
from tests.tools.support import Session

TOKEN = "recorded"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the real one out unless it was asked for."""
    if "homeassistant" not in config.option.markexpr:
        ours = [item for item in items if item.get_closest_marker("homeassistant")]
        config.hook.pytest_deselected(items=ours)
        items[:] = [item for item in items if item not in ours]


class Replay(http.server.BaseHTTPRequestHandler):
    """Answers what the real one answered to the same request."""

    answers: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))

    def do_GET(self) -> None:
        self.answer(None)

    def do_POST(self) -> None:
        self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, body: Any) -> None:
        """Find the recorded answer; a wrong token has its own."""
        right = self.headers.get("Authorization") == f"Bearer {TOKEN}"
        wanted = (self.command, self.path.removeprefix("/api/"), body) if right else ("GET", "", None)
        found = [a for a in self.answers if (a["method"], a["path"], a["body"]) == wanted]
        assert found, f"not recorded: {wanted}; add it to record.py"
        text = found[0]["text"].encode()
        self.send_response(found[0]["status"])
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def replayed() -> Iterator[House]:
    """Serve the recorded answers."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Replay)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield House(f"http://127.0.0.1:{server.server_port}", TOKEN)
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module", params=["recorded", pytest.param("real", marks=pytest.mark.homeassistant)])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Where a house answers."""
    if request.param == "recorded":
        with replayed() as found:
            yield found
        return
    if not (HOME / "bin" / "hass").exists():
        pytest.fail(f"nothing is set up at {HOME}: run tests/homeassistant/setup.sh first")
    with house(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture
def session(place: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session whose environment names the house."""
    monkeypatch.setenv("HASS_URL", place.url)
    monkeypatch.setenv("HASS_TOKEN", place.token)
    return Session(tmp_path)
