"""Carries out a preview. Saves what stands there first; if that fails, nothing is restored.

Order: all contents ready in one folder of the project, then removals deepest first, then creations
shallowest first, each in an open folder and never through a link. Each path is checked once more right
before its step: what changed in the meantime is kept.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from hermes_tui.checkpoints.base import Base
from hermes_tui.checkpoints.objects import blob_id
from hermes_tui.checkpoints.plan_restore import Item
from hermes_tui.checkpoints.root import read
from hermes_tui.checkpoints.snapshot import STAGING
from hermes_tui.checkpoints.states import Signature, State, signature
from hermes_tui.engine.errors import CheckpointError

_SYNCS: Final = 8
_OPEN: Final = 0o700
"""What a folder needs while things in it come and go."""


@dataclass(slots=True)
class Done:
    """What became of each path."""

    restored: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Step:
    """One path with what was saved of it."""

    item: Item
    mark: Signature | None
    apart: bool = False
    """Whether it shared its file with another path only since: each gets one of its own again."""


def restore(base: Base, number: int, items: Sequence[Item]) -> Done:
    """Carry out `items` as the changes of checkpoint #`number`; the caller holds the ledger's lock.

    Raises `CheckpointError` when the present state cannot be saved or the contents cannot be put
    ready: then nothing was changed.
    """
    done = Done()
    steps = _save(base, items, done)
    staging = STAGING + secrets.token_hex(6)
    changes = [[s.item.path, s.item.present.encode(), s.item.target.encode()] for s in steps]
    effect = {"id": f"{number}.1", "n": number}
    intent = {"do": "intent", "owner": base.owners.mine, "staging": staging, "changes": changes}
    base.book.write([intent | effect], durable=True)
    try:
        with _staged(base, staging, steps) as ready:
            _carry_out(base, steps, ready, done)
    finally:
        good = {*done.restored, *done.deleted}
        outcomes = [_outcome(base, step.item, step.item.path in good) for step in steps]
        entries = [outcome for outcome in outcomes if outcome is not None]
        base.book.write([{"do": "done", "changes": entries} | effect], durable=True)
    return done


def _save(base: Base, items: Sequence[Item], done: Done) -> list[_Step]:
    """Keep what stands at each path; a path that is not what the preview saw is kept as it is."""
    steps: list[_Step] = []

    def contents() -> Iterator[tuple[str, bytes]]:
        for item in items:
            sight = base.root.look(item.path, base.limits.max_file_bytes)
            name = "" if sight.data is None else blob_id(sight.data)
            present = sight.state if sight.data is None else replace(sight.state, content=name)
            if present != item.present:
                done.kept.append((item.path, "it changed since the preview"))
                continue
            steps.append(_Step(item, sight.signature))
            if sight.data is not None:
                yield name, sight.data

    base.objects.put_many(contents())
    return _parted(steps)


def _parted(steps: Sequence[_Step]) -> list[_Step]:
    """Mark the paths that are one file now and were different ones."""
    targets: dict[int, set[State]] = {}
    for step in steps:
        if step.mark is not None:
            targets.setdefault(step.mark[2], set()).add(step.item.target)
    return [replace(step, apart=step.mark is not None and len(targets[step.mark[2]]) > 1) for step in steps]


@contextmanager
def _staged(base: Base, name: str, steps: Sequence[_Step]) -> Iterator[int]:
    """Give an open folder in the project that holds the content of step i as the file `i`, all synced."""
    with base.root.folder("") as root:
        try:
            os.mkdir(name, 0o700, dir_fd=root)
            with base.root.folder(name) as ready:
                for index, step in enumerate(steps):
                    if step.item.target.kind == "file":
                        _stage(base, ready, str(index), step.item.target)
                with ThreadPoolExecutor(_SYNCS) as pool:
                    list(pool.map(partial(_sync, ready), os.listdir(ready)))
                yield ready
        except OSError as error:
            raise CheckpointError(f"nothing was restored: {error.strerror}") from None
        finally:
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(name, dir_fd=root)


def _stage(base: Base, ready: int, name: str, target: State) -> None:
    data = base.objects.get(target.content)
    if data is None:
        raise CheckpointError("nothing was restored: a content is missing in the store")
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=ready)
    with open(file, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fchmod(file, target.mode)


def _sync(ready: int, name: str) -> None:
    """Sync one file. Several at once: the disk then writes them together."""
    file = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=ready)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _carry_out(base: Base, steps: Sequence[_Step], ready: int, done: Done) -> None:
    """Do all steps; one that fails stops no other."""
    modes = _let_in(base, steps)
    deepest_first = sorted(enumerate(steps), key=lambda pair: _deepest(pair[1].item.path))
    folders = _Folders(base)
    stuck = {
        step.item.path
        for _, step in deepest_first
        if _must_go(step.item) and not _try(folders, done, step.item, partial(_remove, step=step))
    }
    for index, step in reversed(deepest_first):
        item = step.item
        if item.path in stuck or item.target.kind == "absent":
            continue
        if item.target.kind == "folder":
            modes[item.path] = item.target.mode
        _try(folders, done, item, partial(_create, step=step, ready=ready, staged=str(index)))
    folders.close()
    for path in sorted(modes, key=lambda path: -path.count("/")):
        with contextlib.suppress(OSError), base.root.folder(path) as folder:
            os.fchmod(folder, modes[path])
    _sort_out(steps, done)


def _deepest(path: str) -> tuple[int, str]:
    """Sort deeper paths before others, those of one folder side by side."""
    return -path.count("/"), path.rpartition("/")[0]


def _sort_out(steps: Sequence[_Step], done: Done) -> None:
    """Tell what succeeded: all that neither failed nor was kept."""
    other = {path for path, _ in (*done.failed, *done.kept)}
    for step in steps:
        if step.item.path not in other:
            target = done.deleted if step.item.target.kind == "absent" else done.restored
            target.append(step.item.path)


def _must_go(item: Item) -> bool:
    """Whether what stands there is removed first; a file that stays a file is replaced in one step."""
    return item.present.kind != "absent" and item.present.kind != item.target.kind


def _try(folders: _Folders, done: Done, item: Item, step: Callable[[int, str], None]) -> bool:
    """Do one step in its open folder; note why it failed."""
    above, _, name = item.path.rpartition("/")
    try:
        step(folders.at(above), name)
        return True
    except _ChangedMeanwhile:
        done.kept.append((item.path, "it changed since the preview"))
    except OSError as error:
        done.failed.append((item.path, str(error.strerror).lower()))
    return False


class _Folders:
    """The folder of the last step stays open: neighbours need not look for it again."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._path: str | None = None
        self._stack = contextlib.ExitStack()
        self._folder = -1

    def at(self, path: str) -> int:
        """Return the open folder `path`; `OSError` when there is none."""
        if path != self._path:
            self.close()
            self._folder = self._stack.enter_context(self._base.root.folder(path))
            self._path = path
        return self._folder

    def close(self) -> None:
        """Let go of the open folder."""
        self._path = None
        self._stack.close()


