"""Permission rules: `tool(pattern)`, `tool` or `*`. Says what a rule matches, not what follows from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hermes_tui.config.settings import RULE_FORM
from hermes_tui.engine.errors import ConfigError
from hermes_tui.engine.footprint import Subject

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
            return path_regex(anchored(self.pattern, project, home)).fullmatch(subject.text) is not None
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


PATH_PIECES = {
    "/**/": "/(?:.*/)?",
    "/**": "(?:/.*)?",
    "/": "(?:/.*)?",
    "**": ".*",
    "*": "[^/]*",
    "?": "[^/]",
}


@lru_cache(maxsize=512)
def path_regex(pattern: str) -> re.Pattern[str]:
    """`*` and `?` stay within a folder, `**` does not, a final `/` or `/**` means everything below."""
    pieces = re.split(r"(\\.|/\*\*/|/\*\*$|/$|\*\*|\*|\?)", pattern, flags=re.DOTALL)
    return re.compile(
        "".join(PATH_PIECES.get(piece) or re.escape(unescaped(piece)) for piece in pieces), re.DOTALL
    )


@lru_cache(maxsize=512)
def text_regex(pattern: str, words: bool) -> re.Pattern[str]:
    """`*` is any text; with `words`, a last ` *` also matches nothing."""
    tail = ""
    if words and pattern.endswith(" *"):
        pattern, tail = pattern[:-2], "(?: .*)?"
    pieces = re.split(r"(\\.|\*)", pattern, flags=re.DOTALL)
    body = "".join(".*" if piece == "*" else re.escape(unescaped(piece)) for piece in pieces)
    return re.compile(body + tail, re.DOTALL)


def unescaped(piece: str) -> str:
    """Return what a piece of a pattern stands for: a backslash takes the next character literally."""
    return piece[1:] if len(piece) == 2 and piece[0] == "\\" else piece
