"""The memory provider that is shipped: an embedded vector database, one folder a project.

Must not be imported before it is needed: the library takes seconds.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hermes_tui.engine.recall import MemoryPlace, Remembered

if TYPE_CHECKING:
    from lancedb.query import LanceVectorQueryBuilder
    from lancedb.table import Table

TIDIED_EVERY: Final = 50
"""Turns kept between two times that the files are put together."""
OLD: Final = timedelta(hours=1)
"""How long a state of the table stays for another session that may be reading it."""


def lacking() -> str | None:
    """Return what to install, or None."""
    return None if find_spec("lancedb") else "install hermes-tui[vectors]"


class LanceMemory:
    """Implements `engine.recall.MemoryProvider`."""

    def __init__(self, place: MemoryPlace) -> None:
        import lancedb

        self._place = place
        self._database = lancedb.connect(place.folder)
        self._name = f"turns-{hashlib.sha256(place.model.encode()).hexdigest()[:12]}"
        self._stored = 0

    def recall(self, query: str, limit: int) -> list[Remembered]:
        """Return the nearest turns by the angle between vectors."""
        table = self._table()
        if table is None:
            return []
        (vector,) = self._place.embed([query])
        rows: list[dict[str, Any]] = self._near(table, vector).limit(limit).to_list()
        return [
            Remembered(row["text"], row["time"], row["session"], score=1 - row["_distance"]) for row in rows
        ]

    def store(self, turn: Remembered) -> None:
        """Keep one turn with its vector."""
        (vector,) = self._place.embed([turn.text])
        row = {"vector": vector, "text": turn.text, "time": turn.time, "session": turn.session}
        table = self._table()
        if table is None:
            table = self._database.create_table(self._name, data=[row], exist_ok=True)
        else:
            table.add([row])
        self._stored += 1
        if self._stored % TIDIED_EVERY == 0:
            table.optimize(cleanup_older_than=OLD)
        _for_the_user_alone(self._place.folder)

    def close(self) -> None:
        """Nothing is held open."""

    def _near(self, table: Table, vector: list[float]) -> LanceVectorQueryBuilder:
        """Return the search for what is near to a vector."""
        from lancedb.query import LanceVectorQueryBuilder

        near = table.search(vector, query_type="vector")
        assert isinstance(near, LanceVectorQueryBuilder), near
        return near.distance_type("cosine")

    def _table(self) -> Table | None:
        """Return the table as it is now, or None while nothing was kept."""
        if self._name not in self._database.list_tables().tables:
            return None
        return self._database.open_table(self._name)


def _for_the_user_alone(folder: Path) -> None:
    """Set the modes of what the library wrote; nobody else could enter the folder meanwhile."""
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
