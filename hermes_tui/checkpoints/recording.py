"""One checkpoint while its calls run: intent before each effect, outcome after it.

Promises: what is not recorded is said; an effect whose intent cannot be written does not happen.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hermes_tui.checkpoints import commands
from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.ledger import net
from hermes_tui.checkpoints.objects import blob_id
from hermes_tui.checkpoints.states import ABSENT, State
from hermes_tui.engine.errors import CheckpointError
from hermes_tui.engine.footprint import Footprint

Entry = tuple[str, State, State]


class Recording:
    """An open checkpoint (engine.protocols.OpenCheckpoint). Thread-safe.

    A path outside the project is not covered: a restore never touches anything there, so the notice
    says it when the edit is made.
    """

    def __init__(self, base: Base, number: int, ended: Callable[[], None]) -> None:
        self._base = base
        self._number = number
        self._ended = ended
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._left_out: list[str] = []
        self._written: dict[str, int] = {}

    @property
    def number(self) -> int:
        """Its number in the project, from 1."""
        return self._number

    @contextmanager
    def change(self, path: Path, after: bytes | None) -> Iterator[None]:
        """Journal that `path` is going to hold `after` (None: absent), and then what became of it.

        Raises `CheckpointError` before the body runs when that cannot be saved.
        """
        before = self._before(path, after)
        effect = self._next_id()
        if before:
            changes = [[n, old.encode(), _intended(n, before, after).encode()] for n, old in before.items()]
            self._write({"do": "intent", "id": effect, "owner": self._base.owners.mine, "changes": changes})
        happened = False
        try:
            yield
            happened = True
        finally:
            if before:
                self._done(effect, before, after, happened)

    @contextmanager
    def scanned(self, call_id: str, footprint: Footprint) -> Iterator[None]:
        """Look at the tree before and after the body, and record the differences. Never stops a call."""
        run = None
        try:
            run = commands.begin(self._base, self._number, f"{self._next_id()}.{call_id}", footprint)
            self._leave_out(run.left_out)
        except (CheckpointError, OSError) as error:
            self._cannot(error)
        try:
            yield
        finally:
            if run is not None:
                try:
                    self._written[call_id] = commands.end(self._base, run)
                except (CheckpointError, OSError) as error:
                    self._cannot(error)

    def written(self, call_id: str) -> int:
        """Return the bytes of the files that a scanned call made or changed, as far as they were seen."""
        return self._written.get(call_id, 0)

    def not_covered(self) -> Sequence[str]:
        """Return what it cannot bring back, as far as no checkpoint of this run said it: "a (why)"."""
        with self._lock:
            return tuple(self._left_out)

    def close(self) -> int:
        """End the group; return how many paths changed."""
        with self._base.book.opened() as ledger:
            point = ledger.checkpoints.get(self._number)
            changed = len(net(point.changes)) if point else 0
        self._ended()
        return changed

    def _before(self, path: Path, after: bytes | None) -> dict[str, State]:
        """Return the state of all that the change may touch: new folders above it, a link's target."""
        found: dict[str, State] = {}
        skipped: dict[str, str] = {}
        entries = {path}
        if after is not None and path.is_symlink():
            entries.add(path.resolve())
        for entry in entries:
            name = self._base.inside(entry)
            if name is None:
                skipped[str(entry)] = "outside the project"
                continue
            for part in (*self._new_folders(name), name):
                why = self._base.refused(part)
                state = State("unknown", 0, why) if why else self._base.keep(part)[0]
                if state.known:
                    found[part] = state
                else:
                    skipped[part] = state.content
        if after is not None and len(after) > self._base.limits.max_file_bytes:
            skipped |= dict.fromkeys(found, "over the size that is kept")
            found = {}
        self._skip(skipped)
        return found

    def _new_folders(self, name: str) -> list[str]:
        """Return the folders above `name` that do not exist yet."""
        parts = name.split("/")[:-1]
        above = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
        missing = list(itertools.takewhile(lambda folder: self._base.root.status(folder) is None, above))
        return missing[::-1]

    def _after(self, before: Mapping[str, State], after: bytes | None) -> list[Entry]:
        """Return what the change did. Content is what was asked for: what stands there may be newer."""
        entries = []
        for name, old in before.items():
            new = self._base.root.look(name, self._base.limits.max_file_bytes).state
            if new.kind == "file" and after is not None:
                new = State("file", new.mode, self._base.objects.put(after, durable=False))
            entries.append((name, old, new))
        return entries

    def _stands(self, before: Mapping[str, State]) -> list[Entry]:
        """Return what stands there after a change that failed: most often what stood there before."""
        cap = self._base.limits.max_file_bytes
        return [(name, old, self._base.root.stand(name, cap, blob_id)[0]) for name, old in before.items()]

    def _done(self, effect: str, before: Mapping[str, State], after: bytes | None, happened: bool) -> None:
        """Record the outcome. It need not be durable: after a crash the disk tells it as well."""
        try:
            entries = self._after(before, after) if happened else self._stands(before)
            changes = [[n, a.encode(), b.encode()] for n, a, b in entries if a != b and b.known]
            self._write({"do": "done", "id": effect, "changes": changes}, durable=False)
        except CheckpointError as error:
            self._base.tell("warning", f"checkpoint #{self._number} is incomplete: {error}")

    def _write(self, record: dict[str, Any], durable: bool = True) -> None:
        self._base.book.write([{**record, "n": self._number}], durable)

    def _skip(self, skipped: Mapping[str, str]) -> None:
        """Record and say what is not covered."""
        if skipped:
            self._write({"do": "note", "skip": skipped, "lost": list(skipped)}, durable=False)
            if new := self._base.news(skipped):
                self._leave_out(new)
                self._base.notice("warning", f"checkpoint #{self._number} does not cover {', '.join(new)}")

    def _leave_out(self, found: Sequence[str]) -> None:
        with self._lock:
            self._left_out += found

    def _cannot(self, error: Exception) -> None:
        text = error.strerror if isinstance(error, OSError) else str(error)
        self._base.tell("warning", f"what this command changes is not covered by a checkpoint: {text}")

    def _next_id(self) -> str:
        with self._lock:
            return f"{self._number}.{next(self._ids)}"


def _intended(name: str, before: Mapping[str, State], after: bytes | None) -> State:
    """Return what a path of the change is going to be; the modes are not known yet."""
    if after is None:
        return ABSENT
    if any(other.startswith(f"{name}/") for other in before):
        return State("folder")
    return State("file", 0, blob_id(after))
