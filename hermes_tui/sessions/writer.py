"""The thread that writes: takes work in order, commits it in groups, and says when it falls behind.

What cannot be written stays in memory and is tried again; no turn ever waits longer than `PROMPTLY`.
"""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hermes_tui.engine.errors import SessionError
from hermes_tui.sessions import index
from hermes_tui.sessions.database import BUSY, DAMAGED, PAUSE, Database, Work, code, reason
from hermes_tui.sessions.salvage import repair

PROMPTLY: Final = 0.25
"""Seconds after which what is not written is said not to be."""
LAZY: Final = 0.8
"""Seconds that streamed text may wait, so that at most the last second of it is lost."""
QUIET: Final = 0.3
"""Seconds without work after which the search index is brought up to date."""
LATER: Final = (2.0, 4.0)
"""Seconds between two tries when the trouble is no lock."""
MOST_REPAIRS: Final = 3
"""How often in one run a damaged file is replaced: more, and it is the disk."""

Notice = Callable[[str, str], None]
"""Level, text. Called from any thread; must not wait for the writer."""


@dataclass(slots=True)
class _Item:
    work: Work[Any]
    done: threading.Event = field(default_factory=threading.Event)


class Writer:
    """Starts with its first work. Every method may be called from any thread but its own."""

    def __init__(self, path: Path, notice: Notice, lazily: Callable[[], Work[Any] | None]) -> None:
        """`lazily` returns what may wait until some time after `soon`, or None."""
        self._database = Database(path)
        self._notice = notice
        self._lazily = lazily
        self._news = threading.Condition()
        self._queue: deque[_Item] = deque()
        self._thread: threading.Thread | None = None
        self._lazy_due: float | None = None
        self._not_before = 0.0
        self._failing_since: float | None = None
        self._why = "the disk is slow"
        self._repairs = 0
        self._lost = False
        self._behind = False
        self._closing = False
        self._index_due: float | None = None

    def put(self, work: Work[Any], wait: bool = False) -> None:
        """Have `work` done behind all put before; `wait`: return when it is safe, or said not to be."""
        item = _Item(work)
        with self._news:
            if self._closing:
                return
            self._queue.append(item)
            self._wake()
            wait = wait and not self._behind
        if wait and not item.done.wait(PROMPTLY):
            self._fall_behind(item)

    def soon(self) -> None:
        """Have what `lazily` returns written within a second."""
        with self._news:
            if self._lazy_due is None and not self._closing:
                self._lazy_due = time.monotonic() + LAZY
                self._wake()

    def flush(self, timeout: float) -> bool:
        """Wait until all that was put is written; False when it is not in time."""
        item = _Item(lambda connection: None)
        with self._news:
            if self._thread is None or self._closing:
                return not self._queue
            self._queue.append(item)
            self._wake()
        return item.done.wait(timeout)

    def close(self, last: Work[Any], timeout: float) -> bool:
        """Write what is left and `last`, and let go of the file; False when not all could be written."""
        with self._news:
            thread, again, self._closing = self._thread, self._closing, True
            if thread is None or again:
                return True
            self._queue.append(_Item(last))
            self._news.notify()
        thread.join(timeout)
        return not (thread.is_alive() or self._lost)

    # -- its own thread -------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sessions", daemon=True)
            self._thread.start()
        self._news.notify()

    def _run(self) -> None:
        while True:
            with self._news:
                while (pause := self._pause()) != 0.0:
                    self._news.wait(pause)
                if self._closing and not self._queue and self._lazy_due is None:
                    break
            if self._lazy_due is not None and (self._closing or self._lazy_due <= time.monotonic()):
                self._take_lazy()
            if self._queue:
                self._commit()
            elif self._index_due is not None and self._index_due <= time.monotonic():
                self._index()
        self._database.close()

    def _pause(self) -> float | None:
        """Return the seconds until there is something to do; None: until somebody wakes us."""
        now = time.monotonic()
        if self._closing and not self._queue and self._lazy_due is None:
            return 0.0
        if self._queue or self._lazy_due is not None:
            due = self._not_before if self._queue or self._closing else self._lazy_due
        else:
            due = self._index_due
        return None if due is None else max(0.0, due - now)

    def _take_lazy(self) -> None:
        self._lazy_due = None
        if (work := self._lazily()) is not None:
            with self._news:
                self._queue.append(_Item(work))

    def _commit(self) -> None:
        with self._news:
            items = list(self._queue)
        try:
            self._database.write(lambda connection: [item.work(connection) for item in items])
        except (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError) as error:
            self._refused(items, error)
        except (sqlite3.Error, SessionError) as error:
            self._failed(error)
        else:
            self._done(items)

    def _refused(self, items: list[_Item], error: sqlite3.Error) -> None:
        """One of them can never be written: leave that one out, and say so."""
        if len(items) > 1:
            for item in items:
                try:
                    self._database.write(item.work)
                except (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError) as refusal:
                    self._notice("warning", f"a part of this session cannot be saved: {refusal}")
                except (sqlite3.Error, SessionError) as trouble:
                    self._failed(trouble)
                    return
                self._done([item])
        else:
            self._notice("warning", f"a part of this session cannot be saved: {error}")
            self._done(items)

    def _done(self, items: list[_Item]) -> None:
        with self._news:
            for item in items:
                self._queue.popleft()
                item.done.set()
            caught_up = self._behind and not self._queue
            self._behind = self._behind and not caught_up
        self._failing_since = None
        self._not_before = 0.0
        self._index_due = time.monotonic() + QUIET
        if caught_up:
            self._notice("info", "this session is saved again, all of it")

    def _failed(self, error: Exception) -> None:
        now = time.monotonic()
        self._why = reason(error)
        if isinstance(error, sqlite3.Error) and code(error) in DAMAGED and self._repaired(error):
            self._not_before = now + PAUSE[0]
            return
        locked = isinstance(error, sqlite3.Error) and code(error) in BUSY
        self._failing_since = self._failing_since or now
        self._not_before = now + random.uniform(*(PAUSE if locked else LATER))
        if not locked or now - self._failing_since > PROMPTLY:
            self._fall_behind()
        if self._closing and not locked:
            self._give_up()

    def _give_up(self) -> None:
        """Nothing but a lock is worth the wait at the end."""
        self._lost, self._lazy_due = True, None
        with self._news:
            self._queue.clear()

    def _repaired(self, error: sqlite3.Error) -> bool:
        """Put a sound file in the place of a damaged one; False when that cannot be done either."""
        self._database.close()
        self._repairs += 1
        if self._repairs > MOST_REPAIRS:
            return False
        try:
            said = repair(self._database.path, error)
        except (sqlite3.Error, SessionError, OSError) as trouble:
            self._why = reason(trouble)
            return False
        if said:
            self._notice("warning", said)
        return True

    def _fall_behind(self, item: _Item | None = None) -> None:
        with self._news:
            if self._behind or (item is not None and item.done.is_set()):
                return
            self._behind = True
        what = "it is kept in memory and written when it can be"
        self._notice("warning", f"this session is not being saved: {self._why}; {what}")

    def _index(self) -> None:
        """Index a little; the rest when there is nothing else to do again."""
        try:
            more = self._database.write(index.catch_up)
        except (sqlite3.Error, SessionError) as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT_VTAB:
                self._database.write(index.rebuild)
            self._index_due = time.monotonic() + LATER[0]
        else:
            self._index_due = time.monotonic() if more else None
