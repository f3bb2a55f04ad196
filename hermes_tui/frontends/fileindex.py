"""The names of the files below a folder, for completing `@`: listed in the background, searched in memory.

git says which files there are (ignored ones are left out), ripgrep where there is no repository, a walk of
our own where there is neither. Nothing here may be called on a screen's thread but `start` and `close`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import HermesError, Interrupted
from hermes_tui.engine.interrupt import Token
from hermes_tui.files.walk import Walk
from hermes_tui.frontends.fuzzy import best
from hermes_tui.processes.environment import hardened
from hermes_tui.processes.helper import Helper, find

MOST: Final = 200_000
"""Names that are kept; what comes later is left out."""
STALE: Final = 10.0
"""Seconds after which the next search has the folder listed again, behind the old answer."""
BLOCK: Final = 2_000
"""Names between two looks at whether anybody still waits for them."""
GIT: Final = ("-c", "core.fsmonitor=false", "ls-files", "-z", "-co", "--exclude-standard")
RIPGREP: Final = ("--no-config", "--files", "--null", "--hidden", "--no-require-git", "--glob", "!.git", "./")

Names = list[tuple[str, str]]
"""Names relative to the folder, with `/` at the end of a folder's, each with its casefold."""


class FileIndex:
    """The files and folders below `folder`."""

    def __init__(self, folder: Path, project: Path | None) -> None:
        """`project` is None where a folder is no project (home, `/`): then only its own names are listed."""
        self._folder = folder
        self._shallow = project is None
        self._names: Names = []
        self._token = Token()
        self._lock = threading.Lock()
        self._listing = False
        self._listed_at = float("-inf")
        self._search = 0
        self.ready = threading.Event()
        """Set once the folder was listed for the first time; until then searches see a part of it."""

    def start(self) -> None:
        """Begin to list, in a thread of its own; returns at once. While it lists nothing more happens."""
        with self._lock:
            if self._listing or self._token.is_set:
                return
            self._listing = True
        threading.Thread(target=self._list, name="file index", daemon=True).start()

    def start_once(self) -> None:
        """Begin to list unless that was done before; `search` sees to it later on."""
        if not self.ready.is_set():
            self.start()

    def outdate(self) -> None:
        """Have the next search list the folder again: files were made or removed."""
        self._listed_at = float("-inf")

    def close(self) -> None:
        """Stop listing and searching."""
        self._token.set("closed")

    def search(self, text: str, limit: int = 50) -> list[str]:
        """Return the names that `text` may mean, best first; without text those nearest to the folder.

        Slow: for a thread. A later search ends an earlier one, whose answer is then empty.
        """
        self._search += 1
        mine = self._search
        if (place := _place(text, self._shallow)) is not None:
            return _names_in(self._folder, *place, limit)
        if time.monotonic() - self._listed_at > STALE:
            self.start()
        found = best(text, self._until_outdated(mine), 2 * limit)
        there = [name for name in found if os.path.lexists(self._folder / name)]
        return there[:limit] if mine == self._search else []

    def _until_outdated(self, search: int) -> Iterator[tuple[str, str]]:
        names = self._names
        for start in range(0, len(names), BLOCK):
            if search != self._search or self._token.is_set:
                return
            yield from names[start : start + BLOCK]

    def _list(self) -> None:
        first = not self.ready.is_set()
        names: Names = self._names if first else []
        folders: set[str] = set()
        with suppress(Interrupted):
            for name in self._found():
                for new in (*_new_folders(name, folders), name):
                    names.append((new, new.casefold()))
                if len(names) >= MOST:
                    break
            self._names = names
        self._listed_at = time.monotonic()
        self.ready.set()
        with self._lock:
            self._listing = False

    def _found(self) -> Iterator[str]:
        """Yield the names, from the first source that knows any; one that no prompt can hold is left out."""
        for source in (_top,) if self._shallow else (_by_git, _by_ripgrep, _by_walking):
            last = ""
            with suppress(HermesError, OSError):
                for name in source(self._folder, self._token):
                    if name.isprintable() and name != last:  # git names an unmerged file three times
                        yield name
                    last = name
            if last:
                return


def _new_folders(name: str, known: set[str]) -> Iterator[str]:
    """Yield the folders above a name that were not met before, the outermost first."""
    at = name.find("/")
    while 0 <= at < len(name) - 1:
        if (folder := name[: at + 1]) not in known:
            known.add(folder)
            yield folder
        at = name.find("/", at + 1)


def _by_git(folder: Path, token: Token) -> Iterator[str]:
    return _printed("git", GIT, folder, token)


def _by_ripgrep(folder: Path, token: Token) -> Iterator[str]:
    return _printed("rg", RIPGREP, folder, token)


def _printed(name: str, words: tuple[str, ...], folder: Path, token: Token) -> Iterator[str]:
    if (program := find(name)) is None:
        return
    with Helper([program, *words], folder, hardened(os.environ), token) as helper:
        for line in helper.lines(b"\0"):
            yield os.fsdecode(line).removeprefix("./")


def _by_walking(folder: Path, token: Token) -> Iterator[str]:
    for file in Walk(folder).files():
        token.raise_if_set()
        yield file.relative_to(folder).as_posix()


def _place(text: str, shallow: bool) -> tuple[str, str] | None:
    """Split a text that names a folder of its own, such as `~/Pictures/sh`, into folder and begun name."""
    outside = text.startswith(("/", "~/", "./", "../")) or (shallow and "/" in text)
    if not outside:
        return None
    head, slash, begun = text.rpartition("/")
    return head + slash, begun


def _names_in(folder: Path, place: str, begun: str, limit: int) -> list[str]:
    """Return the names in a place, as they are written from `folder`, the best first."""
    try:
        names = [f"{place}{name}" for name in _top(folder / os.path.expanduser(place), Token())]
    except (OSError, ValueError):
        return []
    pairs = ((name.removeprefix(place), name.removeprefix(place).casefold()) for name in names)
    return [f"{place}{name}" for name in best(begun, pairs, limit) if name.isprintable()]


def _top(folder: Path, token: Token) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            token.raise_if_set()
            yield f"{entry.name}/" if entry.is_dir() else entry.name
