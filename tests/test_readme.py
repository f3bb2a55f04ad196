"""README's tables name every key and every slash command there is, and no others."""

from __future__ import annotations

import re
from pathlib import Path

from hermes_tui.commands.registry import load
from hermes_tui.config.keymap import ACTIONS, split

README = (Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")


def part(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def written(key: str) -> str:
    """Return a key as README writes it: Ctrl+T, F1, PgUp, `k`."""
    if len(key) == 1:
        return f"`{key}`"
    names = {"pageup": "PgUp", "pagedown": "PgDn"}
    return names.get(key) or "+".join(piece.capitalize() for piece in key.split("+"))


def test_every_action_has_its_key_in_the_table() -> None:
    keys = part("Keys")
    first = {name: written(split(bound.keys)[0]) for name, bound in ACTIONS.items()}
    assert {name: key for name, key in first.items() if key not in keys} == {}


def test_the_keys_in_the_table_are_bound() -> None:
    known = {written(key) for bound in ACTIONS.values() for key in split(bound.keys)} | {"Ctrl+J"}
    assert set(re.findall(r"\bCtrl\+\w+", part("Keys"))) <= known


def test_the_slash_commands_are_those_of_the_registry() -> None:
    named = re.findall(r"`/(\w+)`", part("Slash commands"))
    assert sorted(named) == sorted(name for name, _ in load().names())
