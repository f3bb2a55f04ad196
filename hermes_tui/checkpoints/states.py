"""What stands at a path: absent, a file, a link, a folder, or unknown. Opens nothing.

Unknown is not absent: what could not be looked at (ignored, over a cap, unreadable, special, on
another file system) is never recorded, never restored and never deleted.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import Any, Final, Literal

Kind = Literal["absent", "file", "link", "folder", "unknown"]

Signature = tuple[int, int, int, int, int]
"""mtime and ctime in ns, inode, size, mode: equal means untouched, unless the look was racy."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps of one project's store; the same names as the settings below `[checkpoints]`."""

    max_file_bytes: int = 10_000_000
    """A larger file is unknown."""
    max_files: int = 100_000
    """A tree with more files is not scanned; edits by tools stay covered."""
    max_total_bytes: int = 2_000_000_000
    """Of a larger tree the largest files are left out; a larger store loses its oldest in `prune`."""
    keep: int = 1_000
    """How many checkpoints `prune` leaves."""
    max_age_days: int = 90
    """Older ones go with `prune`."""

    @property
    def max_named_bytes(self) -> int:
        """What may be kept of ignored files below one path that a command names."""
        return self.max_total_bytes // 10


@dataclass(frozen=True, slots=True)
class State:
    """What stands at one path. Equal states are the same bytes with the same permission bits."""

    kind: Kind
    mode: int = 0
    """Permission bits of a file or folder; 0 for the others."""
    content: str = ""
    """A file's git blob id, a link's target, why it is unknown; else empty."""

    @property
    def known(self) -> bool:
        """Whether it may stand in the ledger."""
        return self.kind != "unknown"

    def encode(self) -> list[Any]:
        """Return it as a JSON value."""
        return [self.kind, self.mode, self.content]


ABSENT: Final = State("absent")


def decode(value: Any) -> State:
    """Return the state that `encode` gave; `ValueError` when it is none."""
    match value:
        case [("absent" | "file" | "link" | "folder") as kind, int(mode), str(content)]:
            return State(kind, mode, content)
    raise ValueError(f"not a state: {value!r}")


def unknown(reason: str) -> State:
    """Return the state of a path that cannot be looked at; `reason` in a few words."""
    return State("unknown", 0, reason)


def signature(status: os.stat_result) -> Signature:
    """Return what tells two looks at a path apart without reading it."""
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size, status.st_mode)


def bits(status: os.stat_result) -> int:
    """Return the permission bits."""
    return stat.S_IMODE(status.st_mode)


def amount(size: float) -> str:
    """Return a number of bytes for a reader: `2.1 GB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def shown(path: str) -> str:
    """Return a path for a reader: control characters and bytes that are no text as `\\xNN`, never alike."""
    return "".join(_shown(letter) for letter in path)


def _shown(letter: str) -> str:
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x20 or code == 0x7F else letter
