"""A real project in a folder, with an agent that edits it and a user who does too."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from hermes_tui.checkpoints.plan_restore import Preview
from hermes_tui.checkpoints.recording import Recording
from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.store import CheckpointStore, Outcome
from hermes_tui.engine.door import canonical
from hermes_tui.engine.footprint import Access, Footprint, Hazard, Level, Subject
from hermes_tui.files.replace import SafeDisk
from hermes_tui.tools.terminal.footprint import footprint_of

Entry = tuple[str, int, bytes]
Tree = dict[str, Entry]

OPEN: list[CheckpointStore] = []
"""The stores that tests opened: each follows its project's changes until it is closed."""

QUIET_GIT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "user",
    "GIT_AUTHOR_EMAIL": "user@localhost",
    "GIT_COMMITTER_NAME": "user",
    "GIT_COMMITTER_EMAIL": "user@localhost",
}


class Project:
    """A project's folder and the program's view of it."""

    def __init__(self, base: Path, limits: Limits | None = None, session: str = "s1") -> None:
        self.base = base
        self.root = base / "project"
        self.root.mkdir(parents=True, exist_ok=True)
        self.home = base / "data" / "checkpoints"
        self.limits = limits or Limits()
        self.session = session
        self.notices: list[tuple[str, str]] = []
        self.store = self.reopened()

    def reopened(self, session: str | None = None) -> CheckpointStore:
        """Return another store on the same project, as another start of the program has it."""
        self.store = CheckpointStore(
            self.root, self.home, session or self.session, self.limits, self._notice, self.base / "data"
        )
        OPEN.append(self.store)
        return self.store

    @property
    def folder(self) -> Path:
        """The store's folder on the disk."""
        (found,) = self.home.iterdir()
        return found

    def _notice(self, level: str, text: str) -> None:
        self.notices.append((level, text))

    # -- the user -----------------------------------------------------------------------------------

    def put(self, files: Mapping[str, bytes | str]) -> None:
        """The user writes files."""
        for name, data in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)

    def sh(self, command: str) -> str:
        """The user runs a command."""
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env={**os.environ, **QUIET_GIT},
            capture_output=True,
            check=True,
            text=True,
            errors="surrogateescape",
        )
        return run.stdout

    def read(self, name: str) -> bytes:
        """What a file holds."""
        return (self.root / name).read_bytes()

    def tree(self) -> Tree:
        """All that stands in the project, without what git keeps for itself."""
        return tree(self.root)

    # -- the agent ----------------------------------------------------------------------------------

    def open(self, label: str = "a change") -> Recording:
        """Start a checkpoint."""
        recording = self.store.open(label)
        assert recording is not None, self.notices
        return recording

    def edit(self, name: str, data: bytes | str | None) -> int:
        """The agent writes or removes one file, as its tools do; return the checkpoint."""
        recording = self.open(f"write {name}")
        edit(recording, self.root / name, data)
        recording.close()
        return recording.number

    def command(self, command: str, writes: Iterable[str] = ()) -> int:
        """The agent runs a command; `writes` is what the classifier sees it write; return the checkpoint."""
        recording = self.open(command)
        with recording.scanned("call", footprint(command, [str(self.root / path) for path in writes])):
            self.sh(command)
        recording.close()
        return recording.number

    def runs(self, command: str) -> int:
        """The agent runs a command as its tool does: what it names is what the classifier sees."""
        recording = self.open(command)
        with recording.scanned("call", footprint_of(command, self.root)):
            self.sh(command)
        recording.close()
        return recording.number

    def back(self, number: int, paths: list[str] | None = None, force: bool = False) -> Outcome:
        """The user rolls back."""
        return self.store.restore(self.store.preview(number, paths, force))


def edit(recording: Recording, path: Path, data: bytes | str | None) -> None:
    """Make one edit in an open checkpoint, as the door to the disk does."""
    content = data.encode() if isinstance(data, str) else data
    real = Path(canonical(path, follow=content is not None))
    with recording.change(path, content), SafeDisk().stage(real, content) as rename:
        rename()


def footprint(command: str = "make", writes: Iterable[str] = ()) -> Footprint:
    """What a command that is not proven read-only declares."""
    subjects = [Subject("command", command, Access.RUN, Hazard.UNKNOWN)]
    subjects += [Subject("path", path, Access.WRITE, Hazard.DELETES) for path in writes]
    return Footprint(Level.UNDECLARED, ("*",), ("*",), Hazard.UNKNOWN, tuple(subjects))


def tree(root: Path) -> Tree:
    """Path → (kind, permission bits, content) of all below `root` but `.git`."""
    found: Tree = {}
    for base, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*folders, *(name for name in files if name != ".git")):
            path = os.path.join(base, name)
            found[os.path.relpath(path, root)] = entry(path)
    return found


def entry(path: str) -> Entry:
    """Return what stands at a path."""
    status = os.lstat(path)
    bits = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        return "link", 0, os.fsencode(os.readlink(path))
    if stat.S_ISDIR(status.st_mode):
        return "folder", bits, b""
    if stat.S_ISREG(status.st_mode):
        return "file", bits, Path(path).read_bytes()
    return "special", bits, b""


def actions(preview: Preview) -> dict[str, str]:
    """Path → what the preview says."""
    return {item.path: item.action for item in preview.items}
