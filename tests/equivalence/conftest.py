"""One sandbox for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.equivalence.tree import Sandbox


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path.resolve() / "tree")
