"""A small project in which lines are really run, and a way to see whether they changed anything."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

State = dict[str, tuple[int, bytes]]
"""Each path below the sandbox with its mode and content (or link target)."""

_TEXTS = {
    "a": "a b 1\nb c 2\nw x 9\n",
    "b": "a\nb\n",
    "f": "b\na\n",
    "n": "not tracked\n",
    "x.txt": "one\n",
    "hex": "6161\n",
    "hex2": "00000000: 6161\n",
    "names": "x\n",
    "cmds": "touch x\n",
    "s.awk": 'BEGIN { print 1 > "x" }\n',
    "s.sed": "w x\n",
    "magic": "0 string abc abc\n",
    "sourced": "touch x\n",
    "j": '{"a": 1}\n',
    "src/a.py": "a = 1\n",
    "src/b.py": "b = 2\n",
    "patch": "--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
}
_PROGRAMS = ("p", "cat", "git-st", "bin2/cat", "0/ls")
"""Each of them makes a file `x` when it runs."""

_GIT = """
git init -q --template= -b main . && git config user.name t && git config user.email t@t
git add a b src && git commit -qm one && git branch r && git tag old && git remote add o .
echo stashed >> a && git stash -q && echo more >> a
git init -q --template= -b main sub && cd sub && git config user.name t && git config user.email t@t
echo q > q && git add q && git commit -qm sub
"""


class Sandbox:
    """A folder that can be put back to how it was; it holds no links and no special files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self._home = folder / "home"
        self._home.mkdir()
        self._build()
        self.fresh = self.state()

    def _build(self) -> None:
        for name, text in _TEXTS.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for name in _PROGRAMS:
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("#!/bin/sh\n: > x\n")
            path.chmod(0o755)
        for name in ("bin", "empty"):
            (self.folder / name).mkdir()
        (self.folder / "big").write_text("".join(f"{number * 7919 % 10007}\n" for number in range(4_000)))
        with tarfile.open(self.folder / "a.tar", "w") as tar:
            tar.add(self.folder / "big", "member")
        with zipfile.ZipFile(self.folder / "z.zip", "w") as archive:
            archive.writestr("member", "m\n")
        (self.folder / "z.gz").write_bytes(gzip.compress(b"z\n"))
        (self.folder / "z.xz").write_bytes(lzma.compress(b"z\n"))
        subprocess.run(
            ["bash", "-ec", _GIT], cwd=self.folder, env=self._env(), check=True, capture_output=True
        )

    def reset(self) -> None:
        """Put everything back that was changed."""
        now = self.state()
        for path in sorted(now.keys() - self.fresh.keys()):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                Path(path).unlink(missing_ok=True)
        for path, (mode, content) in sorted(self.fresh.items()):
            if now.get(path) == (mode, content):
                continue
            if stat.S_ISDIR(mode):
                Path(path).mkdir(exist_ok=True)
            else:
                Path(path).unlink(missing_ok=True)
                Path(path).write_bytes(content)
            Path(path).chmod(stat.S_IMODE(mode))

    def _env(self) -> dict[str, str]:
        return {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self._home),
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def line(self, text: str) -> str:
        """Return the line with the place of the sandbox put in."""
        return text.replace("SANDBOX", str(self.folder)[1:])

    def run(self, text: str, **environment: str) -> tuple[int, bytes]:
        """Run a line in bash as the program runs one: no input, no terminal, a session of its own.

        Returns exit code and output.
        """
        with tempfile.TemporaryFile() as output:
            process = subprocess.run(
                ["bash", "-c", self.line(text)],
                cwd=self.folder,
                env=self._env() | {"PWD": str(self.folder)} | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                timeout=20,
                check=False,
            )
            output.seek(0)
            return process.returncode, output.read()

    def changed(self, within: float = 0.0) -> bool:
        """Whether anything is different from the start; looks until `within` seconds have gone by."""
        deadline = time.monotonic() + within
        while True:
            if self.state() != self.fresh:
                return True
            if time.monotonic() >= deadline:
                return False

    def state(self) -> State:
        """Return all that is there now."""
        found: State = {}
        waiting = [self.folder]
        while waiting:
            for entry in os.scandir(waiting.pop()):
                mode = entry.stat(follow_symlinks=False).st_mode
                content = b""
                if stat.S_ISDIR(mode):
                    waiting.append(Path(entry.path))
                elif stat.S_ISLNK(mode):
                    content = os.readlink(entry.path).encode()
                elif stat.S_ISREG(mode):
                    content = Path(entry.path).read_bytes()
                found[entry.path] = (mode, content)
        return found
