"""Matches patterns with wildcards in a time that grows with the text, whatever the pattern.

A model chooses the text that a rule is held against: no text may make that slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

STAR, ANY, ONE, SKIP = "*", "**", "?", "skip"
"""Steps: some characters but `/`; any characters; one but `/`; or leave out the next steps."""

Step = tuple[str, int]
"""A wildcard, with how many steps SKIP may leave out; or one plain character and -1."""

PIECES: Final[dict[str, tuple[Step, ...]]] = {
    "/**/": (("/", -1), (SKIP, 2), (ANY, 0), ("/", -1)),
    "/**": ((SKIP, 2), ("/", -1), (ANY, 0)),
    "/": ((SKIP, 2), ("/", -1), (ANY, 0)),
    "**": ((ANY, 0),),
    "*": ((STAR, 0),),
    "?": ((ONE, 0),),
}
SPLIT: Final = re.compile(r"(\\.|/\*\*/|/\*\*$|/$|\*\*|\*|\?)", re.DOTALL)


def path_matches(pattern: str, path: str) -> bool:
    """`*` and `?` stay within a folder, `**` does not, a final `/` or `/**` means everything below."""
    steps = _steps(pattern)
    states = _closed(steps, [0])
    for character in path:
        moved = (_moved(steps[state], state, character) for state in states if state < len(steps))
        states = _closed(steps, [state for state in moved if state is not None])
        if not states:
            return False
    return len(steps) in states


@lru_cache(maxsize=512)
def text_regex(pattern: str, words: bool) -> re.Pattern[str]:
    """`*` is any text; with `words`, a last ` *` also matches nothing."""
    ways = [pattern[:-2], pattern] if words and pattern.endswith(" *") else [pattern]
    return re.compile("|".join(map(_any_text, ways)), re.DOTALL)


def _any_text(pattern: str) -> str:
    """Return the expression: each part at the first place where it fits, which is enough for any text."""
    parts = [""]
    for piece in re.split(r"(\\.|\*)", pattern, flags=re.DOTALL):
        if piece == "*":
            parts.append("")
        else:
            parts[-1] += re.escape(unescaped(piece))
    first, *middle = parts
    if not middle:
        return f"(?:{first})"
    last = middle.pop()
    return first + "".join(f"(?>.*?{part})" for part in middle if part) + f".*{last}"


def unescaped(piece: str) -> str:
    """Return what a piece of a pattern stands for: a backslash takes the next character literally."""
    return piece[1:] if len(piece) == 2 and piece[0] == "\\" else piece


@lru_cache(maxsize=512)
def _steps(pattern: str) -> tuple[Step, ...]:
    found: list[Step] = []
    for piece in SPLIT.split(pattern):
        found += PIECES.get(piece) or [(character, -1) for character in unescaped(piece)]
    return tuple(found)


def _closed(steps: tuple[Step, ...], states: Iterable[int]) -> set[int]:
    """Return the states, with those that are reached without a character."""
    found: set[int] = set()
    left = list(states)
    while left:
        state = left.pop()
        if state in found:
            continue
        found.add(state)
        if state < len(steps) and steps[state][1] >= 0 and steps[state][0] != ONE:
            kind, skipped = steps[state]
            left += [state + 1, state + 1 + skipped] if kind == SKIP else [state + 1]
    return found


def _moved(step: Step, state: int, character: str) -> int | None:
    """Return the state behind one character, None when it does not fit."""
    kind, plain = step
    if plain < 0:
        return state + 1 if kind == character else None
    if kind == ANY or (kind == STAR and character != "/"):
        return state
    return state + 1 if kind == ONE and character != "/" else None
