"""Opens a folder by its canonical path, one component after another, so that no link on the way is followed.

What is then done through the descriptor happens in that folder, whatever the path is made to mean meanwhile.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
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
    return _through(here, Path(folder.anchor), folder.parts[1:], made)


def open_below(folder: int, relative: Path) -> int:
    """Return a descriptor of a folder below an open one; the caller closes it. Raises as `open_folder`."""
    return _through(os.dup(folder), Path(), relative.parts, None)


@contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """Give a descriptor of a canonical folder while the body runs."""
    descriptor = open_folder(folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def listed(folder: int) -> Iterator[Iterator[os.DirEntry[str]]]:
    """Give the entries of an open folder while the body runs."""
    readable = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        with os.scandir(readable) as entries:
            yield entries
    finally:
        os.close(readable)


def is_still(descriptor: int, folder: Path) -> bool:
    """Whether a canonical path still leads to the folder that was opened."""
    try:
        with opened_folder(folder) as now:
            return os.path.samestat(os.fstat(now), os.fstat(descriptor))
    except (OSError, ToolError):
        return False


def _through(here: int, path: Path, names: Iterable[str], made: list[Path] | None) -> int:
    """Go on from an open folder, which is closed, one name after another."""
    for name in names:
        path /= name
        try:
            below = _enter(name, here, path, made)
        finally:
            os.close(here)
        here = below
    return here


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
        if error.errno in (errno.ELOOP, errno.ENOTDIR) and _is_link(name, here):
            raise Moved(f"{path} is a link now and leads elsewhere") from None
        raise


def _is_link(name: str, here: int) -> bool:
    with suppress(OSError):
        return stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode)
    return True
