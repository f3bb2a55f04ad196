"""How the program was started: folder, flags, environment, and the settings that follow. Opens nothing.

Light on purpose: the full screen needs no more than this for its first frame.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.config.load import Loaded, load
from hermes_tui.config.paths import Places, places
from hermes_tui.engine.errors import UsageError
from hermes_tui.project import Trust, find_project

SETTING_FLAGS = ("model", "base_url", "provider", "schedule", "max_parallel", "permission")


@dataclass(frozen=True, slots=True)
class Start:
    """How the program was started."""

    folder: Path
    """The folder to work in, as it is really called."""
    flags: Mapping[str, Any] = field(default_factory=dict)
    """The settings given as options."""
    trust: bool = False
    """Trust the folder's own files for this run."""
    headless: bool = False
    """Nobody is there to be asked."""
    go_on: bool = False
    """Go on with the project's session with the newest message."""
    resume: str = ""
    """Go on with the session whose id this is, or begins with this."""
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def home(self) -> Path:
        """The user's home folder."""
        return Path(self.environ.get("HOME") or Path.home()).resolve()

    @property
    def places(self) -> Places:
        """Where the program's own files lie."""
        return places(self.environ)

    @property
    def project(self) -> Path | None:
        """The project; None in the home folder and `/`."""
        return find_project(self.folder, self.home)

    @property
    def trusted(self) -> bool:
        """Whether the project's own files count."""
        project = self.project
        if project is None:
            return False
        return self.trust or Trust(self.places.trust_file).holds(project, self.folder)


def start_of(options: Mapping[str, Any], headless: bool = False) -> Start:
    """Return the start of a run with these options. Raises `UsageError`."""
    if options["go_on"] and options["resume"]:
        raise UsageError("--continue takes the newest session, --resume the one you name: give one of them")
    return Start(
        enter_folder(options),
        flags(options),
        options["trust"],
        headless=headless,
        go_on=options["go_on"],
        resume=options["resume"] or "",
    )


def load_settings(start: Start) -> Loaded:
    """Return the settings of this start. Raises `ConfigError` and `UsageError`."""
    own = start.project / ".hermes-tui" / "config.toml" if start.project and start.trusted else None
    return load(start.flags, start.environ, start.places.config_file, own)


def enter_folder(options: Mapping[str, Any]) -> Path:
    """Return the folder to work in, as it is really called; `UsageError` when it cannot be used."""
    text = options["folder"]
    try:
        folder = Path(text).expanduser().resolve(strict=True) if text else Path.cwd()
        with os.scandir(folder) as entries:
            next(entries, None)
    except FileNotFoundError:
        raise UsageError(
            f"no folder {text or 'here: the current one was removed'}; name one with -C DIR"
        ) from None
    except NotADirectoryError:
        raise UsageError(f"{text} is a file; -C takes a folder") from None
    except OSError as error:
        raise UsageError(
            f"{text or Path.cwd()} cannot be read: {error.strerror}; choose another folder"
        ) from None
    return folder


def flags(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that were given as options."""
    return {key: options[key] for key in SETTING_FLAGS if options[key] is not None}
