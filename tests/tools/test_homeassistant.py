"""Home Assistant's tools against a server that answers as its REST API does."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from hermes_tui.engine.footprint import Access, Level
from hermes_tui.tools.homeassistant import CallService, GetState, ListEntities, ListServices
from tests.tools.support import Session

STATES = [
    {"entity_id": "light.kitchen", "state": "off", "attributes": {"friendly_name": "Kitchen \x1b[31mlight"}},
    {"entity_id": "light.hall", "state": "on", "attributes": {"friendly_name": "Hall"}},
    {"entity_id": "sensor.outside", "state": "7.5", "attributes": {"unit_of_measurement": "°C"}},
]
SERVICES = [
    {"domain": "light", "services": {"turn_on": {"description": "Turn on.", "fields": {"brightness": {}}}}},
    {"domain": "shell_command", "services": {"reboot": {}}},
]


class House(http.server.BaseHTTPRequestHandler):
    """Answers like /api of Home Assistant."""

    asked: ClassVar[list[tuple[str, Any]]] = []

    def do_GET(self) -> None:
        self.answer(None)

    def do_POST(self) -> None:
        self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, body: Any) -> None:
        type(self).asked.append((self.path, body))
        if self.headers.get("Authorization") != "Bearer good":
            self.reply(401, "401: Unauthorized")
        elif self.path == "/api/states":
            self.reply(200, json.dumps(STATES))
        elif self.path.startswith("/api/states/"):
            found = [s for s in STATES if s["entity_id"] == self.path.removeprefix("/api/states/")]
            self.reply(
                200 if found else 404, json.dumps(found[0] if found else {"message": "Entity not found."})
            )
        elif self.path == "/api/services":
            self.reply(200, json.dumps(SERVICES))
        elif self.path == "/api/template":
            self.reply(200, json.dumps(["light.hall"] if '"Hall"' in body["template"] else []))
        elif self.path == "/api/services/light/turn_on":
            self.reply(200, json.dumps([{**STATES[0], "state": "on"}]))
        else:
            self.reply(400, "Bad Request")

    def reply(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), House)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HASS_URL", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("HASS_TOKEN", "good")
    House.asked.clear()
    yield Session(tmp_path)
    server.shutdown()
    server.server_close()


def test_entities_are_listed_by_kind_and_by_area(session: Session) -> None:
    lights = session.run(ListEntities(), domain="light").content
    assert lights.splitlines()[1] == "light.hall: on (Hall)"
    assert len(lights.splitlines()) == 2
    assert "\x1b" not in lights
    assert session.run(ListEntities(), area="Hall").content == "light.hall: on (Hall)"
    assert session.run(ListEntities(), area="x").content == "no such entities; look without domain and area"


def test_one_entity_is_looked_at(session: Session) -> None:
    assert json.loads(session.run(GetState(), entity_id="sensor.outside").content)["state"] == "7.5"
    assert session.refused(GetState(), entity_id="light.none").startswith(
        "no entity light.none; list them first"
    )
    assert "is no entity id; it looks like light.kitchen" in session.refused(
        GetState(), entity_id="../config"
    )


def test_services_that_run_code_are_neither_listed_nor_called(session: Session) -> None:
    assert session.run(ListServices()).content == "light.turn_on: Turn on. (takes brightness)"
    text = session.refused(CallService(), domain="shell_command", service="reboot")
    assert text == "services of shell_command are refused here: they run code on the host, or stop it"
    assert [path for path, _ in House.asked] == ["/api/services"]


def test_a_service_is_called_and_what_changed_comes_back(session: Session) -> None:
    result = session.run(
        CallService(), domain="light", service="turn_on", entity_id="light.kitchen", data={"brightness": 9}
    )
    assert (result.content, result.display) == ("light.kitchen: on", "1 changed")
    assert House.asked == [("/api/services/light/turn_on", {"brightness": 9, "entity_id": "light.kitchen"})]
    assert "no service light.fly; list them" in session.refused(CallService(), domain="light", service="fly")


def test_a_wrong_token_or_address_says_what_to_do(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HASS_TOKEN", "bad")
    assert session.refused(ListServices()) == (
        "Home Assistant refuses the token: the user has to set HASS_TOKEN anew"
    )
    monkeypatch.setenv("HASS_URL", "http://127.0.0.1:1")
    assert "does not answer" in session.refused(ListServices())
    monkeypatch.delenv("HASS_TOKEN")
    assert ListServices().missing() == "set HASS_TOKEN (and HASS_URL)"


def test_looking_is_safe_and_switching_is_serial_and_asks(session: Session, tmp_path: Path) -> None:
    for tool in (ListEntities(), ListServices()):
        assert tool.footprint({}, tmp_path).level is Level.SAFE
    footprint = CallService().footprint({"domain": "light", "service": "turn_on"}, tmp_path)
    assert (footprint.level, footprint.may_write_files) == (Level.UNDECLARED, False)
    assert [(s.text, s.access) for s in footprint.subjects] == [("light.turn_on", Access.RUN)]
