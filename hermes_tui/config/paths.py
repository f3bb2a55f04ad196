"""Where settings and data live (design.md 3.2). Names places; makes none but private folders."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """The program's own folders and files. Folders are 0700, files 0600."""

    config: Path
    """Folder of config.toml, of the user's themes, skills and commands."""
    data: Path
    """Folder of sessions.db, checkpoints/, permissions/ and trust.json."""
    state: Path
    """Folder of logs/ and of the prompt history."""

    @property
    def config_file(self) -> Path:
        """The user's settings."""
        return self.config / "config.toml"

    @property
    def plugins(self) -> Path:
        """Where the user's plugins lie."""
        return self.config / "plugins"

    @property
    def checkpoints(self) -> Path:
        """One folder a project lies below."""
        return self.data / "checkpoints"

    @property
    def permissions(self) -> Path:
        """One file of "always" rules a project lies below."""
        return self.data / "permissions"

    @property
    def memory(self) -> Path:
        """The notes that outlive a session: one file a project, one for the user."""
        return self.data / "memory"

    @property
    def sessions_file(self) -> Path:
        """All sessions, in one SQLite file."""
        return self.data / "sessions.db"

    @property
    def trust_file(self) -> Path:
        """Which folders the user trusts."""
        return self.data / "trust.json"

    @property
    def texts(self) -> Path:
        """What was too long for a conversation, and its pictures: one folder a session below it."""
        return self.state / "texts"

    @property
    def logs(self) -> Path:
        """Where log files go."""
        return self.state / "logs"

    @property
    def history_file(self) -> Path:
        """The prompts of all sessions, for the arrow keys."""
        return self.state / "history"


def places(environ: Mapping[str, str]) -> Places:
    """Return the places for this environment: `HERMES_TUI_HOME` beats XDG and the system's own."""
    if home := environ.get("HERMES_TUI_HOME"):
        base = Path(home).expanduser().absolute()
        return Places(base, base / "data", base / "state")
    import platformdirs

    name = "hermes-tui"
    return Places(
        Path(platformdirs.user_config_dir(name)),
        Path(platformdirs.user_data_dir(name)),
        Path(platformdirs.user_state_dir(name)),
    )


def private_folder(path: Path) -> Path:
    """Make `path` and what is missing above it, readable by the user alone, and return it."""
    missing = [path, *path.parents]
    for folder in reversed([p for p in missing if not p.exists()]):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def private_write(path: Path, text: str) -> None:
    """Replace a file of ours whole, atomically, readable by the user alone."""
    private_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
