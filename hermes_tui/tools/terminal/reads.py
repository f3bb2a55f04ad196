"""What a read-only command line reads on this disk: the classifier's paths, made canonical and complete.

The classifier works on text alone. Here links are resolved, a git verb reads its whole repository, a
search the ignore files above it, and a pattern whose matches may be links reads anything.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from hermes_tui.engine.footprint import ANYTHING
from hermes_tui.files.paths import nearest
from hermes_tui.files.walk import ignore_files_above
from hermes_tui.shell.classify import Verdict

_GLOB: Final = re.compile(r"[*?\[({!+@]")
_MOST: Final = 3000
"""Names that a pattern may have to be compared with."""


def reads_of(verdict: Verdict) -> tuple[str, ...]:
    """Return canonical paths, complete, or `("*",)`."""
    if ANYTHING in (*verdict.reads, *verdict.globs, *verdict.searches, *verdict.repositories):
        return (ANYTHING,)
    if any(_may_match_links(pattern) for pattern in verdict.globs):
        return (ANYTHING,)
    paths = [nearest(path) for path in resolved([*verdict.reads, *_passed(verdict.reads)])]
    for folder in resolved(verdict.repositories):
        paths += repository(folder)
    for root in resolved(verdict.searches):
        paths += ignore_files_above(root)
    return tuple(dict.fromkeys(map(str, paths)))


def resolved(paths: Iterable[str]) -> list[Path]:
    """Return each path with its links resolved, as far as it exists."""
    return [Path(os.path.realpath(path)) for path in paths]


def _passed(paths: Iterable[str]) -> Iterator[str]:
    """Yield what paths go through and leave by `..`, where no folder is: it decides whether they lead on.

    A folder that is there need not be named: only a call that is undeclared could take it away.
    """
    for path in paths:
        at = path.find("/../")
        while at >= 0:
            if not os.path.isdir(path[:at]):
                yield path[:at]
            at = path.find("/../", at + 1)
        if path.endswith("/..") and not os.path.isdir(path[:-3]):
            yield path[:-3]


def repository(folder: Path) -> Iterator[Path]:
    """Yield what a git verb reads that runs in `folder`: the work tree, and its git folder elsewhere."""
    for top in (folder, *folder.parents):
        git = top / ".git"
        if git.is_dir():
            yield top
            if git.is_symlink():
                yield git.resolve()
            return
        if git.is_file():
            yield top
            yield from _elsewhere(git)
            return
    yield nearest(folder)


def _elsewhere(pointer: Path) -> Iterator[Path]:
    """Yield the folders that a `.git` file leads to: its own, and the one it shares with other work trees."""
    text = pointer.read_bytes()[:4096].decode(errors="surrogateescape")
    own = (pointer.parent / text.removeprefix("gitdir:").strip()).resolve()
    yield own
    shared = own / "commondir"
    if shared.is_file():
        yield (own / shared.read_bytes()[:4096].decode(errors="surrogateescape").strip()).resolve()


def _may_match_links(pattern: str) -> bool:
    """Whether a link stands where the pattern could match one."""
    fixed, depth = _fixed(pattern)
    folders = [os.path.realpath(fixed)]
    seen = 0
    for _ in range(depth):
        inner: list[str] = []
        for folder in folders:
            for entry in _entries(folder):
                seen += 1
                if seen > _MOST or entry.is_symlink():
                    return True
                if entry.is_dir():
                    inner.append(entry.path)
        folders = inner
    return False


def _fixed(pattern: str) -> tuple[str, int]:
    """Return the folder before the first component that is a pattern, and how many come from there on."""
    parts = pattern.split("/")
    first = next((index for index, part in enumerate(parts) if _GLOB.search(part)), len(parts))
    rest = parts[first:]
    return "/".join(parts[:first]) or "/", 99 if "**" in rest else len(rest)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return what stands in a folder; nothing if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
