"""A small project and a home for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product.support import checkout, environment


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small project."""
    return checkout(tmp_path / "shop", files=5)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """An environment with a home of its own."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    return environment(home)
