"""The hidden temporary files that a replacement is prepared in, and what a killed run left of them.

Everything that walks a tree may ask `is_temporary`; nothing but this file makes or cleans them.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

GLOB: Final = ".*.hermes-*.tmp"
"""Matches every temporary file, for tools that take globs."""

_NAME: Final = re.compile(r"\..*\.hermes-(\d+)-[0-9a-f]{8}\.tmp", re.DOTALL)
_OLD: Final = 600.0
"""Seconds after which the file of a dead process is a stray: the process may live in another container."""


def temporary_beside(path: Path) -> Path:
    """Return a fresh hidden name in the folder of `path`; not longer than a name may be."""
    return path.with_name(f".{path.name[:40]}.hermes-{os.getpid()}-{secrets.token_hex(4)}.tmp")


def is_temporary(name: str) -> bool:
    """Whether a file of this name is one of ours."""
    return _NAME.fullmatch(name) is not None


def clean(folder: Path) -> None:
    """Remove what killed runs left in `folder`: old enough, and their process is gone."""
    with suppress(OSError), os.scandir(folder) as entries:
        for item in entries:
            match = _NAME.fullmatch(item.name)
            if match and _is_stray(item, int(match[1])):
                with suppress(OSError):
                    os.unlink(item.path)


def _is_stray(item: os.DirEntry[str], pid: int) -> bool:
    """Whether nobody can be writing this file any more."""
    status = item.stat(follow_symlinks=False)
    if not item.is_file(follow_symlinks=False) or time.time() - status.st_mtime < _OLD:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False  # somebody else's, and alive
    return False
