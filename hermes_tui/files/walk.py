"""Walks a tree as `rg --hidden` does: ignore files honoured, `.git` never entered, links not followed.

Inside a repository its rules end at its top, as for git. Outside one, .gitignore files hold all the
same, as with `rg --no-require-git`. Only lists; opens nothing but ignore files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hermes_tui.files.ignore import Rules, read_rules
from hermes_tui.files.temporary import is_temporary

_Group = tuple[Rules, ...]


@dataclass(frozen=True, slots=True)
class _Level:
    """The rules that hold in one folder: groups in their order of power, nearest file first in each."""

    rgignore: _Group = ()
    ignore: _Group = ()
    gitignore: _Group = ()
    exclude: _Group = ()
    outer: _Group = ()
    """The user's global git excludes."""
    bounded: bool = False
    """Whether git's rules end where another repository starts."""

    def below(self, folder: Path, names: set[str]) -> _Level:
        """Return the rules inside `folder`, which holds these names (only ignore files and `.git` matter)."""
        if not names & _NAMES:
            return self
        repository = ".git" in names
        inherited = ((), ()) if repository and self.bounded else (self.gitignore, self.exclude)
        return _Level(
            _with(folder, ".rgignore", names, self.rgignore),
            _with(folder, ".ignore", names, self.ignore),
            _with(folder, ".gitignore", names, inherited[0]),
            (*_present(_repository_excludes(folder) if repository else None), *inherited[1]),
            self.outer,
            self.bounded,
        )

    def ignores(self, path: str, name: str, folder: bool) -> bool:
        """Return whether the rules leave this entry out."""
        for group in (self.rgignore, self.ignore, self.gitignore, self.exclude, self.outer):
            for rules in group:
                verdict = rules.verdict(path, name, folder)
                if verdict is not None:
                    return verdict
        return False


_OF_GIT = {".gitignore", ".git"}
_NAMES = {".ignore", ".rgignore", *_OF_GIT}


@dataclass(slots=True)
class Walk:
    """One walk below `root`, in the order of names."""

    root: Path
    """Canonical. Itself never ignored, hidden or not; may be a file."""
    hidden: bool = True
    """Whether names with a leading dot are taken (`.git` never)."""
    ignored: bool = False
    """Whether ignored files are taken too."""
    unreadable: list[Path] = field(default_factory=list)
    """Folders that could not be listed, filled while walking."""

    def files(self) -> Iterator[Path]:
        """Yield every regular file, folders before what sorts after them."""
        if not self.root.is_dir():
            yield self.root
            return
        level = _Level() if self.ignored else rules_above(self.root)
        open_folders = [self._listed(str(self.root), level)]  # a stack of our own: trees may be deep
        while open_folders:
            entries, level = open_folders[-1]
            for item in entries:
                if item.is_dir(follow_symlinks=False):
                    if self._takes(item, level, folder=True):
                        open_folders.append(self._listed(item.path, level))
                        break
                elif item.is_file(follow_symlinks=False) and self._takes(item, level, folder=False):
                    yield Path(item.path)
            else:
                open_folders.pop()

    def _listed(self, folder: str, level: _Level) -> tuple[Iterator[os.DirEntry[str]], _Level]:
        """Return a folder's entries in order, and the rules inside it."""
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda item: item.name)
        except OSError:
            self.unreadable.append(Path(folder))
            return iter(()), level
        if not self.ignored:
            level = level.below(Path(folder), {item.name for item in entries})
        return iter(entries), level

    def _takes(self, item: os.DirEntry[str], level: _Level, folder: bool) -> bool:
        """Return whether an entry belongs to the walk."""
        name = item.name
        if name.startswith(".") and (not self.hidden or name == ".git" or is_temporary(name)):
            return False
        return self.ignored or not level.ignores(item.path, name, folder)


def rules_above(root: Path) -> _Level:
    """Return the rules that the folders above `root` and the user's git settings lay on it."""
    level = _Level(outer=_present(_global_excludes(root)), bounded=in_repository(root))
    for folder in reversed(root.parents):
        level = level.below(folder, {name for name in _NAMES if os.path.lexists(folder / name)})
    return level


def in_repository(root: Path) -> bool:
    """Return whether a folder lies in a git repository; where not, ripgrep needs `--no-require-git`."""
    return any(os.path.lexists(folder / ".git") for folder in (root, *root.parents))


def ignore_files_above(root: Path) -> list[Path]:
    """Return the paths above `root` that decide what a search below it leaves out, there or not.

    The ignore files of the folders above; up to the repository's top also git's own, and `.git`; and where
    one of them, or one in `root` itself, is a link, what it leads to.
    """
    found: list[Path] = []
    names = _NAMES - _OF_GIT if os.path.lexists(root / ".git") else _NAMES
    for folder in root.parents:
        found += [folder / name for name in sorted(names)]
        if os.path.lexists(folder / ".git"):
            names = _NAMES - _OF_GIT
    linked = [file for file in (*found, *(root / name for name in sorted(_NAMES))) if file.is_symlink()]
    return found + [Path(os.path.realpath(file)) for file in linked]


def _with(folder: Path, name: str, names: set[str], group: _Group) -> _Group:
    """Return a group with the rules of one more file in front, if it is there."""
    return (*_present(read_rules(folder / name, folder) if name in names else None), *group)


def _present(rules: Rules | None) -> _Group:
    return () if rules is None else (rules,)


def _repository_excludes(top: Path) -> Rules | None:
    """Return the rules of a repository's info/exclude; `.git` may be a file that points elsewhere."""
    git = top / ".git"
    if git.is_file():
        pointer = _first_line(git).removeprefix("gitdir:").strip()
        git = top / pointer
        common = _first_line(git / "commondir").strip()
        git = git / common if common else git
    return read_rules(git / "info" / "exclude", top)


def _first_line(file: Path) -> str:
    """Return the start of a small file, empty if there is none."""
    try:
        with file.open("rb") as stream:
            return os.fsdecode(stream.read(4096).partition(b"\n")[0])
    except OSError:
        return ""


def _global_excludes(root: Path) -> Rules | None:
    """Return the rules of git's `core.excludesFile`, found as ripgrep finds it."""
    home = Path(os.path.expanduser("~"))
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    for file in (home / ".gitconfig", settings / "git" / "config"):
        try:
            text = file.read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            continue
        match = re.search(r'(?im)^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$', text)
        if match:
            return read_rules(Path(os.path.expanduser(match[1])), root)
    return read_rules(settings / "git" / "ignore", root)
