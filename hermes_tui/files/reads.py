"""What the model has seen of each file: the memory behind "the file changed since you read it".

Bounded: hashes are kept for every path, contents only for the newest small ones. Opens no file.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import StaleFile
from hermes_tui.engine.protocols import ABSENT
from hermes_tui.engine.state import Reads
from hermes_tui.files.diff import unified
from hermes_tui.files.encoding import readable
from hermes_tui.files.open import hash_bytes

MAX_CONTENT: Final = 1_000_000
"""Bytes of one file whose content is kept."""
MAX_KEPT: Final = 32_000_000
"""Bytes of all contents together; the oldest go first."""


class ReadLedger:
    """Implements `engine.state.Reads`. Paths are canonical. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hashes: dict[Path, str] = {}
        self._contents: OrderedDict[Path, bytes] = OrderedDict()
        self._kept = 0

    def note(self, path: Path, content_hash: str, text: bytes) -> None:
        """Remember what the model has seen; `text` is kept only if it is the whole content, and small."""
        keep = len(text) <= MAX_CONTENT and hash_bytes(text) == content_hash
        with self._lock:
            self._drop(path)
            self._hashes.pop(path, None)  # so that the newest is the last
            self._hashes[path] = content_hash
            if keep:
                self._contents[path] = text
                self._kept += len(text)
            while self._kept > MAX_KEPT:
                self._kept -= len(self._contents.popitem(last=False)[1])

    def hash(self, path: Path) -> str | None:
        """Return the hash the model last saw, or None."""
        with self._lock:
            return self._hashes.get(path)

    def paths(self) -> list[Path]:
        """Return what it has seen, newest last."""
        with self._lock:
            return list(self._hashes)

    def seen(self, path: Path) -> bytes | None:
        """Return the content the model last saw, or None if it is not kept."""
        with self._lock:
            return self._contents.get(path)

    def forget(self, path: Path | None = None) -> None:
        """Drop one path, or all."""
        with self._lock:
            for each in [path] if path else list(self._hashes):
                self._drop(each)
                self._hashes.pop(each, None)

    def _drop(self, path: Path) -> None:
        """Let go of one content."""
        self._kept -= len(self._contents.pop(path, b""))


def stale(reads: Reads, path: Path, now_hash: str, now: bytes | None, name: str) -> StaleFile | None:
    """Return the refusal of an edit if `path` is not what the model last saw, with what changed.

    `now_hash` and `now` are the hash and the content of what stands there (None: nothing, or too large
    to show). A file that the model never saw, or that is gone, is not stale.
    """
    if now_hash == ABSENT or reads.hash(path) in (None, now_hash):
        return None
    before = reads.seen(path)
    known = before is not None and now is not None
    changed = unified(readable(before or b""), readable(now or b""), name, limit=60) if known else ""
    return StaleFile(
        f"{name} changed since you last read it; nothing was written. Read it again and redo the change."
        + (f" What changed since:\n{changed}" if changed else "")
    )
