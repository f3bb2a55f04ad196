"""What stands near a path that does not exist, for the answer "did you mean". Only lists folders."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_tui.files.folder import Moved, listed, opened_folder
from hermes_tui.files.paths import nearest
from hermes_tui.files.temporary import is_temporary

_MOST: Final = 5000
"""Names of one folder that are looked at."""


def listing(folder: Path) -> list[str]:
    """Return the names in a folder, folders with a slash; empty if it cannot be listed.

    A link has none, wherever it leads: the answer depends on this folder alone.
    """
    try:
        with opened_folder(folder) as here, listed(here) as entries:
            return sorted(
                printable(item.name) + ("/" if item.is_dir(follow_symlinks=False) else "")
                for item in islice(entries, _MOST)
                if not is_temporary(item.name)
            )
    except (OSError, Moved):
        return []


def near(path: Path, most: int = 5) -> list[Path]:
    """Return existing paths that a missing `path` may mean: its first missing part spelled otherwise."""
    parent = nearest(path)
    if parent == path:
        return []
    wanted = path.relative_to(parent).parts[0]
    spelled = {name.rstrip("/").casefold(): name.rstrip("/") for name in reversed(listing(parent))}
    close = get_close_matches(wanted.casefold(), spelled, n=most, cutoff=0.6)
    stem = wanted.casefold().partition(".")[0]
    same_stem = [key for key in spelled if stem and key.partition(".")[0] == stem]
    return [parent / spelled[key] for key in list(dict.fromkeys([*close, *same_stem]))[:most]]


def printable(name: str) -> str:
    """Return a file name without half surrogate pairs, for a text that must be UTF-8."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
