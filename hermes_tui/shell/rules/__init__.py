"""The table of commands that are known to be safe, and what the others are known to do. Data, mostly."""

from __future__ import annotations

from typing import Final

from hermes_tui.shell.rules import files, git, scripts, search, system, text, versions
from hermes_tui.shell.rules.base import Check, Rule

RULES: Final[dict[str, Check]] = {
    **versions.TABLE,
    **text.TABLE,
    **files.TABLE,
    **system.TABLE,
    **search.TABLE,
    **scripts.TABLE,
    **git.TABLE,
}
"""Each command that can be read-only, by its name alone: a command with a path in its name is another one."""


_TAME: Final = frozenset({"echo", "ls", "dir", "vdir"})
"""Commands judged by a function that no argument at all can make write or run something."""


def is_tame(name: str) -> bool:
    """Whether no argument at all can make the command write or run something."""
    rule = RULES[name]
    return name in _TAME or (isinstance(rule, Rule) and rule.tame)
