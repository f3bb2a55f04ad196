"""These run by hand only: `pytest -m realserver`, after setup.sh."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.realserver.server import HOME, RealServer


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave them out unless they were asked for."""
    if "realserver" not in config.option.markexpr:
        ours = [item for item in items if item.get_closest_marker("realserver")]
        config.hook.pytest_deselected(items=ours)
        items[:] = [item for item in items if item not in ours]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not (HOME / "model.gguf").exists():
        pytest.fail(f"nothing is set up at {HOME}: run tests/realserver/setup.sh first")
    log: Path = tmp_path_factory.mktemp("real") / "server.log"
    with RealServer(log) as server:
        yield server
