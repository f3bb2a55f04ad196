"""The prompts of all sessions, oldest first, in one file of ours; a bad line costs only itself."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hermes_tui.config.paths import private_folder

KEEP: Final = 2_000
"""Prompts that are loaded and offered."""
LONGEST: Final = 100_000
"""Characters of a prompt that goes into the file; a longer one is remembered until the program ends."""


class History:
    """Appends to the file at once, so that a crash loses nothing; several instances may append."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._items: list[str] | None = None

    def items(self) -> list[str]:
        """Return the newest `KEEP` prompts, oldest first."""
        if self._items is None:
            self._items = self._load()
        return list(self._items)

    def add(self, text: str) -> None:
        """Remember one more; the same as the last one is not repeated."""
        known = self.items()
        if not text.strip() or known[-1:] == [text]:
            return
        self._items = [*known, text][-KEEP:]
        if len(text) > LONGEST:
            return
        private_folder(self._file.parent)
        line = json.dumps(text) + "\n"
        descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line.encode("ascii"))
        finally:
            os.close(descriptor)

    def recall(self, texts: Sequence[str]) -> None:
        """Offer the prompts of a session that is taken up before all others; nothing is written."""
        taken = set(texts)
        self._items = [*(text for text in self.items() if text not in taken), *texts][-KEEP:]

    def _load(self) -> list[str]:
        try:
            lines = self._file.read_bytes().split(b"\n")
        except OSError:
            return []
        found = []
        for line in lines[-KEEP:]:
            try:
                text = json.loads(line)
            except ValueError:
                continue
            if isinstance(text, str):
                found.append(text)
        return found
