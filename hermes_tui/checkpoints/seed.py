"""The first look at a project under git: what its own repository holds need not be kept once more.

Each file is read and hashed all the same: the index is believed of no file. What is taken over is
linked or copied, so that nothing is missed after the user's git has tidied up. Reads the user's
repository with our settings, never writes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Thread
from typing import Final

from hermes_tui.checkpoints import gitenv
from hermes_tui.checkpoints.ignores import GIT, objects_of
from hermes_tui.engine.errors import CheckpointError

_ODD: Final = frozenset('"\n\r:')
"""Letters that have a meaning where paths are listed by lines, or by colons."""

_FOLDER: Final = 2
"""Letters of the name of a folder of objects."""


def taken_over(shadow: gitenv.Shadow, top: Path, paths: Iterable[str]) -> dict[str, str]:
    """Return path → blob id of those of `paths` that stand in the project's repository as they are.

    Their contents are in the shadow repository then, durably. Whatever fails makes the answer shorter.
    """
    try:
        source = objects_of(top)
        tracked = gitenv.tracked(top, top / GIT)
        likely = [path for path in paths if path in tracked and not _ODD & set(path)]
        hashed = zip(likely, _hashes(shadow, top, likely), strict=False)
        found = {path: name for path, name in hashed if tracked[path] == name}
        kept = _linked(shadow, source, set(found.values()))
        kept |= _packed(shadow, source, set(found.values()) - kept)
    except (CheckpointError, OSError):
        return {}
    return {path: name for path, name in found.items() if name in kept}


def _hashes(shadow: gitenv.Shadow, top: Path, paths: Sequence[str]) -> list[str]:
    """Return the blob ids of files as they are, up to the first that cannot be read."""
    halves = paths[: len(paths) // 2], paths[len(paths) // 2 :]
    answers: list[list[str]] = [[], []]

    def half(place: int) -> None:
        lines = b"".join(os.fsencode(path) + b"\n" for path in halves[place])
        output = shadow.ask(lines, "hash-object", "--no-filters", "--stdin-paths", folder=top)
        answers[place] = output.decode().split()

    other = Thread(target=half, args=(1,), name="first look", daemon=True)
    other.start()
    half(0)
    other.join()
    return answers[0] + answers[1] if len(answers[0]) == len(halves[0]) else answers[0]


def _linked(shadow: gitenv.Shadow, source: Path, names: set[str]) -> set[str]:
    """Link what the repository holds as a file of its own; return the names of what is linked."""
    target = f"{shadow.folder}/objects"
    linked: set[str] = set()
    for folder in (name for name in os.listdir(source) if len(name) == _FOLDER):
        wanted = names & {folder + name for name in os.listdir(source / folder)}
        if not wanted:
            continue
        os.makedirs(f"{target}/{folder}", mode=0o700, exist_ok=True)
        for name in wanted:
            if _is_whole(f"{source}/{folder}/{name[2:]}", name):
                with contextlib.suppress(FileExistsError):
                    place = f"{folder}/{name[2:]}"
                    os.link(f"{source}/{place}", f"{target}/{place}", follow_symlinks=False)
                linked.add(name)
        opened = os.open(f"{target}/{folder}", os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(opened)
        os.close(opened)
    return linked


def _is_whole(file: str, name: str) -> bool:
    """Whether a loose object holds what its name says: a crash may have cut it, and git would not notice."""
    try:
        with open(file, "rb") as stream:
            return hashlib.sha1(zlib.decompress(stream.read()), usedforsecurity=False).hexdigest() == name
    except (OSError, zlib.error):
        return False


def _packed(shadow: gitenv.Shadow, source: Path, names: set[str]) -> set[str]:
    """Copy what the repository holds in packs into one of ours; return the names of what is copied."""
    if not names or _ODD & set(str(source)):
        return set()
    lines = b"".join(name.encode() + b"\n" for name in names)
    pack = shadow.folder / "objects" / "pack" / "pack"
    shadow.ask(lines, "pack-objects", "-q", "--window=0", str(pack), more=source)
    return names
