"""What every tool is built on: typed arguments, their schema for the model, and the words of a footprint.

Knows no tool. A tool file derives from `TypedTool` and ends with `TOOL = ThatTool()`; nothing else has
to be told about it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.footprint import Access, Footprint, Hazard, Level, Subject
from hermes_tui.engine.messages import ToolSchema
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.files.paths import canonical, nearest

A = TypeVar("A", bound=msgspec.Struct)


class TypedTool(ABC, Generic[A]):
    """A tool whose arguments are one msgspec struct; implements `engine.protocols.Tool`.

    Fields of the struct carry `msgspec.Meta(description=…, examples=[…])`: the schema and the errors
    are made from them. A field that the model sends as null counts as not sent if it has a default.
    """

    name: str
    """The published name."""
    description: str
    """What the model is told: what it does, its limits, what to do instead."""
    Arguments: type[A]
    """The struct."""
    for_agents: bool = True
    """Whether sub-agents may use it: not one that asks the user, starts agents or keeps memories."""

    @abstractmethod
    def declare(self, args: A, folder: Path) -> Footprint:
        """Return what the call would touch now, from the arguments alone; `BadArguments` if it cannot."""

    @abstractmethod
    def act(self, args: A, call: Call) -> Result:
        """Do it."""

    def show(self, args: A, folder: Path) -> str:
        """Return the preview for a question: the exact command or a diff; empty for none."""
        return ""

    def missing(self) -> str | None:
        """Return why the tool cannot work here, or None."""
        return None

    @cached_property
    def schema(self) -> ToolSchema:
        """What the model is told."""
        return ToolSchema(self.name, self.description, parameters(self.Arguments))

    def footprint(self, arguments: Mapping[str, Any], folder: Path) -> Footprint:
        """Return what the call touches; `BadArguments` when they do not fit."""
        return self.declare(self.parse(arguments), folder)

    def preview(self, arguments: Mapping[str, Any], folder: Path) -> str:
        """Return what the question shows."""
        return self.show(self.parse(arguments), folder)

    def run(self, arguments: Mapping[str, Any], call: Call) -> Result:
        """Do it, with arguments as the model sent them."""
        return self.act(self.parse(arguments), call)

    def parse(self, arguments: Mapping[str, Any]) -> A:
        """Return the struct; `BadArguments` names the field, what fits, and an example."""
        properties: dict[str, Any] = dict(self.schema.parameters["properties"])
        required: list[str] = self.schema.parameters.get("required", [])
        sent = {key: value for key, value in arguments.items() if value is not None or key in required}
        sent |= _decoded(sent, properties)
        unknown = [key for key in sent if key not in properties]
        try:
            if unknown:
                raise msgspec.ValidationError(f"unknown argument {unknown[0]!r}")
            return msgspec.convert(sent, self.Arguments, strict=False)
        except msgspec.ValidationError as error:
            raise BadArguments(self._advice(str(error), properties, required)) from None

    def _advice(self, error: str, properties: Mapping[str, Any], required: Sequence[str]) -> str:
        """Return what is wrong with the arguments and how to send them right."""
        shown = [key for key in properties if key in required or f"$.{key}" in error]
        example = {key: _example(properties[key]) for key in shown or list(properties)[:1]}
        return (
            f"{self.name}: {_plainly(error)}. Arguments: {', '.join(properties) or 'none'}"
            f" (needed: {', '.join(required) or 'none'}). Example: {msgspec.json.encode(example).decode()}"
        )


# -- footprints ---------------------------------------------------------------------------------------


def path_subject(path: Path, access: Access, hazard: Hazard = Hazard.NONE, why: str = "") -> Subject:
    """Return a canonical path as the subject of a rule; "always" would store exactly this path."""
    return Subject("path", str(path), access, hazard, pattern=str(path), why=why)


def read_path(text: str, folder: Path) -> Subject:
    """Return a path argument that is read. Whether it lies outside the project is not judged here."""
    return path_subject(canonical(text, folder), Access.READ)


def write_path(text: str, folder: Path, hazard: Hazard = Hazard.NONE, why: str = "") -> Subject:
    """Return a path argument that is written, with what a person would want to be asked about."""
    return path_subject(canonical(text, folder), Access.WRITE, hazard, why)


def footprint_of(level: Level, subjects: Sequence[Subject], why: str = "") -> Footprint:
    """Return the footprint made of path subjects.

    What is read of a missing path is its nearest existing folder; the hazard is the worst of theirs.
    """
    reads = [str(nearest(Path(s.text))) for s in subjects if s.access is Access.READ]
    writes = [s.text for s in subjects if s.access is Access.WRITE]
    order = list(Hazard)
    worst = max((s.hazard for s in subjects), key=order.index, default=Hazard.NONE)
    return Footprint(
        level, tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(writes)), worst, tuple(subjects), why
    )


# -- schema -------------------------------------------------------------------------------------------


def parameters(arguments: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a struct's JSON Schema as every provider takes it: one object, no references, no null."""
    (schema,), definitions = msgspec.json.schema_components([arguments], ref_template="{name}")
    cleaned = _cleaned(schema, definitions)
    cleaned.pop("description", None)  # the struct's docstring: the tool has its own
    cleaned["additionalProperties"] = False
    return cleaned


def samples(parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return inputs made from a schema's own examples: what is required, then one more each, then all."""
    properties: Mapping[str, Any] = parameters.get("properties", {})
    required = parameters.get("required", ())
    told = [key for key, node in properties.items() if key in required or node.get("examples")]
    needed = [key for key in required if key in properties]
    chosen = [needed, *([*needed, key] for key in told if key not in needed), told]
    return [{key: _example(properties[key]) for key in keys} for keys in chosen]


def _cleaned(schema: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return one node with its references put in place; a struct that holds itself is a KeyError."""
    if "$ref" in schema:
        inner = {name: d for name, d in definitions.items() if name != schema["$ref"]}
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _cleaned(definitions[schema["$ref"]], inner) | rest
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            result[key] = {name: _cleaned(node, definitions) for name, node in value.items()}
        elif key == "items" and isinstance(value, dict):
            result[key] = _cleaned(value, definitions)
        elif key == "anyOf":
            choices = [_cleaned(node, definitions) for node in value if node != {"type": "null"}]
            result |= choices[0] if len(choices) == 1 else {key: choices}
        elif key != "title" and not (key == "default" and value is None):
            result[key] = value
    if "enum" in result and all(isinstance(value, str) for value in result["enum"]):
        result["type"] = "string"
    return result


def _decoded(sent: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lists and objects that were sent as JSON text, which some models do."""
    found: dict[str, Any] = {}
    for key, value in sent.items():
        if isinstance(value, str) and properties.get(key, {}).get("type") in ("array", "object"):
            with suppress(msgspec.DecodeError):
                found[key] = msgspec.json.decode(value)
    return found


def _example(node: Mapping[str, Any]) -> Any:
    """Return a value that fits a property: its first example, else one made from its type."""
    if node.get("examples"):
        return node["examples"][0]
    if node.get("enum"):
        return node["enum"][0]
    return {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}.get(
        node.get("type", ""), "…"
    )


def _plainly(error: str) -> str:
    """Return a validation error as a sentence: what is wrong first, then where."""
    text, _, where = error.partition(" - at `$")
    text = text.replace("`", "'")
    where = where.rstrip("`").lstrip(".")
    return f"{where}: {text[:1].lower()}{text[1:]}" if where else f"{text[:1].lower()}{text[1:]}"


__all__ = ["TypedTool", "footprint_of", "parameters", "path_subject", "read_path", "samples", "write_path"]
