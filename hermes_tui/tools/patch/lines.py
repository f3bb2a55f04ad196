"""A text as lines that remember their own line ends, so that a change leaves every other byte alone.

A line ends at `\\n` or `\\r\\n`. A lone `\\r`, U+2028 or a form feed is a character like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LINE: Final = re.compile(r"([^\n]*?)(\r?\n)|([^\n]+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its text, and its line end ("" for a last line without one)."""

    text: str
    end: str = "\n"


def split(text: str) -> list[Line]:
    """Return the lines of `text`; joined again they are `text`."""
    return [Line(match[3] or match[1] or "", match[2] or "") for match in _LINE.finditer(text)]


def join(lines: list[Line]) -> str:
    """Return the text that the lines make."""
    return "".join(line.text + line.end for line in lines)


def end_near(lines: list[Line], index: int) -> str:
    """Return the line end that a line put at `index` takes: that of its neighbour before, else after."""
    for line in (*reversed(lines[max(0, index - 2) : index]), *lines[index : index + 2]):
        if line.end:
            return line.end
    return "\n"


def blanks_apart(text: str) -> str:
    """Return a line as it is compared when blanks do not count: outer ones gone, inner runs one.

    Only the ASCII ones: a no-break space is another character, and the model has to know.
    """
    return re.sub(r"[ \t\r\f\v]+", " ", text.strip(" \t\r\f\v"))


def find(lines: list[str], wanted: list[str]) -> list[int]:
    """Return every index at which the run `wanted` stands in `lines`."""
    first, size = wanted[0], len(wanted)
    return [
        index
        for index in range(len(lines) - size + 1)
        if lines[index] == first and lines[index : index + size] == wanted
    ]


def indentations(found: list[str], sent: list[str]) -> dict[str, str]:
    """Return which indentation of the lines `sent` stands for which of those found; {} if they disagree."""
    pairs: dict[str, str] = {}
    for have, want in zip(found, sent, strict=True):
        if want.strip() and pairs.setdefault(_indent(want), _indent(have)) != _indent(have):
            return {}
    return pairs


def indented(line: str, pairs: dict[str, str]) -> str:
    """Return a new line with the file's indentation instead of the one it was sent with."""
    if not line.strip():
        return line
    known = [sent for sent in pairs if _indent(line).startswith(sent)]
    if not known:
        return line
    longest = max(known, key=len)
    return pairs[longest] + line[len(longest) :]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
