"""What one call touches, and whether two calls conflict. Decides nothing about permission.

Everything else is derived from this one declaration: the schedule, the permission question and the
checkpoint. Must never name a tool.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
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
    """`command`, `path`, `url`, `mcp` (a server's tool) or `session` (what was said earlier)."""
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
    matches: tuple[str, ...] = ()
    """For a folder of which the call touches only what these patterns match: shell patterns, absolute."""


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
    def holds_nothing(self) -> bool:
        """Whether it keeps nothing from others: what it does is done by calls of its own."""
        return self.level is Level.UNDECLARED and not (self.reads or self.writes)

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


# -- does one call touch what another touches ----------------------------------------------------------

PERSON: Final = "person"
"""What two calls share that both need the user: a state name, no path."""


@lru_cache(maxsize=8192)
def components(path: str) -> tuple[str, ...]:
    """Return a path's components as they are compared: alike for all spellings a file system may equate."""
    # casefold of the decomposed form, composed again: "É" and "é", and both ways to write each, are one
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())
    return tuple(part for part in folded.split("/") if part and part != ".")


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of `reads` or `writes`, looked at once so that comparing it is cheap."""

    text: str
    parts: tuple[str, ...] | None
    """None for `ANYTHING` and for a state name."""
    links: tuple[int, int] | None = None
    """Device and inode of a file that has several names."""
    is_folder: bool = False

    def overlaps(self, other: Place) -> bool:
        """Whether the two may be, or hold, the same file or state."""
        if ANYTHING in (self.text, other.text):
            return True
        if self.parts is None or other.parts is None:
            return self.text == other.text
        shorter = min(len(self.parts), len(other.parts))
        if self.parts[:shorter] == other.parts[:shorter]:
            return True
        # another name of a file may lie in any folder: nobody can tell without walking it
        return bool(
            (self.links and (other.links == self.links or other.is_folder))
            or (other.links and self.is_folder)
        )


def place(text: str) -> Place:
    """Look at one entry of a footprint: a path, a state name or `ANYTHING`."""
    if "/" not in text:
        return Place(text, None)
    try:
        status = os.stat(text)
    except (OSError, ValueError):
        return Place(text, components(text))
    several = stat.S_ISREG(status.st_mode) and status.st_nlink > 1
    links = (status.st_dev, status.st_ino) if several else None
    return Place(text, components(text), links, stat.S_ISDIR(status.st_mode))


def overlap(a: str, b: str) -> bool:
    """Whether two entries of footprints may touch the same: equal, one inside the other, or hard links."""
    return place(a).overlaps(place(b))


class Touch:
    """A footprint whose paths were looked at, for comparing it with many others."""

    __slots__ = ("footprint", "reads", "writes")

    def __init__(self, footprint: Footprint) -> None:
        self.footprint = footprint
        self.reads = [place(path) for path in footprint.reads]
        self.writes = [place(path) for path in footprint.writes]

    def conflict(self, other: Touch) -> str | None:
        """Return what both touch so that their order matters, or None; `PERSON` for the user."""
        mine, theirs = self.footprint.level, other.footprint.level
        if Level.UNDECLARED in (mine, theirs):
            return ANYTHING
        if (mine is Level.INTERACTIVE and (theirs is mine or other.writes)) or (
            theirs is Level.INTERACTIVE and self.writes
        ):
            return PERSON
        return shared(self.writes, [*other.writes, *other.reads]) or shared(self.reads, other.writes)

    def meet(self, other: Touch) -> str | None:
        """Return a path that both touch in any way, reads included, or None."""
        return shared([*self.writes, *self.reads], [*other.writes, *other.reads])


def shared(some: Sequence[Place], others: Sequence[Place]) -> str | None:
    """Return the narrower name of the first overlap, or None."""
    for one in some:
        for other in others:
            if one.overlaps(other):
                return other.text if one.text == ANYTHING else max(one.text, other.text, key=_narrow)
    return None


def _narrow(text: str) -> int:
    return 0 if text == ANYTHING else len(text)


def conflicts(first: Footprint, second: Footprint) -> str | None:
    """Return what both touch so that their order matters (a path, `ANYTHING` or `PERSON`), or None.

    Write against read or write on overlapping paths; undeclared against everything; interactive against
    interactive and against writes.
    """
    return Touch(first).conflict(Touch(second))
