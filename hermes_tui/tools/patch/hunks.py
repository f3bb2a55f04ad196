"""Applies the hunks of one file to its text: each where it fits, in exactly one place.

Lines that a hunk keeps stay the file's own bytes. Works on text only; opens and writes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hermes_tui.engine.errors import ToolError
from hermes_tui.tools.patch.explain import why_not_found
from hermes_tui.tools.patch.grammar import Hunk
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a hunk goes: the lines [start, stop) of the old text, and what is not exact about it."""

    start: int
    stop: int
    hunk: Hunk
    indents: dict[str, str] = field(default_factory=dict)
    """Which indentation of the file stands for which one sent, when they differ."""
    note: str = ""


def applied(text: str, hunks: list[Hunk]) -> tuple[str, list[str]]:
    """Return the changed text, and notes for the model; `ToolError` if a hunk fits nowhere or twice."""
    lines = split(text)
    places: list[_Place] = []
    for number, hunk in enumerate(hunks, start=1):
        name = f"hunk {number}" if len(hunks) > 1 else "the hunk"
        places.append(_placed(lines, hunk, places, name))
    result: list[Line] = []
    done = 0
    for place in sorted(places, key=lambda place: (place.start, place.stop)):
        result += lines[done : place.start]
        result += _changed(lines, place)
        done = place.stop
    result += lines[done:]
    return join(_with_last_end(result, lines)), [place.note for place in places if place.note]


def _placed(lines: list[Line], hunk: Hunk, earlier: list[_Place], name: str) -> _Place:
    """Return where one hunk goes: behind the earlier ones if it fits there, else where it fits at all."""
    wanted = hunk.before
    cursor = max((place.stop for place in earlier), default=0)
    if not wanted:
        at = _insertion(lines, hunk, cursor, name)
        return _Place(at, at, hunk)
    texts = [line.text for line in lines]
    places = _free(find(texts, wanted), hunk, earlier, len(lines))
    if places:
        start = _chosen(texts, hunk, places, cursor, name)
        return _Place(start, start + len(wanted), hunk)
    plain = [blanks_apart(line) for line in wanted]
    places = _free(find([blanks_apart(text) for text in texts], plain), hunk, earlier, len(lines))
    if len(places) != 1 or not any(plain):
        ending = " at the end of the file" if hunk.at_end else ""
        raise ToolError(why_not_found(join(lines), "\n".join(wanted), name + ending))
    start = places[0]
    stop = start + len(wanted)
    note = f"{name} matched lines {start + 1}-{stop} only when blanks do not count; check the result"
    return _Place(start, stop, hunk, indentations(texts[start:stop], wanted), note)


def _free(places: list[int], hunk: Hunk, earlier: list[_Place], total: int) -> list[int]:
    """Return those places that no earlier hunk has taken, and that lie at the end if the hunk says so."""
    size = len(hunk.before)
    return [
        start
        for start in places
        if (not hunk.at_end or start + size == total)
        and not any(start < other.stop and other.start < start + size for other in earlier)
    ]


def _chosen(texts: list[str], hunk: Hunk, places: list[int], cursor: int, name: str) -> int:
    """Return the one place that is meant: the only one, or the first one below its `@@` lines."""
    behind = [start for start in places if start >= cursor] or places
    if len(behind) == 1:
        return behind[0]
    anchor = _anchor(texts, hunk.anchors, cursor)
    below = [start for start in behind if anchor is not None and start >= anchor]
    if below:
        return below[0]
    shown = ", ".join(str(start + 1) for start in behind[:10])
    raise ToolError(
        f"{name} fits {len(behind)} places (lines {shown}); nothing was changed. Put a line before it that "
        "is unique, as `@@ def name():`, or send more of the lines around it"
    )


def _anchor(texts: list[str], anchors: list[str], cursor: int) -> int | None:
    """Return the index of the last `@@` line, each looked for below the one before; None if not certain."""
    if not anchors:
        return None
    start = cursor
    for depth, anchor in enumerate(anchors):
        found = [index for index in range(start, len(texts)) if texts[index].strip() == anchor.strip()]
        if not found:
            found = [index for index in range(start, len(texts)) if anchor.strip() in texts[index]]
        if not found or (depth == 0 and len(found) > 1):
            return None
        start = found[0]
    return start


def _insertion(lines: list[Line], hunk: Hunk, cursor: int, name: str) -> int:
    """Return where a hunk goes that only adds: below its `@@` line, else at the end of the file."""
    if hunk.at_end or not hunk.anchors:
        return len(lines)
    anchor = _anchor([line.text for line in lines], hunk.anchors, cursor)
    if anchor is None:
        raise ToolError(
            f"{name} only adds lines, and its line `@@ {hunk.anchors[-1]}` is not found exactly once; "
            "nothing was changed. Send the lines around it as context, with a blank in front"
        )
    return anchor + 1


def _changed(lines: list[Line], place: _Place) -> list[Line]:
    """Return the lines that stand in a place afterwards."""
    result: list[Line] = []
    at = place.start
    for sign, text in place.hunk.lines:
        if sign == "+":
            result.append(Line(indented(text, place.indents), end_near(lines, at)))
            continue
        if sign == " ":
            result.append(lines[at])
        at += 1
    return result


def _with_last_end(result: list[Line], before: list[Line]) -> list[Line]:
    """Return the lines so that only the last one may lack its line end, and lacks it if it did before."""
    ended = [line if line.end else Line(line.text, end_near(before, len(before))) for line in result[:-1]]
    if not result:
        return []
    last = result[-1]
    if before and not before[-1].end:
        return [*ended, Line(last.text, "")]
    return [*ended, last if last.end else Line(last.text)]
