"""Shuts a command in with bubblewrap: no network, one folder writable, the rest read-only, secrets hidden.

Only builds the command line; whoever runs it decides what happens where bubblewrap does not work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

PROGRAM: Final = "bwrap"
SECRETS: Final = (
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gh", ".config/gcloud", ".netrc",
    ".npmrc", ".pypirc", ".git-credentials", ".password-store", ".mozilla", ".config/google-chrome",
    ".local/share/keyrings",
)  # fmt: skip
"""Below the home folder: what no computation needs to read."""


@dataclass(frozen=True, slots=True)
class Walls:
    """What a command may touch."""

    writable: tuple[Path, ...]
    """Folders that it may change."""
    read_only: tuple[Path, ...] = ()
    """Folders inside of those that it may not."""
    needed: tuple[Path, ...] = ()
    """What it runs from, also where temporary files lie, which it does not see otherwise."""
    hidden: tuple[Path, ...] = ()
    """Folders and files that are not there for it."""


def project_walls(project: Path, hidden: tuple[Path, ...], own: Path | None = None) -> Walls:
    """Return the walls around a project: it is writable, but for what decides about it and runs later.

    `own`: a folder that is writable, too.
    """
    kept = (project / ".git", project / ".hermes-tui", project / ".mcp.json")
    return Walls((project, *([own] if own else [])), kept, hidden=hidden)


@lru_cache(maxsize=1)
def lacking() -> str:
    """Return why bubblewrap cannot be used here; empty when it can. Tries it once."""
    if shutil.which(PROGRAM) is None:
        return "bubblewrap is not installed"
    trial = [PROGRAM, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "true"]
    try:
        done = subprocess.run(trial, capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    return (
        ""
        if done.returncode == 0
        else f"bubblewrap does not work: {done.stderr.decode(errors='replace').strip()}"
    )


@contextmanager
def scratch(**files: str) -> Iterator[Path]:
    """Give a private folder with these files for the time of one run; `code_py` is named code.py."""
    with tempfile.TemporaryDirectory(prefix="hermes-code-") as name:
        folder = Path(name).resolve()
        for key, text in files.items():
            (folder / key.replace("_", ".")).write_text(text, "utf-8", "replace")
        yield folder


def program(*names: str) -> str | None:
    """Return the first of these programs that is installed."""
    return next((found for name in names if (found := shutil.which(name))), None)


def shut_in(argv: Sequence[str], folder: Path, walls: Walls) -> list[str]:
    """Return the command that runs `argv` in `folder` behind the walls."""
    options = ["--die-with-parent", "--unshare-all", "--new-session", "--cap-drop", "ALL"]
    options += [
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--tmpfs",
        "/tmp",
        "--tmpfs",
        "/run",
    ]
    for path in walls.hidden:
        if path.is_dir():
            options += ["--tmpfs", str(path)]
        elif path.exists():
            options += ["--ro-bind", os.devnull, str(path)]
    for path in walls.needed:
        if path.is_relative_to("/tmp") or path.is_relative_to("/run"):
            options += ["--ro-bind", str(path), str(path)]
    for path in walls.writable:
        options += ["--bind", str(path), str(path)]
    for path in walls.read_only:
        if path.exists():
            options += ["--ro-bind", str(path), str(path)]
    return [PROGRAM, *options, "--chdir", str(folder), "--", *argv]


def secrets(home: Path) -> tuple[Path, ...]:
    """Return the places below a home folder that are hidden."""
    return tuple(home / name for name in SECRETS if (home / name).exists())
