"""What readers see of a checkpoint: which files, how many lines, the difference as text."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hermes_tui.checkpoints.ledger import Checkpoint, net
from hermes_tui.checkpoints.states import State, shown

Content = Callable[[State], bytes | None]
"""Gives the bytes of a file or link, empty for the others, None when they are not to be had."""

_EXACT: Final = 4_000_000
"""Product of line counts up to which lines are matched one by one."""
_SHOWN: Final = 1_000_000
"""Bytes above which a difference is not shown line by line."""
_SNIFFED: Final = 8_000


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one checkpoint holds of one path."""

    path: str
    change: Literal["created", "modified", "deleted", "type"]
    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class CheckpointInfo:
    """One line of the list of checkpoints."""

    number: int
    time: float
    """Unix seconds."""
    label: str
    session: str
    kind: Literal["call", "rollback"]
    files: tuple[FileChange, ...]
    not_covered: tuple[tuple[str, str], ...]
    """(path, why it cannot be brought back)."""
    lost: tuple[str, ...] = ()
    """Those of them that changed all the same."""
    call: str = ""
    """The call that it was taken for, of the session's own agent."""


def info(point: Checkpoint, content: Content) -> CheckpointInfo:
    """Return what a list tells of one checkpoint. Folders are told only when nothing in them is."""
    ends = net(point.changes)
    above = {path[:i] for path in ends for i, letter in enumerate(path) if letter == "/"}
    files = [
        FileChange(path, _kind(old, new), *counts(old, new, content))
        for path, (old, new) in sorted(ends.items())
        if path not in above or "folder" not in (old.kind, new.kind)
    ]
    return CheckpointInfo(
        point.number,
        point.time,
        point.label,
        point.session,
        point.kind,
        tuple(files),
        tuple(sorted(point.not_covered.items())),
        tuple(sorted(point.lost)),
        point.call,
    )


def counts(old: State, new: State, content: Content) -> tuple[int, int]:
    """Return how many lines come and go; (0, 0) for what is no text."""
    first, last = content(old), content(new)
    if first == last or first is None or last is None or _binary(first) or _binary(last):
        return 0, 0
    return _counts(_lines(first), _lines(last))


def difference(path: str, old: State, new: State, content: Content) -> str:
    """Return the unified difference of one path, as git would print it."""
    name = shown(path)
    parts = [f"--- {'/dev/null' if old.kind == 'absent' else f'a/{name}'}\n"]
    parts.append(f"+++ {'/dev/null' if new.kind == 'absent' else f'b/{name}'}\n")
    if old.kind != new.kind and "absent" not in (old.kind, new.kind):
        parts.append(f"type {old.kind} becomes {new.kind}\n")
    elif old.mode != new.mode and "absent" not in (old.kind, new.kind):
        parts.append(f"mode {old.mode:04o} becomes {new.mode:04o}\n")
    elif "folder" in (old.kind, new.kind):
        parts.append("folder\n")
    return "".join(parts) + _body(content(old), content(new))


def _body(first: bytes | None, last: bytes | None) -> str:
    if first == last:
        return ""
    if first is None or last is None:
        return "The content is not in the store.\n"
    if _binary(first) or _binary(last):
        return f"Binary: {len(first)} bytes become {len(last)}.\n"
    if len(first) + len(last) > _SHOWN:
        return f"Too large to be shown: {len(first)} bytes become {len(last)}.\n"
    old, new = ([line.decode(errors="replace") for line in _lines(data)] for data in (first, last))
    lines = difflib.unified_diff(old, new)
    next(lines, None), next(lines, None)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _kind(old: State, new: State) -> Literal["created", "modified", "deleted", "type"]:
    if old.kind == "absent":
        return "created"
    if new.kind == "absent":
        return "deleted"
    return "modified" if old.kind == new.kind else "type"


def _counts(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int]:
    """Count lines that come and go, by matching them when that is quick, else by what occurs how often."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if len(old) * len(new) > _EXACT:
        first, last = Counter(old), Counter(new)
        return (last - first).total(), (first - last).total()
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    same = sum(block.size for block in blocks)
    return len(new) - same, len(old) - same


def _lines(data: bytes) -> list[bytes]:
    """Split at newlines only, and keep them."""
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _binary(data: bytes) -> bool:
    return b"\0" in data[:_SNIFFED]
