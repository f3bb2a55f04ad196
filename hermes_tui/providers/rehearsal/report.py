"""Sums up what the calls of a request gave back: real results, errors as errors, nothing made up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes_tui.providers.rehearsal.actions import Action, Kind
from hermes_tui.providers.rehearsal.comparison import FileText, compare, read_result
from hermes_tui.providers.rehearsal.phrases import Phrases, block, code

LINES: Final = 12
"""Lines of one result that are shown."""


def report(actions: Sequence[Action], results: Sequence[str], phrases: Phrases) -> str:
    """Return the summary; `results` are the tool messages of all calls of all actions, in order."""
    parts: list[str] = []
    rest = list(results)
    for action in actions:
        count = len(action.calls)
        own, rest = rest[:count], rest[count:]
        parts += (
            _compared(action, own, phrases) if action.kind is Kind.COMPARE else _told(action, own, phrases)
        )
    return "\n".join(parts)


def plain_report(names: Sequence[str], results: Sequence[str], phrases: Phrases) -> str:
    """Return the summary of calls that are not this request's own, by tool name."""
    return "\n".join(
        part
        for name, result in zip(names, results, strict=True)
        for part in _one(Kind.CALL, name, result, phrases)
    )


def _compared(action: Action, results: Sequence[str], phrases: Phrases) -> list[str]:
    files: list[FileText] = []
    parts: list[str] = []
    for call, result in zip(action.calls, results, strict=True):
        shown = read_result(call.label, result)
        if shown is None:
            parts += _one(Kind.WRITE, call.label, result, phrases)
        else:
            files.append(shown)
    return [*parts, *(compare(files, phrases) if len(files) >= 2 else [phrases.too_few])]


def _told(action: Action, results: Sequence[str], phrases: Phrases) -> list[str]:
    pairs = zip(action.calls, results, strict=True)
    return [part for call, result in pairs for part in _one(action.kind, call.label, result, phrases)]


def _one(kind: Kind, label: str, result: str, phrases: Phrases) -> list[str]:
    """Return one result: on the line of its label if it is one line, else as a block below it."""
    lines = [line for line in result.split("\n") if line.strip()]
    if not lines:
        return [f"- {code(label)}: {phrases.nothing}"]
    if len(lines) == 1:
        return [f"- {code(label)}: {code(lines[0])}"]
    left_out = len(lines) - LINES
    if left_out > 0:
        cut = phrases.more.format(count=left_out)
        lines = [cut, *lines[-LINES:]] if kind is Kind.RUN else [*lines[:LINES], cut]
    return [f"- {code(label)}:", "", block(lines), ""]
