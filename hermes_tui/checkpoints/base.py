"""What the parts of one open store share. Made by `store`, handed to recording, restoring and keeping."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_tui.checkpoints.book import Book
from hermes_tui.checkpoints.ignores import GIT
from hermes_tui.checkpoints.lock import Lock, Owners
from hermes_tui.checkpoints.objects import Objects
from hermes_tui.checkpoints.root import Root
from hermes_tui.checkpoints.scan import Scanner
from hermes_tui.checkpoints.scans import Scans
from hermes_tui.checkpoints.states import Limits, Signature, State, shown

if TYPE_CHECKING:
    from hermes_tui.checkpoints.gitenv import Shadow

Notice = Callable[[str, str], None]


@dataclass(slots=True)
class Base:
    """One project's store, open."""

    root: Root
    folder: Path
    """The git directory of the shadow repository; our own files are in `hermes/` below it."""
    session: str
    limits: Limits
    notice: Notice
    book: Book
    objects: Objects
    shadow: Shadow
    git: Lock
    """Held while git writes the store: lock files found under it are left overs."""
    owners: Owners
    scanner: Scanner
    scans: Scans
    scanning: threading.RLock
    """Held while the tree is looked at."""
    ours: str
    """Our own data's folder, relative to the project, when it lies in it; else empty."""
    said: set[str] = field(default_factory=set)
    """What the user was told already."""

    def tell(self, level: str, text: str) -> None:
        """Tell the user something once in this run."""
        if text not in self.said:
            self.said.add(text)
            self.notice(level, text)

    def news(self, found: Mapping[str, str]) -> list[str]:
        """Return, in words, those of path → why that were not named in this run; they are from now on."""
        fresh = {path: why for path, why in found.items() if f"{path}\0" not in self.said}
        self.said.update(f"{path}\0" for path in fresh)
        return [f"{shown(path)} ({why})" for path, why in fresh.items()]

    def keep(self, path: str) -> tuple[State, Signature | None]:
        """Return the state at `path` and its signature; a file's content is kept, durably."""
        return self.root.stand(path, self.limits.max_file_bytes, self.objects.put)

    def inside(self, path: Path) -> str | None:
        """Return `path`, its folder resolved, relative to the project; None if it is outside."""
        parent = os.path.realpath(path.parent)
        full = os.path.join(parent, path.name)
        if full == str(self.root.path) or not full.startswith(f"{self.root.path}/".replace("//", "/")):
            return None
        return os.path.relpath(full, self.root.path)

    def refused(self, path: str) -> str:
        """Return why a path of the project is never recorded, or nothing."""
        if GIT in path.split("/"):
            return "a repository's own data"
        if self.ours and f"{path}/".startswith(f"{self.ours}/"):
            return "this program's own data"
        return ""
