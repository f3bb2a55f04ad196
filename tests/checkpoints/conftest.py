"""A project for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkpoints.kit import OPEN, Project


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close what a test opened: the system lets a user follow changes in so many places only."""
    yield
    for store in OPEN:
        store.close(0.0)
    OPEN.clear()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def repository(tmp_path: Path) -> Project:
    """A project under git with one commit."""
    project = Project(tmp_path)
    project.put({"a.txt": "one\n", "src/b.py": "b = 1\n", ".gitignore": "*.log\nbuild/\n.env\n"})
    project.sh("git init -q -b main && git add . && git commit -qm first")
    return project
