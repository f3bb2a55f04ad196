"""Places that always ask, whatever mode and rules say: what runs by itself, and what proves who you are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

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


class Protected:
    """Knows the protected places for one user."""

    def __init__(self, home: Path, own: Iterable[Path]) -> None:
        self._written = tuple(str(home / name) for name in (*RUNS_BY_ITSELF, *SECRETS))
        self._read = tuple(str(home / name) for name in SECRETS)
        self._own = tuple(str(path) for path in own)

    def why(self, subject: Subject) -> str | None:
        """Return why this path always asks, or None."""
        if subject.kind != "path":
            return None
        path = subject.text.casefold()
        if within(path, self._own):
            return f"{subject.text} belongs to hermes-tui itself"
        if subject.access is Access.READ:
            return f"{subject.text} may hold keys" if within(path, self._read) else None
        if within(path, self._written) or runs_in_git(path):
            return f"{subject.text} is run or trusted by other programs"
        return None


def within(path: str, folders: Iterable[str]) -> bool:
    """Whether a case-folded path is one of the folders or below it."""
    return any(path == (f := folder.casefold()) or path.startswith(f + "/") for folder in folders)


def runs_in_git(path: str) -> bool:
    """Whether a path lies in the parts of a `.git` folder that make git run something."""
    return any(
        f"/.git/{name}" in path + "/" for name in ("hooks/", "config", "info/attributes", "modules/")
    ) or (path.endswith("/.git"))
