"""Compares what read_file gave back. Every number comes from the results; what was not read is said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import Final

from hermes_tui.providers.rehearsal.phrases import Phrases, code, counted

NUMBERED: Final = re.compile(r" *(\d+)\|(.*)")
PARTLY: Final = re.compile(r"\[lines \d+-\d+ of (\d+)")
MOST_PAIRS: Final = 4
"""With more files than this each is compared with the first only."""


@dataclass(frozen=True, slots=True)
class FileText:
    """One file as far as a result of read_file shows it."""

    path: str
    lines: tuple[str, ...]
    total: int
    """Lines of the file; more than `lines` when it was read in part."""

    @property
    def characters(self) -> int:
        """Characters of the lines read, each with its line end."""
        return sum(len(line) + 1 for line in self.lines)


def read_result(path: str, content: str) -> FileText | None:
    """Return the file that a result shows; None when it shows none: an error, a refusal, no start."""
    if content.endswith("file is empty"):
        return FileText(path, (), 0)
    lines: list[str] = []
    total = 0
    for line in content.split("\n"):
        if match := NUMBERED.fullmatch(line):
            lines.append(match[2])
        elif match := PARTLY.match(line):
            total = int(match[1])
        elif not line.startswith("[") and not lines:
            return None
    return FileText(path, tuple(lines), max(total, len(lines))) if lines else None


def compare(files: Sequence[FileText], phrases: Phrases) -> list[str]:
    """Return the comparison as lines of Markdown."""
    told = [_size(each, phrases) for each in files]
    pairs = combinations(files, 2) if len(files) <= MOST_PAIRS else ((files[0], other) for other in files[1:])
    for one, other in pairs:
        told += _pair(one, other, phrases)
    return told


def _size(file: FileText, phrases: Phrases) -> str:
    lines = counted(file.total, phrases.line)
    characters = counted(file.characters, phrases.character)
    told = phrases.size.format(path=code(file.path), lines=lines, characters=characters)
    read = len(file.lines)
    return told if read == file.total else told + phrases.part.format(read=counted(read, phrases.line))


def _pair(one: FileText, other: FileText, phrases: Phrases) -> list[str]:
    names = {"one": code(one.path), "other": code(other.path)}
    if one.lines == other.lines:
        return [phrases.same.format(**names)]
    left, right = Counter(one.lines), Counter(other.lines)
    common = (left & right).total()
    told = phrases.differ.format(
        **names,
        common=counted(common, phrases.line),
        left=len(one.lines) - common,
        right=len(other.lines) - common,
    )
    number, first, second = next(
        (n, a, b) for n, (a, b) in enumerate(zip_longest(one.lines, other.lines), 1) if a != b
    )
    shown = [
        phrases.ends if line is None else code(line) if line.strip() else phrases.blank
        for line in (first, second)
    ]
    return [told, phrases.first.format(number=number, left=shown[0], right=shown[1])]
