"""Starts one command in a session of its own. Waits for nothing and collects nothing."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hermes_tui.engine.errors import ToolError
from hermes_tui.processes import shell
from hermes_tui.processes.environment import marked


@dataclass(frozen=True, slots=True)
class Child:
    """A command that was started. Its process id is also that of its group and session."""

    process: subprocess.Popen[bytes]
    mark: str
    """Stands in the environment of everything that belongs to it."""

    @property
    def pid(self) -> int:
        """The shell's process id."""
        return self.process.pid

    @property
    def pipe(self) -> IO[bytes]:
        """Where its output and errors arrive."""
        assert self.process.stdout is not None
        return self.process.stdout


def start(command: str, folder: Path, environment: Mapping[str, str]) -> Child:
    """Start `command` with bash: no terminal, an empty input, output and errors in one pipe.

    Raises `ToolError` when it cannot be started.
    """
    mark = uuid.uuid4().hex
    try:
        process = subprocess.Popen(
            shell.default().argv(command),
            cwd=folder,
            env=marked(environment, mark) | {"PWD": str(folder), "OLDPWD": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            bufsize=0,
        )
    except (OSError, ValueError) as error:
        raise ToolError(_reason(error, command, folder)) from None
    return Child(process, mark)


def _reason(error: OSError | ValueError, command: str, folder: Path) -> str:
    """Return what to do about a command that did not start."""
    if "\0" in command:
        return "the command holds a NUL character, which no program can be given; leave it out"
    if isinstance(error, UnicodeEncodeError):
        return "the command holds half a surrogate pair; send well-formed text"
    if not folder.is_dir():
        return f"the folder {folder} does not exist or is no folder; name an existing one as workdir"
    if isinstance(error, OSError) and error.filename == str(folder):
        return f"cannot enter the folder {folder}: {error.strerror}"
    if len(command) > 100_000:
        return "the command is too long for the system; write a script with write_file and run that"
    return f"the command could not be started: {error}"
