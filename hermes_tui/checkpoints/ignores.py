"""Which paths of the project its ignore rules leave out, nested repositories by their own rules.

Reads the user's repositories, never writes them.
"""

from __future__ import annotations

from pathlib import Path

GIT = ".git"
"""The name that no walk ever enters, and no checkpoint ever holds."""


class Ignores:
    """The ignore rules of one project, asked anew for each scan."""

    def __init__(self, root: Path, shadow: Path) -> None:
        self._root = root
        self._shadow = shadow
        """A git directory for a tree that has none of its own: `.gitignore` counts there too."""

    def of(self, folder: str, below: str = "") -> set[str]:
        """Return what is ignored in the repository whose top is `folder` ("" is the project).

        `below` narrows it down to one path of that repository.

        Paths are relative to the project; folders end in `/`. `CheckpointError` when git cannot say.
        """
        from hermes_tui.checkpoints import gitenv

        top = self._root / folder if folder else self._root
        repository = top / GIT if is_repository(top) else self._shadow
        found = gitenv.ignored(top, repository, below)
        return {f"{folder}/{path}" for path in found} if folder else found


def is_repository(folder: Path) -> bool:
    """Whether `folder` is the top of a work tree: `.git` is a file, or a git directory."""
    entry = folder / GIT
    return entry.is_file() or (entry / "HEAD").is_file()


def head(root: Path) -> object:
    """Return a value that changes when HEAD or its branch moves (commit, reset, checkout)."""
    folder = root / GIT
    try:
        if folder.is_file():
            named = folder.read_text(errors="surrogateescape").removeprefix("gitdir:").strip()
            folder = root / named
        text = (folder / "HEAD").read_bytes()
        log = folder / "logs" / "HEAD"
        return text, log.stat().st_size if log.exists() else 0
    except OSError:
        return None
