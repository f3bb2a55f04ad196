"""Contents are durable when an edit starts, though their objects are synced behind it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hermes_tui.checkpoints.wal import Wal, left
from tests.checkpoints.kit import Project

_EDITS = """
import os, sys
from pathlib import Path
from tests.checkpoints.kit import Project
project = Project(Path(sys.argv[1]))
project.edit("a", "the agent's\\n")
project.edit("b", "the agent's\\n")
os._exit(9)
"""


def crashed(base: Path) -> None:
    """Another process edits two files and is gone before anything was done behind the edits."""
    run = subprocess.run(
        [sys.executable, "-c", _EDITS, str(base)], check=False, cwd=Path(__file__).parents[2]
    )
    assert run.returncode == 9


@pytest.mark.parametrize("damage", ["unlink", "empty", "cut"])
def test_objects_that_a_power_cut_took_are_put_back_at_the_next_start(tmp_path: Path, damage: str) -> None:
    project = Project(tmp_path)
    project.put({"a": "the user's a\n", "b": "the user's b\n"})
    before = project.tree()
    crashed(tmp_path)
    for file in (project.folder / "objects").glob("[0-9a-f][0-9a-f]/*"):
        data = file.read_bytes()
        file.unlink()
        if damage != "unlink":
            file.write_bytes(data[: len(data) // 2] if damage == "cut" else b"")
    project.reopened()
    project.back(1)
    assert project.tree() == before


def test_nothing_stays_behind_once_the_objects_are_synced(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    project.store.close(20)
    assert list((project.folder / "hermes" / "contents").iterdir()) == []


def test_a_log_that_was_cut_gives_what_is_whole(tmp_path: Path) -> None:
    log = Wal(tmp_path, "log")
    for content in (b"first", b"second\nwith a line", b""):
        log.add(content)
    data = (tmp_path / "log").read_bytes()
    found = []
    for end in range(len(data) + 1):
        (tmp_path / "part").write_bytes(data[:end])
        found.append(len(list(left(tmp_path / "part"))))
    assert found == sorted(found)
    assert found[-1] == 3
    assert list(left(tmp_path / "log")) == [b"first", b"second\nwith a line", b""]
    (tmp_path / "log").write_bytes(data.replace(b"second", b"sec0nd"))
    assert list(left(tmp_path / "log")) == [b"first"]
