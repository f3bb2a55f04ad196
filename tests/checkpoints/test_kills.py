"""Sessions that are killed at any moment: whole files, a usable store, the user's repositories untouched.

By hand: HERMES_CHECKPOINT_KILLS=10000 pytest tests/checkpoints/test_kills.py.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.engine.errors import CheckpointError
from hermes_tui.files.temporary import is_temporary
from tests.checkpoints.kit import Project, Tree
from tests.checkpoints.test_machine import MEMORY

KILLS = int(os.environ.get("HERMES_CHECKPOINT_KILLS", "200"))
IN_ONE = 20
"""Kills that one project has to bear."""
LONGEST = 0.16
"""Seconds that a session works before it is killed: about one round of what it does."""

OLD = {f"d{i % 5}/f{i}": f"old {i}\n" * 50 for i in range(40)}
WHOLE = {data.encode() for text in OLD.values() for data in (text, text.replace("old", "new"))}
WHOLE |= {b"edit\n", b"old\n", b"usable\n"}


def work(project: Project, beginning: int) -> None:
    """Scans, edits, restores and undoes, without end, beginning at one of them."""
    number = project.open("many").number
    steps: list[Callable[[], object]] = [
        lambda: project.command("sed -i s/old/new/ d*/*; rm -f d0/*"),
        lambda: project.back(project.store.list()[0].number),
        lambda: project.edit("d1/f1", "edit\n"),
        project.store.undo,
        lambda: project.back(number),
    ]
    while True:
        for step in steps[beginning:]:
            with contextlib.suppress(CheckpointError, subprocess.CalledProcessError):
                step()  # nothing to undo, nothing to change
        beginning = 0


def killed(project: Project, seconds: float, beginning: int) -> None:
    """Let a session of its own work for so long, then kill it and the commands that it runs."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setsid()
            os.write(writer, b"!")
            project.reopened()
            work(project, beginning)
        finally:
            os._exit(1)
    os.close(writer)
    os.read(reader, 1)
    select.select([reader], [], [], seconds)  # any moment will do, or its own end
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reader)


@pytest.mark.parametrize("seed", range(-(-KILLS // IN_ONE)))
def test_killed_at_any_moment_it_leaves_whole_files_and_a_usable_store(seed: int) -> None:
    """cases e/67: kill -9 in scans, edits and restores."""
    chance = random.Random(seed)
    base = Path(tempfile.mkdtemp(prefix="kills-", dir=MEMORY))
    try:
        project = Project(base)
        project.put({**OLD, "sub/q": "old\n"})
        project.sh(
            "git init -q -b main; git -C sub init -q -b main; git -C sub add .; git -C sub commit -qm 1"
        )
        theirs, first = repositories(project), project.tree()
        for _ in range(min(IN_ONE, KILLS)):
            killed(project, chance.uniform(0, LONGEST), chance.randrange(5))
            assert repositories(project) == theirs
            project.reopened()
            survives(project, first)
            project.store.close(10)  # no thread of ours may be alive when the process is doubled
    finally:
        shutil.rmtree(base)


def survives(project: Project, first: Tree) -> None:
    """See that every file is whole, and that all can be undone and brought back."""
    project.edit("after", "usable\n")
    before = settled(project)
    for path, (kind, _, content) in before.items():
        assert kind == "folder" or content in WHOLE or is_of_sed(path), path
    outcome = project.back(1)
    assert (outcome.kept, outcome.failed) == ((), ())
    assert settled(project) == first, project.notices
    project.store.undo()
    assert settled(project) == before


def repositories(project: Project) -> dict[Path, bytes]:
    """All that the project's repository and the one in it keep for themselves."""
    folders = (project.root / ".git", project.root / "sub/.git")
    return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}


def settled(project: Project) -> Tree:
    """The tree without what a killed edit had put ready beside a file: the next edits there clear it."""
    return {path: entry for path, entry in project.tree().items() if not is_temporary(os.path.basename(path))}


def is_of_sed(path: str) -> bool:
    """Whether it is what a killed `sed -i` itself leaves."""
    return path.rpartition("/")[2].startswith("sed")
