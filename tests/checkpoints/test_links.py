"""Rollback of files with more names than one (hard links)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkpoints.kit import Project


@pytest.mark.parametrize(
    "command",
    [
        "ln a.txt b.txt; echo more >> b.txt",
        "ln a.txt deep/b.txt; echo more >> deep/b.txt",
        "rm c.txt; ln a.txt c.txt; echo more >> c.txt",
    ],
)
def test_a_file_changed_by_a_name_that_the_command_gave_it_comes_back(tmp_path: Path, command: str) -> None:
    project = Project(tmp_path)
    project.put({"a.txt": "a\n", "c.txt": "c\n", "deep/d.txt": "d\n"})
    project.runs("true")
    before = project.tree()
    outcome = project.back(project.runs(command))
    assert (project.tree(), outcome.kept, outcome.failed) == (before, (), ())


def test_a_file_changed_by_a_name_of_an_earlier_command_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.put({"a.txt": "a\n"})
    project.runs("true")
    project.runs("ln a.txt b.txt")
    before = project.tree()
    outcome = project.back(project.runs("echo more >> b.txt"))
    assert (project.tree(), outcome.kept, outcome.failed) == (before, (), ())
