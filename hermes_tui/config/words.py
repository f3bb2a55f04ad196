"""What is wrong with a setting, in plain words: the validator's own are about types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args, get_origin, get_type_hints

from hermes_tui.config.settings import FORMS, Settings

WANTED: Final = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false, without quotes",
    "str": 'text, in "quotes"',
    "array": "a list, in [brackets]",
    "object": "a table",
}
GOT: Final = {
    "int": "a number",
    "float": "a number with a point",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
LIMITS: Final = {">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}

_TYPES: Final = r"`(?P<wanted>[a-z |]+)`"
_EXPECTED: Final = re.compile(
    rf"Expected {_TYPES}(?: (?P<limit>[<>]=?) (?P<bound>[-\d.]+))?(?:, got `(?P<got>\w+)`)?$"
)


def explain(message: str, key: str) -> tuple[str, str]:
    """Turn the validator's words into (dotted key, what is wrong); `key` is the top-level one."""
    match = re.match(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?$", message, re.DOTALL)
    assert match is not None
    what, where = match["what"], re.sub(r"\[(?:\.\.\.|\d+)\]", "", match["where"] or key)
    if unknown := re.match(r"Object contains unknown field `(.*)`", what):
        return f"{where}.{unknown[1]}", "unknown key"
    if missing := re.match(r"Object missing required field `(.*)`", what):
        return f"{where}.{missing[1]}", "is missing"
    if bad := re.match(r"Invalid enum value (.*)", what):
        *others, last = _choices(where)
        return where, f"must be {', '.join(map(repr, others))} or {last!r}, not {bad[1]}".replace("'", '"')
    for form, words in FORMS.items():
        if form in what or repr(form) in what:
            return where, f"must be {words}"
    if expected := _EXPECTED.match(what):
        return where, _must_be(expected)
    return where, what[0].lower() + what[1:].replace("`", "'")


def _must_be(expected: re.Match[str]) -> str:
    kinds = [kind.strip() for kind in expected["wanted"].split("|")]
    wanted = " or ".join(WANTED.get(kind, kind) for kind in kinds if kind != "null")  # TOML has none
    bound = expected["bound"]
    if bound is not None:
        number = bound.removesuffix(".0")
        return f"must be {wanted} of {LIMITS[expected['limit']]} {number}"
    return f"must be {wanted}" + (
        f", not {GOT.get(expected['got'], expected['got'])}" if expected["got"] else ""
    )


def _choices(where: str) -> tuple[str, ...]:
    """Return the words that a setting may be, found by its dotted name."""
    kind: Any = Settings
    for name in where.split("."):
        kind = get_args(kind)[1] if get_origin(kind) in (dict, Mapping) else get_type_hints(kind)[name]
    return get_args(kind)
