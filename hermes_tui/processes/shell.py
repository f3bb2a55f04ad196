"""Which shell runs commands. Found once; never a login shell, which costs a hundred times as much."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Shell:
    """A shell and how it takes a command."""

    path: str
    is_bash: bool
    """False: the command may mean something else than its bash grammar says, so nothing is proven."""

    def argv(self, command: str) -> list[str]:
        """Return the words that run `command`; no start-up file is read, whatever the shell thinks it is."""
        options = ["--noprofile", "--norc"] if self.is_bash else []
        return [self.path, *options, "-c", command]


def find(path: str | None) -> Shell:
    """Return bash from the folders in `path` (None: those of the program), else `sh`."""
    bash = shutil.which("bash", path=path) or shutil.which("bash", path="/bin:/usr/bin:/usr/local/bin")
    return Shell(bash, True) if bash else Shell("/bin/sh", False)


@lru_cache(maxsize=1)
def default() -> Shell:
    """Return the shell of this machine."""
    return find(None)
