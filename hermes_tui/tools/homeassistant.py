"""Home Assistant: look at a house and switch things in it, over its REST API.

Source: developers.home-assistant.io/docs/api/rest. HASS_URL and HASS_TOKEN say where and with which right.
Services that run code on its host are refused.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote

import msgspec

from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import Access, Footprint, Hazard, Level, Subject
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.text import harmless
from hermes_tui.tools.aside import all_of
from hermes_tui.tools.base import TypedTool

STATE: Final = "state:home"
PATIENCE: Final = 15.0
"""Seconds for one request."""
MOST: Final = 200
"""Entities in one answer."""
REFUSED: Final = (
    "shell_command",
    "command_line",
    "python_script",
    "pyscript",
    "hassio",
    "rest_command",
    "homeassistant",
)
"""Domains whose services run code on the host, or stop it."""
ENTITY: Final = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
WORD: Final = re.compile(r"[a-z0-9_]+")


class EntitiesArguments(msgspec.Struct):
    """What ha_list_entities takes."""

    domain: Annotated[str, msgspec.Meta(description="Only this kind; empty: all.", examples=["light"])] = ""
    area: Annotated[str, msgspec.Meta(description="Only in this area, by name or id; empty: all.")] = ""


class StateArguments(msgspec.Struct):
    """What ha_get_state takes."""

    entity_id: Annotated[str, msgspec.Meta(description="As listed.", examples=["light.kitchen"])]


class ServicesArguments(msgspec.Struct):
    """What ha_list_services takes."""

    domain: Annotated[str, msgspec.Meta(description="Only this kind; empty: all.", examples=["light"])] = ""


class CallArguments(msgspec.Struct):
    """What ha_call_service takes."""

    domain: Annotated[str, msgspec.Meta(examples=["light"])]
    service: Annotated[str, msgspec.Meta(examples=["turn_on"])]
    entity_id: Annotated[
        str, msgspec.Meta(description="What it acts on; empty: none.", examples=["light.kitchen"])
    ] = ""
    data: Annotated[dict[str, Any], msgspec.Meta(description="What else the service takes.")] = msgspec.field(
        default_factory=dict
    )


class _House:
    """What all four have in common."""

    def missing(self) -> str | None:
        """Return what is not set, or None."""
        return None if os.environ.get("HASS_TOKEN") else "set HASS_TOKEN (and HASS_URL)"


class _Looking(_House):
    """What those have in common that only look."""

    def declare(self, args: Any, folder: Path) -> Footprint:
        """Return that it looks at the house, over the network."""
        subject = Subject(
            "url", _base(), Access.NETWORK, Hazard.NETWORK, pattern=_base(), why="asks Home Assistant"
        )
        return Footprint(Level.SAFE, (STATE,), (), Hazard.NETWORK, (subject,))


class ListEntities(_Looking, TypedTool[EntitiesArguments]):
    """Lists what there is."""

    name = "ha_list_entities"
    description = "List the entities of the house (lights, sensors, switches …) with their states."
    Arguments = EntitiesArguments

    def act(self, args: EntitiesArguments, call: Call) -> Result:
        """Return id, state and name of each."""
        states = _listed(_ask("GET", "states", call.token))
        inside = _area(args.area.strip(), call.token) if args.area.strip() else None
        lines = [
            f"{state['entity_id']}: {state.get('state')} ({_attributes(state).get('friendly_name', '')})"
            for state in states
            if str(state["entity_id"]).startswith(f"{args.domain}." if args.domain else "")
            and (inside is None or state["entity_id"] in inside)
        ]
        more = f"\n[… {len(lines) - MOST} more; name a domain or an area]" if len(lines) > MOST else ""
        text = "\n".join(lines[:MOST]) or "no such entities; look without domain and area"
        return Result(harmless(text + more), display=f"{len(lines)} entities")


class GetState(_Looking, TypedTool[StateArguments]):
    """Looks at one thing."""

    name = "ha_get_state"
    description = "Look at one entity of the house: its state and attributes."
    Arguments = StateArguments

    def act(self, args: StateArguments, call: Call) -> Result:
        """Return all that is known of it."""
        entity = _entity(args.entity_id)
        state = _ask(
            "GET", f"states/{quote(entity)}", call.token, missing=f"no entity {entity}; list them first"
        )
        shown = {key: state.get(key) for key in ("entity_id", "state", "attributes", "last_changed")}
        return Result(
            harmless(json.dumps(shown, ensure_ascii=False, indent=1)), display=str(state.get("state"))
        )


class ListServices(_Looking, TypedTool[ServicesArguments]):
    """Lists what can be done."""

    name = "ha_list_services"
    description = "List what can be done in the house: services by domain, with what they take."
    Arguments = ServicesArguments

    def act(self, args: ServicesArguments, call: Call) -> Result:
        """Return domain.service and its fields."""
        lines = []
        for entry in _listed(_ask("GET", "services", call.token)):
            domain = str(entry.get("domain"))
            if args.domain in ("", domain) and domain not in REFUSED:
                lines += [
                    _service(domain, name, about) for name, about in dict(entry.get("services") or {}).items()
                ]
        return Result(harmless("\n".join(lines)) or "no such services", display=f"{len(lines)} services")


class CallService(_House, TypedTool[CallArguments]):
    """Switches something."""

    name = "ha_call_service"
    description = (
        "Do something in the house: call a service on an entity. List services and entities first. Services "
        "that run code on the host are refused."
    )
    Arguments = CallArguments

    def declare(self, args: CallArguments, folder: Path) -> Footprint:
        """Return that it changes the house, and no file."""
        domain, service, entity = _call_of(args)
        text = f"{domain}.{service} {entity}".strip()
        subject = Subject(
            "service", text, Access.RUN, Hazard.UNKNOWN, pattern=text, why=f"calls {text} in the house"
        )
        return Footprint(
            Level.UNDECLARED, (STATE,), (STATE,), Hazard.UNKNOWN, (subject,), f"it calls {domain}.{service}"
        )

    def act(self, args: CallArguments, call: Call) -> Result:
        """Return what changed."""
        domain, service, entity = _call_of(args)
        body = {**args.data, **({"entity_id": entity} if entity else {})}
        missing = f"no service {domain}.{service}; list them with ha_list_services"
        changed = _listed(_ask("POST", f"services/{domain}/{service}", call.token, body, missing))
        lines = [f"{state['entity_id']}: {state.get('state')}" for state in changed]
        return Result(harmless("\n".join(lines)) or "done; no state changed", display=f"{len(lines)} changed")


def _base() -> str:
    return os.environ.get("HASS_URL", "http://homeassistant.local:8123").rstrip("/")


def _ask(
    method: str, path: str, token: Token, body: Mapping[str, Any] | None = None, missing: str = ""
) -> Any:
    """Return what the house answers; `missing` is said when it knows no such thing."""
    (answer,) = all_of([partial(_request, method, path, body, missing)], token, PATIENCE)
    if isinstance(answer, ToolError):
        raise answer
    return answer


def _request(method: str, path: str, body: Mapping[str, Any] | None, missing: str) -> Any:
    import httpx2

    headers = {"Authorization": f"Bearer {os.environ.get('HASS_TOKEN', '')}"}
    try:
        answer = httpx2.request(
            method, f"{_base()}/api/{path}", headers=headers, json=body, timeout=PATIENCE, trust_env=False
        )
    except httpx2.HTTPError as error:
        raise ToolError(f"Home Assistant at {_base()} does not answer: {error}; is HASS_URL right?") from None
    if answer.status_code == 401:
        raise ToolError("Home Assistant refuses the token: the user has to set HASS_TOKEN anew")
    if answer.status_code in (400, 404) and missing:
        raise ToolError(f"{missing} ({answer.text.strip()[:200]})")
    if answer.status_code >= 400:
        raise ToolError(f"Home Assistant answered {answer.status_code}: {answer.text.strip()[:200]}")
    try:
        return answer.json() if path != "template" else json.loads(answer.text)
    except (ValueError, RecursionError):
        raise ToolError(f"Home Assistant at {_base()} sent no JSON; is HASS_URL right?") from None


def _area(area: str, token: Token) -> set[str]:
    """Return the entities of an area; the house's own templates know them."""
    template = "{{ area_entities(" + json.dumps(area) + ") | tojson }}"
    found = _ask("POST", "template", token, {"template": template})
    return {str(entity) for entity in found} if isinstance(found, list) else set()