class _ChangedMeanwhile(Exception):
    """What stands there is not what was saved."""


def _check(folder: int, name: str, step: _Step) -> None:
    """Raise unless the path is untouched since it was saved. A folder's contents may change."""
    try:
        mark = signature(os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        mark = None
    if step.item.present.kind == "folder" and mark is not None and step.mark is not None:
        if mark[2] != step.mark[2]:
            raise _ChangedMeanwhile
    elif mark != step.mark and not _still(folder, name, step):
        raise _ChangedMeanwhile


def _still(folder: int, name: str, step: _Step) -> bool:
    """Whether a file was only stamped anew, as by an earlier step that removed another name of it."""
    present, mark = step.item.present, step.mark
    return present.kind == "file" and mark is not None and _holds(folder, name, present, mark[3])


def _holds(folder: int, name: str, state: State, size: int) -> bool:
    """Whether a file is in that state, in which it has `size` bytes."""
    try:
        sight = read(name, folder, cap=size)
    except OSError:
        return False
    return sight.data is not None and replace(sight.state, content=blob_id(sight.data)) == state


def _let_in(base: Base, steps: Sequence[_Step]) -> dict[str, int]:
    """Give ourselves the right to change what is in each folder; return the modes to put back at the end."""
    modes = {}
    for step in steps:
        mode = step.item.present.mode
        if step.item.present.kind == "folder" and mode & _OPEN != _OPEN:
            above, _, name = step.item.path.rpartition("/")
            with contextlib.suppress(OSError, _ChangedMeanwhile), base.root.folder(above) as folder:
                _check(folder, name, step)
                os.chmod(name, mode | _OPEN, dir_fd=folder)
                modes[step.item.path] = mode
    return modes


def _remove(folder: int, name: str, step: _Step) -> None:
    _check(folder, name, step)
    if step.item.present.kind == "folder":
        os.rmdir(name, dir_fd=folder)
    else:
        os.unlink(name, dir_fd=folder)


def _create(folder: int, name: str, step: _Step, ready: int, staged: str) -> None:
    """Make the path what it was. Nothing that stands there is replaced but what was saved."""
    target, replaced = step.item.target, step.item.present.kind == step.item.target.kind
    if replaced:
        try:
            _check(folder, name, step)
        except _ChangedMeanwhile:
            if target.kind == "file" and _holds(folder, name, target, os.stat(staged, dir_fd=ready).st_size):
                return  # it came back by another name of the file
            raise
    elif _exists(folder, name):
        raise _ChangedMeanwhile
    if target.kind == "folder":
        if not replaced:
            os.mkdir(name, target.mode | _OPEN, dir_fd=folder)
    elif target.kind == "link":
        os.symlink(target.content, staged, dir_fd=ready)
        os.rename(staged, name, src_dir_fd=ready, dst_dir_fd=folder)
    else:
        _place(folder, name, ready, staged, step if replaced else None)


def _place(folder: int, name: str, ready: int, staged: str, over: _Step | None) -> None:
    """Put a staged file in place: by rename, or into the file itself when it has other names too."""
    if over is not None:
        old = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if old.st_nlink > 1 and not over.apart:
            _rewrite(folder, name, ready, staged)
            return
        if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
            with contextlib.suppress(OSError):
                os.chown(staged, old.st_uid, old.st_gid, dir_fd=ready, follow_symlinks=False)
    os.rename(staged, name, src_dir_fd=ready, dst_dir_fd=folder)


def _rewrite(folder: int, name: str, ready: int, staged: str) -> None:
    source = os.open(staged, os.O_RDONLY | os.O_CLOEXEC, dir_fd=ready)
    with open(source, "rb") as stream:
        data, mode = stream.read(), os.fstat(source).st_mode
    file = os.open(name, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    with open(file, "wb") as stream:
        stream.write(data)
        stream.truncate()
        stream.flush()
        os.fchmod(file, mode & 0o7777)
        os.fsync(file)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _outcome(base: Base, item: Item, succeeded: bool) -> list[Any] | None:
    """Return the change that the path went through, None for no change."""
    stands = item.target if succeeded else base.keep(item.path)[0]
    if stands == item.present or not stands.known:
        return None
    return [item.path, item.present.encode(), stands.encode()]
