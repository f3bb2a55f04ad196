"""The installed command on a real project: a checkout with thousands of files, an own home, no network."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.terminal import COMMAND

KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL")


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment with a home of its own and no settings from outside."""
    kept = {
        k: v for k, v in os.environ.items() if k not in KEYS and not k.startswith(("HERMES_TUI_", "GIT_"))
    }
    return {
        **kept,
        "HOME": str(home),
        "HERMES_TUI_HOME": str(home / "hermes"),
        "TERM": "xterm-256color",
        **more,
    }


@dataclass(frozen=True)
class Done:
    """What one run left."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of stream-json."""
        return [json.loads(line) for line in self.out.splitlines()]

    def only(self, kind: str) -> dict[str, Any]:
        """Return the one event of this type."""
        found = [line for line in self.lines if line["type"] == kind]
        assert len(found) == 1, (kind, self.out, self.err)
        return found[0]


def run(
    arguments: Sequence[str],
    folder: Path,
    environ: Mapping[str, str],
    before: Sequence[str] = (),
    text: str = "",
) -> Done:
    """Run the installed command to its end; `before` are words in front of it (setpriv …)."""
    done = subprocess.run(
        [*before, str(COMMAND), *arguments],
        cwd=folder,
        env=dict(environ),
        input=text.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Done(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )


def git(folder: Path, *arguments: str) -> str:
    """Run git by hand, as the user would."""
    identity = ["-c", "user.name=u", "-c", "user.email=u@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def checkout(folder: Path, files: int = 3000) -> Path:
    """Make a git project with a few well-known files and thousands of others."""
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# shop\n\nSells things.\n")
    (folder / "CHANGELOG.md").write_text("# Changes\n\n- first\n- second\n")
    (folder / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    for number in range(files):
        place = folder / "src" / f"part{number % 50}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"module{number}.py").write_text(f"value = {number}\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "start")
    return folder