def _listed(answer: Any) -> list[dict[str, Any]]:
    return [each for each in answer if isinstance(each, dict)] if isinstance(answer, list) else []


def _attributes(state: Mapping[str, Any]) -> Mapping[str, Any]:
    found = state.get("attributes")
    return found if isinstance(found, dict) else {}


def _service(domain: str, name: str, about: Any) -> str:
    about = about if isinstance(about, dict) else {}
    fields: Iterable[str] = about.get("fields") or {}
    takes = f" (takes {', '.join(fields)})" if fields else ""
    said = " ".join(str(about.get("description") or about.get("name") or "").split())
    return f"{domain}.{name}: {said}{takes}"


def _entity(text: str) -> str:
    entity = text.strip()
    if ENTITY.fullmatch(entity) is None:
        raise BadArguments(f"{entity!r} is no entity id; it looks like light.kitchen")
    return entity


def _call_of(args: CallArguments) -> tuple[str, str, str]:
    """Return domain, service and entity; `BadArguments` for what is none, or is refused."""
    domain, service = args.domain.strip(), args.service.strip()
    if WORD.fullmatch(domain) is None or WORD.fullmatch(service) is None:
        raise BadArguments(
            f"{domain}.{service} is no service; domain and service look like light and turn_on"
        )
    if domain in REFUSED:
        raise BadArguments(f"services of {domain} are refused here: they run code on the host, or stop it")
    return domain, service, _entity(args.entity_id) if args.entity_id.strip() else ""


TOOLS = [ListEntities(), GetState(), ListServices(), CallService()]
