"""The ledger that all sessions of a project share: one lock, one journal, one structure in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hermes_tui.checkpoints.journal import Journal, Record
from hermes_tui.checkpoints.ledger import Ledger
from hermes_tui.checkpoints.lock import Lock


class Book:
    """The ledger with its lock. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._lock = Lock(folder / "lock")
        self._journal = Journal(folder / "journal")
        self._ledger = Ledger()
        self._numbers_seen = 0

    @contextmanager
    def opened(self) -> Iterator[Ledger]:
        """Hold the lock and give the ledger with all that other sessions wrote."""
        with self._lock.held():
            self._refresh()
            yield self._ledger

    def write(self, records: Sequence[Record], durable: bool) -> None:
        """Append records; with `durable` they are on the disk on return."""
        with self._lock.held():
            self._refresh()
            self._journal.append(records, durable)
            self._refresh()

    def rewrite(self, records: Sequence[Record]) -> None:
        """Put `records` in place of the whole journal."""
        with self._lock.held():
            self._journal.replace(records)
            self._refresh()

    def seen(self, number: int) -> None:
        """Take note that `number` was used, whatever the journal says: it is not used again."""
        self._numbers_seen = max(self._numbers_seen, number)
        self._ledger.next = max(self._ledger.next, number + 1)

    @property
    def damaged(self) -> int:
        """How many lines of the journal cannot be read."""
        return self._journal.damaged + self._ledger.damaged

    def close(self) -> None:
        """Let go of the file."""
        self._journal.close()

    def _refresh(self) -> None:
        fresh, records = self._journal.read()
        if fresh:
            self._ledger = Ledger()
            self._ledger.next = self._numbers_seen + 1
        self._ledger.apply(records)
