"""Replaces one text by another in a file's text: exactly, once, and nothing else.

Works on text only; opens and writes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from hermes_tui.engine.errors import ToolError
from hermes_tui.tools.patch.explain import why_not_found
from hermes_tui.tools.patch.lines import (
    Line,
    blanks_apart,
    end_near,
    find,
    indentations,
    indented,
    join,
    split,
)

_ANY_END: Final = r"(?:\r\n|(?<!\r)\n|\r(?!\n))"
"""A whole line end of any kind, never half of one."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new text, and what the model is told of how it was made."""

    text: str
    at: tuple[int, ...]
    """Line numbers, from 1, of the places."""
    note: str = ""
    """What was not exact about the match; empty for an exact one."""


def replaced(text: str, old: str, new: str, everywhere: bool) -> Replaced:
    """Return `text` with `old` replaced by `new`, once or everywhere.

    `\\n` in `old` matches the file's line end, whichever it is; what is put in takes the line ends found
    there. Raises `ToolError` for no match, for several without `everywhere`, and for nothing to do.
    """
    if not old:
        raise ToolError(
            "old_string is empty, which is found everywhere: send the text to replace. To add to a file, "
            "send the line before it as old_string; to fill a new file, write it whole"
        )
    if old == new:
        raise ToolError("old_string and new_string are equal: there is nothing to change")
    old, new = _plain_ends(old), _plain_ends(new)
    pattern = re.compile(_ANY_END.join(re.escape(part) for part in old.split("\n")))
    spans = [match.span() for match in pattern.finditer(text)]
    if not spans:
        return _inexact(text, old, new)
    again = pattern.search(text, spans[0][0] + 1)
    if again and not everywhere:
        starts = [start for start, _ in spans] if len(spans) > 1 else [spans[0][0], again.start()]
        raise ToolError(_several([_line_number(text, start) for start in starts]))
    return Replaced(_spliced(text, spans, old, new), tuple(_line_number(text, start) for start, _ in spans))


def _spliced(text: str, spans: list[tuple[int, int]], old: str, new: str) -> str:
    """Return the text with every span changed from `old` to `new`."""
    pieces: list[str] = []
    done = 0
    for start, stop in spans:
        pieces += [text[done:start], _changed(text[start:stop], old, new, _local_end(text, start))]
        done = stop
    return "".join([*pieces, text[done:]])


def _changed(found: str, old: str, new: str, local_end: str) -> str:
    """Return the matched text, `found`, with the lines that differ between `old` and `new` exchanged.

    Lines that both have stay as they are in the file, line ends included.
    """
    ends = re.findall(r"\r\n|\n|\r", found) if "\n" in old else []
    have = re.split(r"\r\n|\n|\r", found) if "\n" in old else [found]
    sent, wanted = old.split("\n"), new.split("\n")
    parts = [part + end for part, end in zip(have, [*ends, ""], strict=True)]
    if len(wanted) == 1 or len(sent) != len(have):
        return local_end.join(wanted)
    fallback = ends[0] if ends else local_end
    result: list[str] = []
    matcher = SequenceMatcher(None, _ended(sent), _ended(wanted), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            result += parts[i1:i2]
            continue
        for offset, line in enumerate(wanted[j1:j2]):
            own = ends[i1 + offset] if i1 + offset < min(i2, len(ends)) else fallback
            result.append(line if j1 + offset == len(wanted) - 1 else line + own)
    return "".join(result)


def _ended(lines: list[str]) -> list[tuple[str, bool]]:
    """Return lines with whether a line end follows: a last line is never equal to one in the middle."""
    return [(line, index < len(lines) - 1) for index, line in enumerate(lines)]


def _inexact(text: str, old: str, new: str) -> Replaced:
    """Replace whole lines that differ from `old` in blanks only, if there is exactly one such place."""
    lines = split(text)
    sent = old.removesuffix("\n").split("\n")
    wanted = [blanks_apart(line) for line in sent]
    places = find([blanks_apart(line.text) for line in lines], wanted) if any(wanted) else []
    if len(places) != 1:
        raise ToolError(why_not_found(text, old, "old_string"))
    start = places[0]
    stop = start + len(sent)
    have = [line.text for line in lines[start:stop]]
    made = new.removesuffix("\n").split("\n") if new else []
    pairs = indentations(have, sent)
    middle: list[Line] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, sent, made, autojunk=False).get_opcodes():
        if tag == "equal":
            middle += lines[start + i1 : start + i2]
        else:
            end = end_near(lines, start + i1 + 1)
            middle += [Line(indented(line, pairs), end) for line in made[j1:j2]]
    if middle and stop == len(lines):
        middle[-1] = Line(middle[-1].text, lines[-1].end)
    note = f"old_string matched lines {start + 1}-{stop} only when blanks do not count; check the result"
    return Replaced(join([*lines[:start], *middle, *lines[stop:]]), (start + 1,), note)


def _plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n")


def _local_end(text: str, start: int) -> str:
    """Return the line end of the line around `start`, else of the one before, else `\\n`."""
    stop = text.find("\n", start)
    if stop < 0:
        stop = text.rfind("\n", 0, start)
    return "\r\n" if stop > 0 and text[stop - 1] == "\r" else "\n"


def _line_number(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _several(numbers: list[int]) -> str:
    """Return the refusal for a text that stands in several places."""
    shown = ", ".join(map(str, numbers[:10])) + (", …" if len(numbers) > 10 else "")
    return (
        f"old_string is found {len(numbers)} times (lines {shown}); nothing was changed. Send more of the "
        "lines around it so that it is unique, or replace_all=true to change every one"
    )
