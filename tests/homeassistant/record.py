"""Records what a real Home Assistant answers to what our tools ask, for CI, which has none.

Run after setup.sh: `python -m tests.homeassistant.record`. It writes answers.json anew.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.homeassistant.server import House, house

FILE = Path(__file__).with_name("answers.json")
AREA = '{{ area_entities("Kitchen") | tojson }}'
GUESTS = {"entity_id": "input_boolean.guests"}
ASKED: tuple[tuple[str, str, Any], ...] = (
    ("GET", "states", None),
    ("GET", "states/input_boolean.guests", None),
    ("GET", "states/sensor.outside_temperature", None),
    ("GET", "states/light.none", None),
    ("GET", "services", None),
    ("POST", "template", {"template": AREA}),
    ("POST", "template", {"template": '{{ area_entities("nowhere") | tojson }}'}),
    ("POST", "services/input_boolean/turn_on", GUESTS),
    ("POST", "services/light/fly", {}),
    ("POST", "services/light/turn_on", {"entity_id": "light.none"}),
    ("POST", "services/light/turn_on", {"entity_id": "light.kitchen_lights", "brightness": "much"}),
)
"""Method, path below /api, body; in this order."""


def recorded(place: House) -> list[dict[str, Any]]:
    """Ask and return the answers, with the request of each."""
    answers = []
    for method, path, body in ASKED:
        status, text = place.ask(method, path, body)
        answers.append({"method": method, "path": path, "body": body, "status": status, "text": text})
    wrong = House(place.url, "wrong").ask("GET", "states")
    return [*answers, {"method": "GET", "path": "", "body": None, "status": wrong[0], "text": wrong[1]}]


def main() -> None:
    """Start one, ask, write."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as place:
        FILE.write_text(json.dumps(recorded(place), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
