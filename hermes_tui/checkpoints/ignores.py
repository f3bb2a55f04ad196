"""Which paths of the project its ignore rules leave out, nested repositories by their own rules.

Reads the user's repositories, never writes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hermes_tui.checkpoints.states import Signature, signature
from hermes_tui.engine.errors import CheckpointError

GIT = ".git"
"""The name that no walk ever enters, and no checkpoint ever holds."""


class Ignores:
    """The ignore rules of one project, asked anew for each scan."""

    def __init__(self, root: Path, shadow: Path) -> None:
        self._root = root
        self._shadow = shadow
        """A git directory for a tree that has none of its own: `.gitignore` counts there too."""
        self._marks: dict[str, object] = {}
        """For each repository that was asked: what tells whether its rules or its index changed since."""

    def of(self, folder: str, below: str = "") -> set[str]:
        """Return what is ignored in the repository whose top is `folder` ("" is the project).

        `below` narrows it down to one path of that repository.

        Paths are relative to the project; folders end in `/`. `CheckpointError` when git cannot say.
        """
        from hermes_tui.checkpoints import gitenv

        if not below:
            self._marks[folder] = self._mark(folder)
        top, repository = self._places(folder)
        found = gitenv.ignored(top, repository, below)
        return {f"{folder}/{path}" for path in found} if folder else found

    def changed(self, folders: Iterable[str]) -> bool:
        """Whether the answer for one of these repositories may be another now, `.gitignore` files aside."""
        return any(self._marks.get(folder) != self._mark(folder) for folder in folders)

    def without_rule(self, tops: Iterable[str], folders: set[str]) -> set[str]:
        """Return those of the ignored `folders` that no rule names: all that is in them is ignored.

        `tops` are the repositories that they lie in. What git cannot say counts as one of them.
        """
        from hermes_tui.checkpoints import gitenv

        left = set(folders)
        for folder in sorted(tops, key=len, reverse=True):
            prefix = f"{folder}/" if folder else ""
            mine = {path for path in folders if path.startswith(prefix)}
            folders = folders - mine
            try:
                ruled = gitenv.ruled(*self._places(folder), sorted(path[len(prefix) :] for path in mine))
            except CheckpointError:
                continue
            left -= {prefix + path for path in ruled}
        return left

    def _places(self, folder: str) -> tuple[Path, Path]:
        """Return a repository's work tree and git directory."""
        top = self._root / folder if folder else self._root
        return top, top / GIT if is_repository(top) else self._shadow

    def _mark(self, folder: str) -> object:
        from hermes_tui.checkpoints import gitenv

        named = _named_folder(self._places(folder)[1])
        shared = _shared_folder(named)
        files = [named / "index", shared / "config", shared / "info" / "exclude", Path(gitenv.excludes())]
        return [_signature(file) for file in files]


def is_repository(folder: Path) -> bool:
    """Whether `folder` is the top of a work tree: `.git` is a git directory, or a file that names one."""
    try:
        return (_named_folder(folder / GIT) / "HEAD").is_file()
    except OSError:
        return False


def head(root: Path) -> object:
    """Return a value that changes when HEAD or its branch moves (commit, reset, checkout)."""
    try:
        folder = _named_folder(root / GIT)
        text = (folder / "HEAD").read_bytes()
        log = folder / "logs" / "HEAD"
        return text, log.stat().st_size if log.exists() else 0
    except OSError:
        return None


def _named_folder(entry: Path) -> Path:
    """Return the git directory that `.git` is, or names in a linked work tree."""
    if entry.is_file():
        named = entry.read_text(errors="surrogateescape").removeprefix("gitdir:").strip()
        return entry.parent / named
    return entry


def _shared_folder(named: Path) -> Path:
    """Return the git directory that several work trees share, which a linked one names."""
    common = named / "commondir"
    return named / common.read_text().strip() if common.is_file() else named


def objects_of(top: Path) -> Path:
    """Return where the repository of the work tree `top` keeps its objects; `OSError` when it has none."""
    folder = _shared_folder(_named_folder(top / GIT)) / "objects"
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    return folder


def _signature(file: Path) -> Signature | None:
    try:
        return signature(file.stat())
    except OSError:
        return None
