"""What one call touches, and whether two calls conflict. Decides nothing about permission.

Everything else is derived from this one declaration: the schedule, the permission question and the
checkpoint. Must never name a tool.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ANYTHING: Final = "*"
"""In reads or writes: nobody knows which paths, so all of them."""


class Level(StrEnum):
    """The four safety levels (design.md 1)."""

    SAFE = "safe"
    """Reads only, shares nothing: may always run side by side."""
    SCOPED = "scoped"
    """Touches exactly the paths it declares."""
    INTERACTIVE = "interactive"
    """Asks the user: never side by side with another."""
    UNDECLARED = "undeclared"
    """Everything else: alone, in order."""


class Hazard(StrEnum):
    """Why a person would want to be asked, worst last."""

    NONE = "none"
    OVERWRITES = "overwrites"
    DELETES = "deletes"
    OUTSIDE = "outside"
    NETWORK = "network"
    UNKNOWN = "unknown"


class Access(StrEnum):
    """What a subject does to what it names."""

    READ = "read"
    WRITE = "write"
    RUN = "run"
    """A command that is not proven read-only."""
    NETWORK = "network"


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a permission rule can match: a simple command, a path or a URL."""

    kind: str
    """`command`, `path` or `url`."""
    text: str
    """What rules match: a command's words joined by single blanks, a canonical path, a URL."""
    access: Access
    hazard: Hazard = Hazard.NONE
    span: tuple[int, int] | None = None
    """Characters [start, end) of the text shown in the question that name this subject; None: no mark."""
    pattern: str = ""
    """The narrowest pattern that "always" would store, without the tool's name: `git commit *`."""
    why: str = ""
    """In words, why a person is asked about it: "`rm` deletes recursively"; empty when it needs no asking."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What one call touches, for the given arguments.

    `reads` and `writes` are absolute canonical paths (symlinks resolved as far as they exist),
    `ANYTHING`, or names without a slash for state that is no file (`state:todo`). A read set is
    complete or `ANYTHING`. An undeclared call may declare narrower sets than `ANYTHING`.
    """

    level: Level
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    hazard: Hazard = Hazard.NONE
    subjects: tuple[Subject, ...] = ()
    why: str = ""
    """In words, why the call is undeclared: "`make` is not known to be safe"; else empty."""

    @property
    def may_write_files(self) -> bool:
        """Whether a checkpoint belongs before this call."""
        return any(path == ANYTHING or "/" in path for path in self.writes)

    @property
    def needs_scan(self) -> bool:
        """Whether its effects are only known by looking at the tree before and after."""
        return self.level is Level.UNDECLARED and self.may_write_files


def undeclared(why: str, subjects: tuple[Subject, ...] = (), hazard: Hazard = Hazard.UNKNOWN) -> Footprint:
    """Return the footprint of a call nothing is known about: it reads and writes anything."""
    return Footprint(Level.UNDECLARED, (ANYTHING,), (ANYTHING,), hazard, subjects, why)
