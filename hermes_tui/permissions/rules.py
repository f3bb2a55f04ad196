"""Permission rules: `tool(pattern)`, `tool` or `*`. Says what a rule matches, not what follows from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.config.settings import RULE_FORM
from hermes_tui.engine.errors import ConfigError
from hermes_tui.engine.footprint import Subject
from hermes_tui.permissions.wildcards import path_matches, text_regex

FORM = re.compile(RULE_FORM)
LIVE = re.compile(r"[$`<>\n\r]")
"""In a command's text: something that the shell would still turn into other words or files."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. Without a pattern it matches every use of the tool."""

    tool: str
    """A tool's name, or `*` for any."""
    pattern: str | None = None
    """For a command: words, `*` for any text, a last ` *` also for nothing. For a path: as in .gitignore,
    relative to the project, absolute or from `~`. For a URL: text with `*`."""

    def __str__(self) -> str:
        return self.tool if self.pattern is None else f"{self.tool}({self.pattern})"

    def matches(self, tool: str, subject: Subject | None, project: Path | None, home: Path) -> bool:
        """Whether the rule speaks of this subject of a call of `tool` (None: of the call as a whole)."""
        if self.tool not in ("*", tool):
            return False
        if self.pattern is None:
            return True
        if subject is None:
            return False
        if subject.kind == "path":
            return path_matches(anchored(self.pattern, project, home), subject.text)
        if self.pattern == subject.text:
            return True
        if subject.kind == "command" and LIVE.search(subject.text):
            return False
        return text_regex(self.pattern, subject.kind == "command").fullmatch(subject.text) is not None


def parse_rule(text: str) -> Rule:
    """Return the rule; `ConfigError` when the text is none."""
    match = FORM.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"[permissions]: {text!r} is no rule; write tool(pattern), for example terminal(git commit *)"
        )
    return Rule(match["tool"], match["pattern"])


def anchored(pattern: str, project: Path | None, home: Path) -> str:
    """Return a path pattern as an absolute one; a relative one matches nothing without a project."""
    if pattern == "~" or pattern.startswith("~/"):
        return f"{home}{pattern[1:]}"
    if pattern.startswith("/"):
        return pattern
    return f"{project}/{pattern.removeprefix('./')}"


def has_wildcard(text: str) -> bool:
    """Whether a pattern of this text would match more than the text."""
    return any(character in text for character in "*?\\")


def literal(text: str) -> str:
    """Return the pattern that matches exactly this text."""
    return re.sub(r"([*?\\])", r"\\\1", text)
