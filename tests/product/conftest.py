"""A project and a home for each test; the large checkout is made once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.product.support import checkout, environment


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of thousands of files, made once."""
    return checkout(tmp_path_factory.mktemp("large") / "shop")


@pytest.fixture
def big(large: Path, tmp_path: Path) -> Path:
    """A copy of it that the test may change."""
    return Path(shutil.copytree(large, tmp_path / "shop", symlinks=True))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small project of the same kind."""
    return checkout(tmp_path / "shop", files=20)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    return environment(home)
