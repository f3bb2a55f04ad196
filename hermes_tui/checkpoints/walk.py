"""One pass over the tree: finds every path and its status. Reads no contents, writes nothing."""

from __future__ import annotations

import operator
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from hermes_tui.checkpoints.ignores import GIT, Ignores, is_repository
from hermes_tui.checkpoints.root import OTHER_SYSTEM, Root, too_large
from hermes_tui.checkpoints.snapshot import IGNORED, OURS, REPOSITORY, STAGING, Entry, Snapshot
from hermes_tui.checkpoints.states import Limits, Signature, State, amount, bits, signature, unknown
from hermes_tui.files.temporary import is_temporary

UNREADABLE: Final = unknown("unreadable")

_name = operator.attrgetter("name")


class TooManyError(Exception):
    """The tree has more files than are looked at."""


class Walk:
    """A pass in the making: what it found so far."""

    def __init__(self, root: Root, limits: Limits, ours: str, old: dict[str, Entry], found: Snapshot) -> None:
        """`old` is what was known before; `found` is gone on from, and filled."""
        self._root = root
        self._limits = limits
        self._ours = ours
        self._old = old
        self.snapshot = found
        self.new: dict[str, Signature] = {}
        """Files to read."""
        self.shared: set[str] = set()
        """Files with more names than one: the others may lie where nobody watches."""
        self.tops: list[str] = []
        """The repositories that were met."""
        self.entering: Callable[[str], None] = lambda folder: None
        """Told of each folder before it is looked into."""

    def tree(self, ignores: Ignores) -> set[str]:
        """Walk all that is not ignored; return what is."""
        self.tops.append("")
        ignored = ignores.of("")
        self._descend([""], ignored, ignores)
        return ignored

    def again(self, paths: Iterable[str], ignored: set[str], ignores: Ignores) -> None:
        """Look once more at `paths` and all below them, in what was found before."""
        tops = list(_highest(paths))
        self._forget(tops)
        entries = self.snapshot.entries
        for path in tops:
            above, _, name = path.rpartition("/")
            if above and (above not in entries or entries[above].state.kind != "folder"):
                continue
            try:
                status = self._root.status(path)
            except OSError:
                self.snapshot.opaque[path] = ("unreadable", None)
                continue
            if status is not None and self._enter(name, path, status, ignored):
                self._descend([path], ignored, ignores)

    def all_below(self, path: str) -> None:
        """Look at a path that will be written, ignored or not, and all below it within the caps."""
        self.one(path)
        entry = self.snapshot.entries.get(path)
        if entry is None or entry.state.kind != "folder":
            return
        kept = dict(self.snapshot.entries), dict(self.new), dict(self.snapshot.opaque)
        try:
            for hidden in [name for name in kept[2] if f"{name}/".startswith(f"{path}/")]:
                del self.snapshot.opaque[hidden]
            self._descend([path], set(), None)
            size = sum(mark[3] for name, mark in self.new.items() if name not in kept[1])
            if size > self._limits.max_named_bytes:
                raise TooManyError(f"{amount(size)} that are ignored")
        except TooManyError as error:
            self.snapshot.entries, self.new, self.snapshot.opaque = kept
            if path in self.snapshot.opaque:
                del self.snapshot.entries[path]  # the folder alone, without what was in it, helps nobody
            self.snapshot.too_much[path] = str(error)

    def one(self, path: str) -> None:
        """Look at a single path, present or not."""
        if path in self.snapshot.entries or path in self.new or GIT in path.split("/") or self._is_ours(path):
            return
        self.snapshot.looked.add(path)
        try:
            status = self._root.status(path)
        except OSError:
            self.snapshot.looked.discard(path)
            self.snapshot.opaque.setdefault(path, ("unreadable", None))
            return
        if status is not None:
            self._note(path, status)

    def sizes(self) -> Iterator[Signature]:
        """Give the signatures of all files that are covered."""
        for path, entry in self.snapshot.entries.items():
            if entry.state.kind == "file" and path not in self.new:
                yield entry.signature
        yield from self.new.values()

    def _descend(self, waiting: list[str], ignored: set[str], ignores: Ignores | None) -> None:
        """Walk the `waiting` folders and all below them that is not ignored; without rules, all below.

        The loop is the hot spot of every full look at the tree: what is known and untouched is taken
        over without a call.
        """
        old, found = self._old, self.snapshot.entries
        while waiting:
            path = waiting.pop()
            entries = self._open(path, ignored, ignores)
            prefix = f"{path}/" if path else ""
            for entry in entries:
                below = prefix + entry.name
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError as error:
                    self._unseen(below, error)
                    continue
                known = old.get(below)
                if known is not None and known.settled and signature(status) == known.signature:
                    folder = known.state.kind == "folder"
                    if not ignored or not (below in ignored or (folder and f"{below}/" in ignored)):
                        found[below] = known
                        if folder:
                            waiting.append(below)
                        elif status.st_nlink > 1:
                            self.shared.add(below)
                        continue
                if self._enter(entry.name, below, status, ignored):
                    waiting.append(below)

    def _open(self, path: str, ignored: set[str], ignores: Ignores | None) -> list[os.DirEntry[str]]:
        """List a folder; a repository in the repository brings rules of its own."""
        if ignores is None:
            return self._list(path)
        self.entering(path)
        entries = self._list(path)
        if path and GIT in map(_name, entries) and is_repository(self._root.path / path):
            self.tops.append(path)
            ignored |= ignores.of(path)
        return entries

    def _unseen(self, path: str, error: OSError) -> None:
        """Note a path whose status cannot be asked, unless it is not there any more."""
        if not isinstance(error, FileNotFoundError):
            self.snapshot.opaque[path] = ("unreadable", None)

    def _forget(self, tops: Sequence[str]) -> None:
        """Drop what was found at these paths and below them."""
        entries, opaque = self.snapshot.entries, self.snapshot.opaque
        gone = {path: entries.pop(path, None) for path in tops}
        folders = {path for path, entry in gone.items() if entry and entry.state.kind == "folder"}
        for path in tops:
            opaque.pop(path, None)
        for found in (entries, opaque) if folders else ():
            for path in [path for path in found if _is_below(path, folders)]:
                del found[path]
        self.shared.difference_update(tops)
        self.shared = {path for path in self.shared if not _is_below(path, folders)}

    def _list(self, path: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self._root.path, path)) as entries:
                return list(entries)
        except FileNotFoundError:
            return []
        except OSError:
            self.snapshot.opaque[path] = ("unreadable", None)
            return []

    def _enter(self, name: str, path: str, status: os.stat_result, ignored: set[str]) -> bool:
        """Note one entry of a folder; return whether to walk into it."""
        folder = stat.S_ISDIR(status.st_mode)
        if why := self._reason(name, path, folder, ignored):
            mark = status.st_ino if why == REPOSITORY else list(signature(status))
            self.snapshot.opaque[path] = (why, mark)
            return False
        self._note(path, status)
        if folder and status.st_dev != self._root.device:
            self.snapshot.opaque[path] = (OTHER_SYSTEM, None)
            return False
        return folder

    def _reason(self, name: str, path: str, folder: bool, ignored: set[str]) -> str:
        """Return why a path is not looked at, or nothing."""
        if name == GIT:
            return REPOSITORY
        if ignored and (path in ignored or (folder and f"{path}/" in ignored)):
            return IGNORED
        return OURS if self._is_ours(path) or (name[0] == "." and _passing(name)) else ""

    def _is_ours(self, path: str) -> bool:
        return bool(self._ours) and (path == self._ours or path.startswith(f"{self._ours}/"))

    def _note(self, path: str, status: os.stat_result) -> None:
        """Take a path's status: what is known already stays, a file that is new will be read."""
        mark = signature(status)
        regular = stat.S_ISREG(status.st_mode)
        if regular and status.st_nlink > 1:
            self.shared.add(path)
        old = self._old.get(path)
        if old is not None and old.settled and old.signature == mark:
            self.snapshot.entries[path] = old
            return
        local = status.st_dev == self._root.device
        if local and regular and status.st_size <= self._limits.max_file_bytes:
            self.new[path] = mark
            if len(self.snapshot.entries) + len(self.new) > self._limits.max_files:
                raise TooManyError(f"more than {self._limits.max_files} files")
        else:
            self._keep_or_replace(path, Entry(mark, self._plain(path, status), 0), old)

    def _keep_or_replace(self, path: str, entry: Entry, old: Entry | None) -> None:
        """Keep the old entry of a folder or link that is the same: equal objects compare fastest."""
        same = old is not None and old.state == entry.state and entry.state.kind in ("folder", "link")
        self.snapshot.entries[path] = old if old is not None and same else entry

    def _plain(self, path: str, status: os.stat_result) -> State:
        """Return the state of what is no file to be read."""
        if stat.S_ISLNK(status.st_mode):
            try:
                return State("link", 0, os.readlink(os.path.join(self._root.path, path)))
            except OSError:
                return UNREADABLE
        if status.st_dev != self._root.device:
            return unknown(OTHER_SYSTEM)
        if stat.S_ISDIR(status.st_mode):
            return State("folder", bits(status))
        if stat.S_ISREG(status.st_mode):
            return too_large(status.st_size, self._limits.max_file_bytes)
        return unknown("no ordinary file")


def _highest(paths: Iterable[str]) -> Iterator[str]:
    """Give the paths that are not below another one of them, parents before children's siblings."""
    given = set(paths)
    return (path for path in sorted(given) if not _is_below(path, given))


def _is_below(path: str, folders: set[str]) -> bool:
    """Whether one of `folders` is above `path`."""
    while path := path.rpartition("/")[0]:
        if path in folders:
            return True
    return False


def _passing(name: str) -> bool:
    """Whether a file or folder is there only while one of our edits or restores is on its way."""
    return is_temporary(name) or name.startswith(STAGING)
