"""What changed between two contents: a unified diff for a preview, and the counts for a receipt.

Bounded in time and size: difflib takes minutes on large files that have little in common, so what is
too large is shown as one block replaced by another.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Final, Literal

_LIMIT: Final = 3000
"""Lines, after equal beginnings and ends are cut off, up to which lines are paired."""
_THOROUGH: Final = 500
"""Lines up to which difflib looks at frequent lines too, which costs time but pairs better."""
_CONTEXT: Final = 3

_Code = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]


def unified(before: str | None, after: str | None, name: str, limit: int = 400) -> str:
    """Return a unified diff of at most about `limit` lines; empty when nothing changed. None: no such file.

    Lines end at `\\n` only. A carriage return is shown as `␍` inside a line, and at its end where the two
    texts have different line ends.
    """
    if before == after:
        return ""
    old, new = _lines(before or ""), _lines(after or "")
    differ = before is not None and after is not None and _line_ends(before) != _line_ends(after)
    head = [
        f"--- {'/dev/null' if before is None else name}",
        f"+++ {'/dev/null' if after is None else name}",
    ]
    groups = _Bounded(old, new).get_grouped_opcodes(_CONTEXT)
    body = [_shown(line, differ) for group in groups for line in _hunk(group, old, new)]
    if len(body) > limit:
        body[limit:] = [f"… {len(body) - limit} more lines of the diff"]
    return "\n".join(head + body) + "\n"


def counts(before: str | None, after: str | None) -> tuple[int, int]:
    """Return how many lines were added and removed; for large changes an upper bound."""
    added = removed = 0
    for tag, i1, i2, j1, j2 in _Bounded(_lines(before or ""), _lines(after or "")).get_opcodes():
        if tag != "equal":
            removed += i2 - i1
            added += j2 - j1
    return added, removed


def summary(before: str | None, after: str | None) -> str:
    """Return the counts as a receipt shows them: `+3 −1`."""
    added, removed = counts(before, after)
    return f"+{added} −{removed}"


def _lines(text: str) -> list[str]:
    """Return the lines; the last one keeps a mark if it has no line end."""
    lines = text.split("\n")
    if lines[-1]:
        lines[-1] += "\n\\ No newline at end of file"
    else:
        lines.pop()
    return lines


def _line_ends(text: str) -> tuple[bool, bool, bool]:
    """Return which line ends a text has: `\\r\\n`, `\\n` alone, `\\r` alone."""
    pairs = text.count("\r\n")
    return pairs > 0, text.count("\n") > pairs, text.count("\r") > pairs


def _shown(line: str, with_ends: bool) -> str:
    """Return a line of the diff with its carriage returns as pictures; its end only if that need be seen."""
    end = "\r" if line.endswith("\r") and not with_ends else ""
    return line.removesuffix(end).replace("\r", "␍") + end


class _Bounded(SequenceMatcher[str]):
    """difflib's matcher over lines, without equal beginnings and ends, and with an upper bound of work."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        shorter = min(len(old), len(new))
        start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
        shorter -= start
        end = next((i for i in range(shorter) if old[-1 - i] != new[-1 - i]), shorter)
        self._ends = (start, len(old) - end, start, len(new) - end)
        self._sizes = (len(old), len(new))
        middles = old[start : len(old) - end], new[start : len(new) - end]
        size = max(map(len, middles))
        self._too_large = size > _LIMIT
        super().__init__(None, *(([], []) if self._too_large else middles), autojunk=size > _THOROUGH)

    def get_opcodes(self) -> list[_Code]:
        """Return the opcodes of the whole; a middle that is too large to pair is replaced whole."""
        i1, i2, j1, j2 = self._ends
        inner: list[_Code] = [("replace", i1, i2, j1, j2)]
        if not self._too_large:
            codes = super().get_opcodes()
            inner = [(tag, a1 + i1, a2 + i1, b1 + j1, b2 + j1) for tag, a1, a2, b1, b2 in codes]
        return [("equal", 0, i1, 0, j1), *inner, ("equal", i2, self._sizes[0], j2, self._sizes[1])]


def _hunk(group: Sequence[tuple[str, int, int, int, int]], old: list[str], new: list[str]) -> list[str]:
    """Return one hunk's lines, its head first."""
    i1, i2, j1, j2 = group[0][1], group[-1][2], group[0][3], group[-1][4]
    lines = [f"@@ -{_range(i1, i2)} +{_range(j1, j2)} @@"]
    for tag, a1, a2, b1, b2 in group:
        if tag == "equal":
            lines += [f" {line}" for line in islice(old, a1, a2)]
        else:
            lines += [f"-{line}" for line in islice(old, a1, a2)]
            lines += [f"+{line}" for line in islice(new, b1, b2)]
    return lines


def _range(start: int, stop: int) -> str:
    """Return a range as unified diffs write it."""
    if stop - start == 1:
        return str(start + 1)
    return f"{start + (stop > start)},{stop - start}"
