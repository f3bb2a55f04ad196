"""Which names a few typed letters mean, best first. Pure: knows no files and no screen.

A name fits when it has the letters in their order, whatever stands between them and whatever their case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from heapq import nsmallest
from typing import Final

Key = tuple[int, int, int, int, str]
"""Smaller is better: how it fits, over how many letters, its depth, its length, the name itself."""

NOT_AT_ALL: Final = 9


def best(letters: str, names: Iterable[tuple[str, str]], limit: int) -> list[str]:
    """Return at most `limit` of the names that fit. `names` are pairs of a name and its casefold."""
    rank = ranking(letters)
    keyed = ((key, name) for name, folded in names if (key := rank(folded))[0] < NOT_AT_ALL)
    return [name for _, name in nsmallest(limit, keyed)]


def ranking(letters: str) -> Callable[[str], Key]:
    """Return what ranks a casefolded name. With a slash in the letters the whole path has to fit in order.

    Best is the file's own name, then its start, a word in it, a part of it, letters of it; then the path.
    """
    wanted = letters.casefold()
    if not wanted:
        return _nearest
    scattered = re.compile(".*?".join(re.escape(letter) for letter in wanted))
    word = re.compile(rf"(?:^|[/._\- ]){re.escape(wanted)}")
    whole_path = "/" in wanted

    def rank(name: str) -> Key:
        if not (match := scattered.search(name)):
            return (NOT_AT_ALL, 0, 0, 0, name)
        base = name if whole_path else name[name.rstrip("/").rfind("/") + 1 :]
        span = match.end() - match.start()
        if base.startswith(wanted):
            exact = base.partition(".")[0].rstrip("/") == wanted or base.rstrip("/") == wanted
            how, span = 0 if exact else 1, 0
        elif wanted in base:
            how, span = 2 if word.search(base) else 3, 0
        elif (within := scattered.search(base)) is not None:
            how, span = 4, within.end() - within.start()
        else:
            how = 5 if wanted in name else 6
        return (how, span, _depth(name), len(name), name)

    return rank


def _nearest(name: str) -> Key:
    """Rank without letters: the nearest first, by the alphabet, hidden ones last."""
    base = name[name.rstrip("/").rfind("/") + 1 :]
    return (int(base.startswith(".")), 0, _depth(name), 0, name)


def _depth(name: str) -> int:
    return name.rstrip("/").count("/")
