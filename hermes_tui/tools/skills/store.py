"""Finds the skills: folders with a SKILL.md, whose head names and describes them. Runs nothing of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.state import Skill
from hermes_tui.files.open import read

FILE: Final = "SKILL.md"
MOST: Final = 500
"""Skills of one folder."""
DEEPEST: Final = 4
"""Folders between the skills' folder and a SKILL.md."""
LARGEST: Final = 1_000_000
"""Bytes of a SKILL.md."""


class SkillStore:
    """Implements `engine.state.Skills`; looks at the disk each time, so that a new skill is there at once."""

    def __init__(self, folders: Callable[[], Sequence[Path]]) -> None:
        """`folders` returns where skills lie now, the strongest last."""
        self._folders = folders

    def all(self) -> list[Skill]:
        """Return every skill by name."""
        found: dict[str, Skill] = {}
        for folder in self._folders():
            for skill in _below(folder):
                found[skill.name] = skill
        return sorted(found.values(), key=lambda skill: (skill.category, skill.name))


def _below(root: Path) -> Iterator[Skill]:
    """Return the skills of one folder; what lies inside a skill is its own."""
    heads: list[Path] = []
    level = [root]
    for _ in range(DEEPEST):
        below: list[Path] = []
        for folder in level:
            try:
                entries = sorted(entry for entry in folder.iterdir() if entry.is_dir())
            except OSError:
                continue
            for entry in entries:
                (heads if (entry / FILE).exists() else below).append(entry)
        level = below
    for folder in heads[:MOST]:
        category = "/".join(folder.relative_to(root).parts[:-1])
        yield _skill(folder, category)


def _skill(folder: Path, category: str) -> Skill:
    try:
        text = read(Path(os.path.realpath(folder / FILE)), LARGEST).decode("utf-8", "replace")
        head, body = split_head(text)
    except ToolError as error:
        return Skill(folder.name, "", category, folder, f"{FILE}: {error}")
    except ValueError as error:
        return Skill(folder.name, "", category, folder, f"{FILE}: {error}")
    name = str(head.get("name") or folder.name).strip()
    description = " ".join(str(head.get("description") or "").split())
    damage = ""
    if not description:
        damage = f"{FILE} has no description in its head"
    elif not body.strip():
        damage = f"{FILE} has a head and nothing below it"
    return Skill(name, description, category, folder, damage)


def split_head(text: str) -> tuple[dict[str, Any], str]:
    """Return (head, body) of a Markdown file; `ValueError` says what is wrong with the head.

    The head stands between two lines of `---` and is YAML; a file without one has an empty head.
    """
    import yaml

    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return {}, text
    head, found, body = text[4:].partition("\n---")
    if not found:
        raise ValueError("its head has no second line of ---")
    try:
        values = yaml.safe_load(head)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 2}" if mark is not None else ""
        raise ValueError(f"its head is no YAML{where}") from None
    except RecursionError:
        raise ValueError("its head is nested too deeply") from None
    if not isinstance(values, dict):
        raise ValueError("its head is no list of name: value")
    return {str(key): value for key, value in values.items()}, body.partition("\n")[2]
