"""Says why a text is not in a file: the closest lines, and the first character that differs.

Bounded in time for any file. Changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from hermes_tui.tools.patch.lines import blanks_apart

_MOST: Final = 20_000
"""Lines that are compared one by one when no line is equal."""
_SHOWN: Final = 8
_WIDTH: Final = 200

_LOOKALIKES: Final = str.maketrans(
    dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " ")
    | dict.fromkeys("\u2018\u2019\u201b\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201f\u2033", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", "")
)


def why_not_found(text: str, wanted: str, what: str) -> str:
    """Return the refusal of an edit whose `wanted` text (named `what`) is not in `text`."""
    if not text:
        return f"{what} was not found: the file is empty"
    hints = [f"{what} was not found in the file; nothing was changed"]
    sent = wanted.removesuffix("\n").split("\n")
    if all(re.match(r"\s*\d+\|", line) for line in sent):
        hints.append("Leave out the line numbers and bars that read_file puts in front")
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    start = _closest(lines, sent)
    if start is None:
        return ". ".join(hints) + ". Read the file again and copy the text from there"
    near = lines[start : start + len(sent)]
    difference = _first_difference(near, sent)
    if difference:
        index, detail = difference
        hints.append(f"Closest is line {start + 1 + index}: {detail}")
    shown = [f"{start + 1 + index:6}|{line[:_WIDTH]}" for index, line in enumerate(near[:_SHOWN])]
    return ". ".join(hints) + ". The closest lines are:\n" + _printable("\n".join(shown))


def _closest(lines: list[str], sent: list[str]) -> int | None:
    """Return the index in `lines` where `sent` fits best, or None if nothing is like it."""
    have = [_folded(line) for line in lines]
    places: dict[str, list[int]] = {}
    for index, line in enumerate(have):
        places.setdefault(line, []).append(index)
    votes: Counter[int] = Counter()
    for offset, line in enumerate(map(_folded, sent)):
        for index in places.get(line, [])[:50] if line else []:
            votes[max(0, index - offset)] += 1
    if votes:
        return min(votes, key=lambda start: (-votes[start], start))
    longest = max(range(len(sent)), key=lambda offset: len(sent[offset]))
    best = _most_alike(have[:_MOST], _folded(sent[longest]))
    return None if best is None else max(0, best - longest)


def _most_alike(lines: list[str], wanted: str) -> int | None:
    """Return the index of the line most like `wanted`, if any is at least half like it."""
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted[:_WIDTH])
    best, best_ratio = None, 0.5
    for index, line in enumerate(lines):
        matcher.set_seq1(line[:_WIDTH])
        if matcher.real_quick_ratio() > best_ratio and matcher.quick_ratio() > best_ratio:
            ratio = matcher.ratio()
            if ratio > best_ratio:
                best, best_ratio = index, ratio
    return best


def _folded(line: str) -> str:
    """Return a line as it is compared when only its look counts."""
    return blanks_apart(unicodedata.normalize("NFC", line).translate(_LOOKALIKES))


def _first_difference(found: list[str], sent: list[str]) -> tuple[int, str] | None:
    """Return the first line that differs in more than blanks, and how: by code point if it looks alike."""
    blanks: int | None = None
    for index, (have, want) in enumerate(zip_longest(found, sent)):
        if have == want:
            continue
        if have is None:
            return index, "the file ends before it"
        if blanks_apart(have) == blanks_apart(want):
            blanks = index if blanks is None else blanks
            continue
        alike = _folded(have) == _folded(want)
        pairs = enumerate(zip(have, want, strict=False))
        column = next((i for i, (a, b) in pairs if a != b), min(len(have), len(want)))
        if alike:
            return index, f"column {column + 1} is {_named(have, column)}, you sent {_named(want, column)}"
        return index, f"it differs from column {column + 1} on"
    return None if blanks is None else (blanks, "only blanks differ, but that fits more than one place")


def _named(line: str, column: int) -> str:
    """Return the code point at a column by number and name; with a combining mark that follows."""
    if column >= len(line):
        return "the end of the line"
    length = 2 if column + 1 < len(line) and unicodedata.combining(line[column + 1]) else 1
    return " + ".join(
        f"U+{ord(character):04X} {unicodedata.name(character, 'control character')}"
        for character in line[column : column + length]
    )


def _printable(text: str) -> str:
    """Return text without half surrogate pairs: undecodable bytes as U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
