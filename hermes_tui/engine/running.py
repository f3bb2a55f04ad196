"""The batches that run now, of the session's agent and of its sub-agents: how one call is found by its id."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stoppable(Protocol):
    """A batch, as far as this table knows it."""

    def stop(self, call_id: str, force: bool) -> bool:
        """Stop one call alone; False when it has ended or is not here."""


class Running:
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batches: list[Stoppable] = []

    @contextmanager
    def during(self, batch: Stoppable) -> Iterator[None]:
        """Know a batch while the body runs it."""
        with self._lock:
            self._batches.append(batch)
        try:
            yield
        finally:
            with self._lock:
                self._batches.remove(batch)

    def stop(self, call_id: str, force: bool) -> bool:
        """Stop one call alone, the newest batch's first; False when it does not run."""
        with self._lock:
            batches = self._batches[::-1]
        return any(batch.stop(call_id, force) for batch in batches)
