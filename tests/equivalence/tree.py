"""A small real tree that is built anew, in the same folder, before every run; and what it looks like after.

`p` is the project, `out` lies beside it. Names are few and close to each other, so that calls meet.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

BASE: Final = {
    "p/a": "x\none\n",
    "p/b": "one\ntwo\n",
    "p/ab": "x\n",
    "p/src/a": "x\ny\n",
    "p/src/b": "two\n",
    "p/src/sub/c": "x\n",
    "p/srcx/a": "one\n",
    "out/x": "x\nout\n",
    "out/d/y": "one\n",
}
"""Files that are always there."""

FILES: Final = {
    "p/A": "X\n",
    "p/.gitignore": "*b\n",
    "p/src/.gitignore": "sub/\n!b\n",
    "p/.ignore": "srcx\n",
    ".ignore": "c\n",
    "p/list": "b\n",
    "p/dos": "x\r\none\r\n",
}
"""Files that may be there."""

LINKS: Final = {
    "p/ln": "a",
    "p/ln2": "ln",
    "p/ldir": "src",
    "p/dangling": "new",
    "p/out": "../out",
    "p/ldeep": "src/sub",
    "p/loop": "loop",
    "p/src/l": "../new",
    "p/src/la": "../a",
    "p/src/up": "..",
    ".rgignore": "p/list",
    "out/back": "../p/src",
}
"""Symbolic links that may be there: to files, folders, nothing, out of the tree, into it, round in a circle.

None is an ignore file deep inside of what is searched: what such a link leads to is in no read set, since
only walking the tree would find it. Git does not follow it either; ripgrep does.
"""

HARD: Final = {"p/h": "p/a", "p/src/h": "out/x"}
"""Second names that a file may have."""

MODES: Final = {"p/ab": 0o755, "p/b": 0o600}
"""Modes that a file may have."""

REPOSITORY: Final = "repository"
TWEAKS: Final = (REPOSITORY, *FILES, *LINKS, *HARD, *(f"mode {name}" for name in MODES))
"""What may be added to the base, in the order in which it is."""

DATES: Final = {
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
}
"""So that a commit is the same whenever it is made."""

Snapshot = dict[str, tuple[str, str, bytes]]
"""For each path its kind and mode, the first name of the same file, and its content or target."""


@dataclass(frozen=True)
class Sandbox:
    """The folder that holds the tree."""

    root: Path
    """Canonical. The folder around it belongs to the sandbox too: a link that was moved may lead there."""

    @property
    def project(self) -> Path:
        """Where the calls' paths start."""
        return self.root / "p"

    @property
    def environment(self) -> dict[str, str]:
        """What commands inherit."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # ripgrep lies beside Python
        return {"PATH": path, "HOME": str(self.root / "home"), "LC_ALL": "C.UTF-8", **DATES}

    def build(self, tweaks: tuple[str, ...]) -> None:
        """Make the tree, whatever stood there before."""
        repository = self._repository if REPOSITORY in tweaks else {}
        for standing in self.root.parent.iterdir():
            _remove(standing)
        (self.root / "home").mkdir(parents=True)
        for name, content in repository.items():
            _write(self.root / name, content)
        files = BASE | {name: FILES[name] for name in tweaks if name in FILES}
        for name, text in files.items():
            _write(self.root / name, text.encode())
        for name in tweaks:
            if name in LINKS:
                (self.root / name).symlink_to(LINKS[name])
            elif name in HARD:
                (self.root / name).hardlink_to(self.root / HARD[name])
            elif name.startswith("mode "):
                (self.root / name[5:]).chmod(MODES[name[5:]])

    def snapshot(self) -> Snapshot:
        """Return all that stands there. Git's index holds times and is left out."""
        found: Snapshot = {}
        first: dict[int, str] = {}
        for folder, folders, files in os.walk(self.root.parent):
            folders.sort()
            for name in sorted([*folders, *files]):
                path = os.path.join(folder, name)
                short = os.path.relpath(path, self.root)
                if not short.endswith(".git/index"):
                    status = os.lstat(path)
                    same = first.setdefault(status.st_ino, short)
                    found[short] = (stat.filemode(status.st_mode), same, _content(path, status))
        return found

    @cached_property
    def _repository(self) -> dict[str, bytes]:
        """Return the files of a repository in which the base is committed."""
        self.build(())
        git = "git -c user.name=n -c user.email=e"
        script = (
            f"git init -q -b main --template= . && git config user.name n && git config user.email e"
            f" && git add a src && {git} commit -qm first && git add . && {git} commit -qm second"
        )
        subprocess.run(script, shell=True, cwd=self.project, env=self.environment, check=True)
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in (self.project / ".git").rglob("*")
            if path.is_file()
        }


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif os.path.lexists(path):
        path.unlink()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _content(path: str, status: os.stat_result) -> bytes:
    if stat.S_ISLNK(status.st_mode):
        return os.fsencode(os.readlink(path))
    return Path(path).read_bytes() if stat.S_ISREG(status.st_mode) else b""
