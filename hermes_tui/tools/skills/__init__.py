"""skills_list and skill_view: instructions that the user keeps for kinds of work. They only read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import ANYTHING, Footprint, Level
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Skill, Skills
from hermes_tui.files.encoding import binary_kind
from hermes_tui.files.names import printable
from hermes_tui.files.open import read
from hermes_tui.tools.base import TypedTool
from hermes_tui.tools.skills.store import FILE

LARGEST: Final = 200_000
"""Bytes of one file of a skill."""

READS: Final = Footprint(Level.SAFE, reads=(ANYTHING,))
"""Where the skills lie is not in the arguments, so a write beside it counts as a conflict."""


class ListArguments(msgspec.Struct):
    """What skills_list takes."""

    category: Annotated[
        str, msgspec.Meta(description="Only this category; empty: all.", examples=["writing"])
    ] = ""


class ViewArguments(msgspec.Struct):
    """What skill_view takes."""

    name: Annotated[str, msgspec.Meta(description="As skills_list names it.", examples=["release-notes"])]
    file_path: Annotated[
        str,
        msgspec.Meta(
            description="A file of the skill, relative to its folder; empty: its SKILL.md.",
            examples=["references/style.md"],
        ),
    ] = ""


class SkillsList(TypedTool[ListArguments]):
    """Lists what there is."""

    name = "skills_list"
    description = (
        "List the skills the user keeps: instructions for kinds of work, each with a line on when to use it. "
        "Look here before a task that is not everyday; then read the one that fits with skill_view."
    )
    Arguments = ListArguments

    def declare(self, args: ListArguments, folder: Path) -> Footprint:
        """Return that it only reads."""
        return READS

    def act(self, args: ListArguments, call: Call) -> Result:
        """Return name, category and description of each; a damaged one says what is wrong with it."""
        wanted = args.category.strip().strip("/").casefold()
        skills = call.state(Skills).all()
        chosen = [s for s in skills if not wanted or s.category.casefold() == wanted]
        if chosen:
            return Result("\n".join(map(_line, chosen)), display=f"{len(chosen)} skills")
        if not skills:
            return Result("there are no skills here", display="none")
        categories = ", ".join(sorted({skill.category or "(none)" for skill in skills}))
        return Result(f"no skill in the category {wanted!r}; there are: {categories}", "none", ok=False)


class SkillView(TypedTool[ViewArguments]):
    """Reads one file of a skill."""

    name = "skill_view"
    description = (
        "Read a skill's instructions, or another file of it that they name. Follow them as the user's own."
    )
    Arguments = ViewArguments

    def declare(self, args: ViewArguments, folder: Path) -> Footprint:
        """Return that it only reads."""
        return READS

    def act(self, args: ViewArguments, call: Call) -> Result:
        """Return the file's text, and for SKILL.md the names of the other files."""
        skill = find(call.state(Skills).all(), args.name)
        relative = args.file_path.strip() or FILE
        text = text_of(skill, relative)
        others = files_of(skill) if relative == FILE else []
        listed = "\n\nOther files: " + ", ".join(others) if others else ""
        return Result(f"{text.rstrip()}{listed}", display=f"{len(text.splitlines())} lines")


def find(skills: Sequence[Skill], name: str) -> Skill:
    """Return the skill of this name; `ToolError` names those there are, or what is wrong with it."""
    wanted = name.strip()
    skill = next((s for s in skills if s.name == wanted), None)
    skill = skill or next((s for s in skills if s.name.casefold() == wanted.casefold()), None)
    if skill is None:
        known = ", ".join(s.name for s in skills if not s.damage) or "none"
        raise ToolError(f"no skill {wanted!r}; there are: {known}")
    if skill.damage:
        raise ToolError(f"the skill {skill.name} is damaged: {skill.damage}")
    return skill


def text_of(skill: Skill, relative: str) -> str:
    """Return one text file of a skill; nothing outside its folder is read, also not through a link."""
    root = skill.folder.resolve()
    path = (root / relative).resolve()
    if not path.is_relative_to(root) or path == root:
        raise BadArguments(f"skill_view: {relative} is not inside the skill; it has {_names(skill)}")
    if not path.is_file():
        raise ToolError(f"the skill {skill.name} has no file {relative}; it has {_names(skill)}")
    data = read(path, LARGEST)
    if kind := binary_kind(data[:4096]):
        raise ToolError(f"{relative} is {kind}, not text; use it by its path {path}")
    return data.decode("utf-8", "replace")


def files_of(skill: Skill) -> list[str]:
    """Return its other files, relative, at most 100; links that lead out are left out."""
    root = skill.folder.resolve()
    found = (path for path in sorted(skill.folder.rglob("*")) if path.is_file() and path.name != FILE)
    inside = [path for path in found if path.resolve().is_relative_to(root)]
    return [printable(str(path.relative_to(skill.folder))) for path in inside[:100]]


def _names(skill: Skill) -> str:
    return ", ".join([FILE, *files_of(skill)])


def _line(skill: Skill) -> str:
    label = f"{skill.category}/{skill.name}" if skill.category else skill.name
    return f"{label}: {skill.description}" if not skill.damage else f"{label}: damaged: {skill.damage}"


TOOLS = [SkillsList(), SkillView()]
