"""Makes a server's tool fit what providers take: a plain name, and a schema that is one object.

A schema that cannot be mended is refused with the reason; one bad tool never spoils a request.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

LONGEST: Final = 64
"""Characters of a tool's name."""
DEEPEST: Final = 12
"""Levels of a schema; a reference that goes deeper, or round in a circle, becomes "anything"."""
LARGEST: Final = 2_000
"""Nodes of a schema after its references were put in place."""


def exposed_name(server: str, tool: str) -> str:
    """Return the name by which the model calls a tool: the same each time, and no other tool's."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", f"mcp_{server}_{tool}")
    if plain == f"mcp_{server}_{tool}" and len(plain) <= LONGEST:
        return plain
    digest = hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{plain[: LONGEST - 7]}_{digest}"


def repaired(schema: Any) -> dict[str, Any]:
    """Return a tool's input schema as one object without references; `ValueError` when there is no way."""
    if schema is None:
        schema = {}
    if not isinstance(schema, dict):
        raise ValueError("its input schema is no object")
    definitions = {**_table(schema.get("definitions")), **_table(schema.get("$defs"))}
    fixed = _Repair(definitions).node(schema, 0, ())
    kind = fixed.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "object")
    if kind not in (None, "object"):
        raise ValueError(f"its input schema is of the type {kind!r}, not object")
    fixed["type"] = "object"
    fixed["properties"] = _table(fixed.get("properties"))
    required = fixed.get("required")
    names = [name for name in required if name in fixed["properties"]] if isinstance(required, list) else []
    fixed.pop("required", None)
    if names:
        fixed["required"] = names
    for key in ("anyOf", "oneOf", "allOf", "not", "$schema", "$id"):
        fixed.pop(key, None)  # strict servers refuse them at the top
    return fixed


class _Repair:
    """Puts references in place, within bounds."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._nodes = 0

    def node(self, node: Any, depth: int, inside: tuple[str, ...]) -> dict[str, Any]:
        """Return one node; anything that is none, or lies too deep, is "anything"."""
        self._nodes += 1
        if not isinstance(node, dict) or depth > DEEPEST or self._nodes > LARGEST:
            return {}
        reference = node.get("$ref")
        if isinstance(reference, str):
            name = reference.removeprefix("#/$defs/").removeprefix("#/definitions/")
            if name in inside or name not in self._definitions:
                return {}
            rest = {key: value for key, value in node.items() if key != "$ref"}
            target = self.node(self._definitions[name], depth + 1, (*inside, name))
            return {**target, **self.node(rest, depth, inside)}
        return {
            key: self._value(key, value, depth, inside)
            for key, value in node.items()
            if key not in ("$defs", "definitions", "$comment") and value is not None
        }

    def _value(self, key: str, value: Any, depth: int, inside: tuple[str, ...]) -> Any:
        if key in ("properties", "patternProperties", "dependentSchemas"):
            return {str(name): self.node(each, depth + 1, inside) for name, each in _table(value).items()}
        if key in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, list):
            return [self.node(each, depth + 1, inside) for each in value]
        if key in ("items", "additionalProperties", "not", "contains") and isinstance(value, dict):
            return self.node(value, depth + 1, inside)
        return value


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
