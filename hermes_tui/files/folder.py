"""Opens a folder by its canonical path, one component after another, so that no link on the way is followed.

What is then done through the descriptor happens in that folder, whatever the path is made to mean meanwhile.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import ToolError

SEARCH: Final = getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY))
"""Enough to go through a folder; reading its names is not needed."""
FLAGS: Final = SEARCH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Moved(ToolError):
    """A path leads elsewhere than when it was judged."""


def open_folder(folder: Path, made: list[Path] | None = None) -> int:
    """Return a descriptor of an absolute, canonical folder; the caller closes it.

    With `made`, missing folders are made and added to it, outermost first. Raises `OSError`, or `Moved`
    when a component is a link.
    """
    here = os.open(folder.anchor, FLAGS)
    path = Path(folder.anchor)
    for name in folder.parts[1:]:
        path /= name
        try:
            below = _enter(name, here, path, made)
        finally:
            os.close(here)
        here = below
    return here


@contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """Give a descriptor of a canonical folder while the body runs."""
    descriptor = open_folder(folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def is_still(descriptor: int, folder: Path) -> bool:
    """Whether a canonical path still leads to the folder that was opened."""
    try:
        with opened_folder(folder) as now:
            return os.path.samestat(os.fstat(now), os.fstat(descriptor))
    except (OSError, ToolError):
        return False


def _enter(name: str, here: int, path: Path, made: list[Path] | None) -> int:
    try:
        return _step(name, here, path)
    except FileNotFoundError:
        if made is None:
            raise
    try:
        os.mkdir(name, dir_fd=here)
        made.append(path)
    except FileExistsError:
        pass  # another call was quicker
    return _step(name, here, path)


def _step(name: str, here: int, path: Path) -> int:
    try:
        return os.open(name, FLAGS, dir_fd=here)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR) and path.is_symlink():
            raise Moved(f"{path} is a link now and leads elsewhere; nothing was changed") from None
        raise
