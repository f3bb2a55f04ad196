"""Which paths a line names: resolved by their spelling alone, for every folder a command may run in.

`..` takes back a component only where that is exact: inside the session's folder and above it, which
the caller gives in canonical form. `sub/../a` stays as it is, since `sub` may be a link; the caller
resolves it on the disk. Must not touch the disk.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import Final

from hermes_tui.engine.footprint import ANYTHING
from hermes_tui.shell.words import Word

Folders = tuple[str, ...] | None
"""The folders a command may run in, absolute; None: nobody knows."""

_MOST_FOLDERS: Final = 6


def either(one: Folders, other: Folders) -> Folders:
    """Return the folders of two ways a line may have gone."""
    if one is None or other is None or one == other:
        return None if one is None or other is None else one
    both = tuple(dict.fromkeys((*one, *other)))
    return both if len(both) <= _MOST_FOLDERS else None


def resolve(root: str, folder: str, path: str) -> str:
    """Return `path` as seen from `folder`, absolute; `root` is the folder known to be canonical."""
    exact = [part for part in root.split("/") if part]
    parts: list[str] = []
    for part in (path if path.startswith("/") else f"{folder}/{path}").split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts == exact[: len(parts)]:
            parts = parts[:-1]
        else:
            parts.append(part)
    return "/" + "/".join(parts)


@dataclass(slots=True)
class Uses:
    """What commands touch. The lists hold absolute paths once the folders were known."""

    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    """Patterns whose matches are written or removed."""
    repositories: list[str] = field(default_factory=list)
    """Folders in which a git verb runs: it reads the whole work tree around them."""
    searches: list[str] = field(default_factory=list)
    """Roots of searches that also read the ignore files of the folders above them."""
    globs: list[str] = field(default_factory=list)
    """Patterns whose matches are opened; their folders are in `reads`, a link among the matches is not."""
    network: bool = False


class Place:
    """Notes what one command touches, for each folder it may run in."""

    def __init__(self, root: str, folders: Folders, uses: Uses) -> None:
        self._root, self._folders, self._uses = root, folders, uses

    def read(self, word: Word) -> None:
        """The command reads the path that the word names."""
        value = word.value
        if value is None:
            self.read_anything()
            return
        if word.glob is None:
            self._add(self._uses.reads, value)
            return
        self._add(self._uses.reads, value[: value.rfind("/", 0, word.glob) + 1] or ".")
        if word.matches:
            self._add(self._uses.globs, value)

    def read_folder(self) -> None:
        """The command reads the folder it runs in."""
        self._add(self._uses.reads, ".")

    def read_anything(self) -> None:
        """Nobody knows what the command reads."""
        self._uses.reads.append(ANYTHING)

    def look_through(self, path: str, below: bool) -> None:
        """The command asks of links in `path`, and in all folders below it, what they lead to."""
        self._add(self._uses.globs, f"{path}/{'**' if below else '*'}")

    def search(self, path: str) -> None:
        """The command searches below `path` and honours the ignore files above it."""
        self._add(self._uses.searches, path)

    def repository(self, path: str) -> None:
        """A git verb runs in `path`."""
        self._add(self._uses.reads, path)
        self._add(self._uses.repositories, path)

    def write(self, word: Word) -> None:
        """The command changes or removes the path that the word names."""
        if word.value is None:
            self.write_anything()
        elif word.glob is None:
            self._add(self._uses.writes, word.value)
        else:
            self._add(self._uses.patterns, word.value)

    def write_folder(self) -> None:
        """The command changes or removes whatever it finds in the folder it runs in."""
        self._add(self._uses.writes, ".")

    def write_anything(self) -> None:
        """Nobody knows what the command changes."""
        self._uses.writes.append(ANYTHING)

    def network(self) -> None:
        """The command talks to another machine."""
        self._uses.network = True

    def _add(self, paths: list[str], path: str) -> None:
        if self._folders is None and not path.startswith("/"):
            paths.append(ANYTHING)
            return
        paths.extend(resolve(self._root, folder, path) for folder in self._folders or ("/",))


def change(root: str, folders: Folders, words: tuple[Word, ...], home: str) -> Folders:
    """Return the folders after a `cd` that succeeded; `words` are its arguments."""
    operands = words[1:] if words and words[0].value in ("--", "-L") else words
    if len(operands) > 1:
        return None
    target = operands[0].value if operands else home
    if not target or target.startswith("-") or (operands and operands[0].glob is not None):
        return None
    if target.startswith("/"):
        return (resolve(root, "/", posixpath.normpath(target)),)
    if folders is None:
        return None
    return tuple(dict.fromkeys(posixpath.normpath(posixpath.join(folder, target)) for folder in folders))


def folder_of(pattern: str) -> str:
    """Return the folder below which all matches of an absolute pattern stand."""
    first = min((at for at in map(pattern.find, "*?[{(") if at >= 0), default=len(pattern))
    return pattern[: pattern.rfind("/", 0, first)] or "/"


def tidy(paths: list[str], covered: list[str]) -> tuple[str, ...]:
    """Return the paths once each, `("*",)` for anything; of `covered` only those with no path below them."""
    if ANYTHING in paths or ANYTHING in covered:
        return (ANYTHING,)
    spelled = [posixpath.normpath(path) for path in paths]
    kept = [path for path in covered if not any(_is_below(other, path) for other in spelled)]
    return tuple(dict.fromkeys((*kept, *paths)))


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
