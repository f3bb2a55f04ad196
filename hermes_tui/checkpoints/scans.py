"""The snapshots on the disk: the next start goes on from the newest, and a crash is settled by them.

A tree that hardly changed is written as its differences from one that was written whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from hermes_tui.checkpoints.snapshot import Entry, Snapshot
from hermes_tui.checkpoints.states import State

_FEW: Final = 10
"""Differences are written when they are less than this part of the whole."""


class Scans:
    """One project's folder of snapshots. One user at a time: the caller sees to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._whole: tuple[str, Snapshot] | None = None
        """The newest that is written whole, with its generation."""
        self._mine: set[str] = set()
        """What this process wrote or went on from, and may remove."""

    def save(self, snapshot: Snapshot, generation: str, needed: Iterable[str]) -> None:
        """Write a snapshot, and remove those before it that are not `needed`.

        Its name is a file's from then on; `generation` is the ledger's.
        """
        self._put(snapshot, generation)
        self._mine.add(snapshot.name)
        whole = [self._whole[1].name] if self._whole else []
        for name in self._mine - _parts([*needed, *whole, snapshot.name]):
            (self._folder / name).unlink(missing_ok=True)
            self._mine.discard(name)

    def load(self, name: str, generation: str) -> Snapshot | None:
        """Return a saved snapshot, None when it is damaged, gone or older than the last prune."""
        entries: dict[str, Entry] = {}
        if "+" in name:
            whole = self.load(name.partition("+")[0], generation)
            if whole is None:
                return None
            entries = dict(whole.entries)
        try:
            data = (self._folder / name).read_bytes()
            of, partial, changed, gone, opaque, looked = msgspec.msgpack.decode(data)
            if of != generation:
                return None
            snapshot = Snapshot(entries, partial=partial, name=name)
            for path in gone:
                del entries[os.fsdecode(path)]
            for path, mark, at, kind, mode, content in changed:
                seen: Any = tuple(mark)
                entries[os.fsdecode(path)] = Entry(seen, State(kind, mode, os.fsdecode(content)), at)
            for path, why, mark in opaque:
                snapshot.opaque[os.fsdecode(path)] = (why, mark)
            snapshot.looked.update(os.fsdecode(path) for path in looked)
            if "+" not in name:
                self._whole = generation, snapshot
        except (OSError, ValueError, TypeError, KeyError, msgspec.DecodeError):
            return None
        return snapshot

    def newest(self, generation: str) -> Snapshot | None:
        """Return the newest that can be gone on from."""
        files = [
            (file.stat().st_mtime, file.name) for file in os.scandir(self._folder) if file.name[0] != "."
        ]
        for _, name in sorted(files, reverse=True):
            found = self.load(name, generation)
            if found is not None and not found.partial:
                self._mine |= _parts([name])
                return found
        return None

    def tidy(self, keep: Iterable[str]) -> None:
        """Remove all but those named and the ones that they are differences from."""
        wanted = _parts(keep)
        for file in list(os.scandir(self._folder)):
            if file.name not in wanted:
                (self._folder / file.name).unlink(missing_ok=True)

    def has(self, snapshot: Snapshot) -> bool:
        """Whether it is on the disk."""
        return (self._folder / snapshot.name).exists()

    def _put(self, snapshot: Snapshot, generation: str) -> None:
        of, whole = self._whole or ("", None)
        if whole is not None and of == generation and (self._folder / whole.name).exists():
            entries = {path: e for path, e in snapshot.entries.items() if whole.entries.get(path) is not e}
            gone = whole.entries.keys() - snapshot.entries.keys()
            if (len(entries) + len(gone)) * _FEW < len(whole.entries):
                snapshot.name = f"{whole.name}+{snapshot.name.rpartition('+')[2]}"
                self._write(snapshot, generation, entries, gone)
                return
        snapshot.name = snapshot.name.rpartition("+")[2]
        self._write(snapshot, generation, snapshot.entries, ())
        self._whole = generation, snapshot

    def _write(
        self, snapshot: Snapshot, generation: str, entries: dict[str, Entry], gone: Iterable[str]
    ) -> None:
        changed = [
            (os.fsencode(path), e.signature, e.at, e.state.kind, e.state.mode, os.fsencode(e.state.content))
            for path, e in entries.items()
        ]
        opaque = [(os.fsencode(path), why, mark) for path, (why, mark) in snapshot.opaque.items()]
        looked = [os.fsencode(path) for path in snapshot.looked]
        left = [os.fsencode(path) for path in gone]
        data = msgspec.msgpack.encode((generation, snapshot.partial, changed, left, opaque, looked))
        temporary = self._folder / f".{snapshot.name}"
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(data)
        os.rename(temporary, self._folder / snapshot.name)


def _parts(names: Iterable[str]) -> set[str]:
    """Return the names with those of the whole snapshots that they are differences from."""
    return {part for name in names for part in (name, name.partition("+")[0])}
