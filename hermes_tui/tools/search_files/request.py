"""What one search looks for, and what an engine finds. Knows neither ripgrep nor the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token

MAX_LINE = 400
"""Characters of one line that are shown."""
_BEFORE = 120
"""Characters shown before the match of a line that is too long."""


@dataclass(frozen=True, slots=True)
class Request:
    """One search."""

    root: Path
    """Canonical, existing; a file or a folder."""
    pattern: str = ""
    """Empty when only names are asked for."""
    glob: str | None = None
    context: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file that has a match, or of its context."""

    number: int
    """From 1."""
    text: str
    matches: bool


@dataclass(slots=True)
class FileHits:
    """What was found in one file."""

    path: str
    """Relative to the root; the root's name if that is a file."""
    lines: list[Line] = field(default_factory=list)
    """The first matching lines, with their context; see `kept`."""
    count: int = 0
    """How many lines match, also those that are not kept."""


class BadPattern(ToolError):
    """A pattern that does not compile; the text is the reason alone."""


class Engine(Protocol):
    """Searches. Files come in the order of their paths, components compared one by one."""

    unreadable: int
    """How many files and folders could not be read, filled while searching."""

    def content(self, request: Request, keep: int, token: Token) -> Iterator[FileHits]:
        """Yield each file with a match, `keep` matching lines of it at most. May raise `BadPattern`."""

    def names(self, request: Request, token: Token) -> Iterator[str]:
        """Yield the path of each file below the root."""


def shown(data: bytes, start: int) -> str:
    """Return a line for the model: no line end, no undecodable bytes, clipped around byte `start`."""
    data = data.removesuffix(b"\n").removesuffix(b"\r")
    text = data.decode("utf-8", "replace")
    if len(text) <= MAX_LINE:
        return text
    first = max(0, len(data[:start].decode("utf-8", "replace")) - _BEFORE)
    first = min(first, len(text) - MAX_LINE)
    last = first + MAX_LINE
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"
