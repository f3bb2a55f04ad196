"""Home Assistant's tools on what a real one (2024.3.3, with its demo) answers, and on a real one by hand."""

from __future__ import annotations

import json

import pytest

from hermes_tui.tools.homeassistant import CallService, GetState, ListEntities, ListServices
from tests.tools.support import Session

pytestmark = pytest.mark.timeout(1200)
GUESTS = "input_boolean.guests"


def test_entities_are_listed_with_state_and_name(session: Session) -> None:
    lines = session.run(ListEntities()).content.splitlines()
    assert f"{GUESTS}: off (Guests are here)" in lines or f"{GUESTS}: on (Guests are here)" in lines
    assert "light.kitchen_lights: on (Kitchen Lights)" in lines
    lights = session.run(ListEntities(), domain="light").content.splitlines()
    assert len(lights) > 3
    assert all(line.startswith("light.") for line in lights)


def test_an_area_is_asked_of_the_houses_own_templates(session: Session) -> None:
    assert session.run(ListEntities(), area="nowhere").content == (
        "no such entities; look without domain and area"
    )


def test_one_entity_is_looked_at_with_its_attributes(session: Session) -> None:
    shown = json.loads(session.run(GetState(), entity_id="sensor.outside_temperature").content)
    assert shown["attributes"]["unit_of_measurement"] == "°C"
    assert set(shown) == {"entity_id", "state", "attributes", "last_changed"}
    text = session.refused(GetState(), entity_id="light.none")
    assert text == 'no entity light.none; list them first ({"message":"Entity not found."})'


def test_services_are_listed_without_those_that_stop_the_host(session: Session) -> None:
    lines = session.run(ListServices()).content.splitlines()
    (turn_on,) = [line for line in lines if line.startswith("input_boolean.turn_on: ")]
    assert "Turns on the helper" in turn_on
    assert not any(line.startswith("homeassistant.") for line in lines)
    assert all(
        line.startswith("light.") for line in session.run(ListServices(), domain="light").content.splitlines()
    )


def test_a_service_switches_and_tells_what_changed(session: Session) -> None:
    result = session.run(CallService(), domain="input_boolean", service="turn_on", entity_id=GUESTS)
    assert (result.content, result.display) == (f"{GUESTS}: on", "1 changed")


def test_what_the_house_refuses_says_what_to_do(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    text = session.refused(CallService(), domain="light", service="fly")
    assert text == "no service light.fly; list them with ha_list_services (400: Bad Request)"
    result = session.run(CallService(), domain="light", service="turn_on", entity_id="light.none")
    assert result.content == "done; no state changed"
    bad = {"domain": "light", "service": "turn_on", "entity_id": "light.kitchen_lights"}
    assert "400: Bad Request" in session.refused(CallService(), **bad, data={"brightness": "much"})
    monkeypatch.setenv("HASS_TOKEN", "wrong")
    assert session.refused(ListEntities()) == (
        "Home Assistant refuses the token: the user has to set HASS_TOKEN anew"
    )
