"""The text of a command line before it is read: size, characters, line continuations, places.

Bash drops a backslash at the end of a line before it looks for words (`echo "$\\⏎(touch x)"` is a
substitution), but not inside '…' and not in a comment. Must not interpret anything else.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from hermes_tui.shell.trouble import Span, Trouble

LONGEST: Final = 16_384
"""Characters; a longer line is not read."""

_NEST: Final = 250
"""Opening brackets that may be open at once; more are not read."""

_ODD: Final = re.compile(r"[^\n\t\x20-\x7e]")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"})
_BRACKET: Final = re.compile(r"[({]|[)}]")
_PIECE: Final = re.compile(
    r"""\\\n | \\. | '[^']*' | \$'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | (?:(?<=[\s;&|()<>])|\A)\#[^\n]*""",
    re.VERBOSE | re.DOTALL,
)
_GLUE: Final = frozenset("$<>&|;!=#{(\\")
"""Characters that would become part of another operator when what follows them moves up to them."""


@dataclass(frozen=True, slots=True)
class Source:
    """A command line with its continuations joined, and the way back to the original."""

    text: str
    original: str
    cuts: tuple[int, ...] = ()
    """Places in `text` where a backslash and a newline were taken out, ascending."""

    def place(self, span: Span) -> Span:
        """Return where a span of `text` stands in the original."""
        start, end = span
        if not self.cuts:
            return span
        first = start + 2 * bisect_right(self.cuts, start)
        return (first, first) if end <= start else (first, end + 2 * bisect_right(self.cuts, end - 1))

    def word(self, span: Span) -> str:
        """Return the original characters of a span of `text`."""
        start, end = self.place(span)
        return self.original[start:end]


def read_source(line: str) -> tuple[Source, Trouble | None]:
    """Return the line to read, and the first thing in its bare text that rules out a verdict."""
    if len(line) > LONGEST:
        return Source(line, line), Trouble(
            "line.long", f"the line is longer than {LONGEST} characters", (0, 0)
        )
    source, split = _join(line) if "\\\n" in line else (Source(line, line), None)
    return source, _too_deep(source.text) or _hidden(source.text) or split


def _too_deep(line: str) -> Trouble | None:
    depth = 0
    for match in _BRACKET.finditer(line):
        depth = depth + 1 if match[0] in "({" else max(depth - 1, 0)
        if depth > _NEST:
            return Trouble("line.deep", "its brackets are nested too deeply to be read", match.span())
    return None


def _hidden(line: str) -> Trouble | None:
    """Control and invisible characters: what a person reads would not be what the shell runs."""
    for match in _ODD.finditer(line):
        if unicodedata.category(match[0]) in _HIDDEN:
            name = unicodedata.name(match[0], f"U+{ord(match[0]):04X}")
            return Trouble("line.character", f"an invisible character ({name}) stands here", match.span())
    return None


def _join(line: str) -> tuple[Source, Trouble | None]:
    pieces: list[str] = []
    cuts: list[int] = []
    length = last = 0
    trouble: Trouble | None = None
    for match in _PIECE.finditer(line):
        if "\\\n" not in match[0] or match[0][0] in "'#" or match[0].startswith("$'"):
            continue
        for at in _continuations(match):
            pieces.append(line[last:at])
            length += at - last
            last = at + 2
            cuts.append(length)
            if at and line[at - 1] in _GLUE and trouble is None:
                trouble = Trouble(
                    "line.continuation", "a line continuation splits an operator", (length, length)
                )
    pieces.append(line[last:])
    if cuts and "<<" in line and trouble is None:
        trouble = Trouble("line.continuation", "a line continuation near a here-document", (0, 0))
    return Source("".join(pieces), line, tuple(cuts)), trouble


def _continuations(match: re.Match[str]) -> list[int]:
    """Return where bash joins lines in one piece: a bare continuation, or those inside "…"."""
    if match[0] == "\\\n":
        return [match.start()]
    inner = re.finditer(r"\\\n|\\.", match[0], re.DOTALL)
    return [match.start() + found.start() for found in inner if found[0] == "\\\n"]
