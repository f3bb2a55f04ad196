"""Canonical paths: what a path in a call really means, before anything is opened.

Only looks at the disk, never changes it, and knows nothing of projects or permissions.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import BadArguments, ToolError

LONGEST: Final = 4096
"""Bytes of a path that the system takes, its end included."""
LONGEST_NAME: Final = 255
"""Bytes of one name in it."""
_TRIES: Final = 5


def canonical(text: str, folder: Path) -> Path:
    """Return the absolute path that `text` means below `folder`, links resolved as far as they exist.

    A leading `~` is the home folder. `link/..` is the parent of what the link points to, as the kernel
    sees it. The file itself may be missing. Raises `BadArguments` for a text that can be no path.
    """
    return _real(_joined(text, folder))


def entry(text: str, folder: Path) -> Path:
    """Return the path of the name itself: as `canonical`, but a link in the last component stays.

    This is what removing or moving `text` would touch.
    """
    head, name = os.path.split(_joined(text, folder).rstrip("/"))
    if name in ("", ".", ".."):
        return canonical(text, folder)
    return _real(head or "/") / name


def nearest(path: Path) -> Path:
    """Return `path`, or the closest parent that exists: what the answer "no such file" depends on."""
    for candidate in (path, *path.parents):
        if os.path.lexists(candidate):
            return candidate
    return Path("/")


def display(path: Path, folder: Path) -> str:
    """Return `path` as a reader names it: relative when it lies below `folder`, else absolute."""
    if path.is_relative_to(folder):
        return str(path.relative_to(folder))
    return str(path)


def _real(path: str) -> Path:
    """Return a path with its links resolved; again if one of them vanishes while it is looked at."""
    for _ in range(_TRIES):
        with suppress(OSError):
            return Path(os.path.realpath(path))
    raise ToolError(f"cannot tell where {path} leads: it changes all the time")


def _joined(text: str, folder: Path) -> str:
    """Return `text` below `folder`, nothing resolved yet."""
    if not text:
        raise BadArguments("the path is empty: name a file, for example src/app.py")
    if "\0" in text:
        raise BadArguments("the path holds a NUL character, which no file name can have")
    try:
        name = os.fsencode(text)
    except UnicodeEncodeError:
        raise BadArguments("the path holds half a surrogate pair, which no file name can have") from None
    if len(name) >= LONGEST or any(len(part) > LONGEST_NAME for part in name.split(b"/")):
        raise BadArguments(f"the path is longer than a file name can be: {text[:60]!r} …")
    # not normalised here: `link/..` must be walked, not cut
    return os.path.join(folder, os.path.expanduser(text))
