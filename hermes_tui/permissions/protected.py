"""Places that always ask, whatever mode and rules say: what runs by itself, and what proves who you are."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_tui.engine.footprint import Access, Subject

RUNS_BY_ITSELF = (
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".config/fish",
    ".gitconfig",
    ".config/git",
    ".config/autostart",
    ".config/systemd",
    ".local/bin",
    "bin",
    ".vimrc",
    ".config/nvim",
    ".xprofile",
    ".xinitrc",
    "Library/LaunchAgents",
)
"""Below the home folder: a write there is run later, by the shell, git or the desktop."""

SECRETS = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".kube",
    ".docker/config.json",
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".password-store",
    ".config/gh",
    "Library/Keychains",
)
"""Below the home folder: reading them asks, too."""


MOST: Final = 1_000
"""Files of one protected folder that are compared with another name of a file."""

IGNORED: Final = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Characters that some file systems leave out when they compare names: `.g\\u200cit` is `.git` there."""

GIT_RUNS: Final = re.compile(r"/[^/]*\.git(/(hooks|config|info/attributes|modules|worktrees|commondir)|$)")
"""In a path: what makes git run something, or leads git elsewhere; also in a bare repository."""

COUNTS_IF_TRUSTED: Final = re.compile(r"/(\.hermes-tui(/|$)|\.mcp\.json$)")
"""In a path: what this program itself obeys in a folder that the user trusts."""


class Protected:
    """Knows the protected places for one user."""

    def __init__(self, home: Path, own: Iterable[Path]) -> None:
        self._written = tuple(str(home / name) for name in (*RUNS_BY_ITSELF, *SECRETS))
        self._read = tuple(str(home / name) for name in SECRETS)
        self._own = tuple(place for path in own for place in {str(path), os.path.realpath(path)})

    def why(self, subject: Subject) -> str | None:
        """Return why this path always asks, or None. Another name (hard link) of such a file asks, too."""
        if subject.kind != "path":
            return None
        if why := self._why(subject.text, subject):
            return why
        if names(subject.text) < 2:
            return None
        for other in self._files(subject.access is Access.READ, os.path.dirname(subject.text)):
            if same(subject.text, other):
                return f"{subject.text} is another name of {other}"
        return None

    def _why(self, text: str, subject: Subject) -> str | None:
        path = IGNORED.sub("", text).casefold()
        if within(path, self._own):
            return f"{text} belongs to hermes-tui itself"
        if subject.access is Access.READ:
            return f"{text} may hold keys" if within(path, self._read) else None
        if within(path, self._written) or GIT_RUNS.search(path):
            return f"{text} is run or trusted by other programs"
        if COUNTS_IF_TRUSTED.search(path):
            return f"{text} is obeyed by hermes-tui once the folder is trusted"
        return None

    def _files(self, reading: bool, beside: str) -> Iterator[str]:
        """Yield the protected files there are: in the home folder, of the program, of the git folder."""
        yield from regular(self._read if reading else self._written)
        yield from regular(self._own)
        if not reading:
            above = [beside, *(str(parent) for parent in Path(beside).parents)]
            yield from regular(f"{folder}/.git/{name}" for folder in above for name in ("hooks", "config"))


def names(path: str) -> int:
    """Return how many names a regular file has; 0 for anything else."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return 0
    return status.st_nlink if stat.S_ISREG(status.st_mode) else 0


def same(one: str, other: str) -> bool:
    """Whether two paths are names of one file."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def regular(places: Iterable[str]) -> Iterator[str]:
    """Yield the files among places and in the folders among them, one level down."""
    for place in places:
        try:
            with os.scandir(place) as entries:
                yield from (entry.path for entry in islice(entries, MOST) if entry.is_file())
        except NotADirectoryError:
            yield place
        except OSError:
            continue


def within(path: str, folders: Iterable[str]) -> bool:
    """Whether a case-folded path is one of the folders or below it."""
    return any(path == (f := folder.casefold()) or path.startswith(f + "/") for folder in folders)
