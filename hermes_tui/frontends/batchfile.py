"""`hermes-tui plan`: reads a batch from a file and prints its plan. Runs nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.judge import judge
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.plan import plan
from hermes_tui.frontends.jsonline import json_line
from hermes_tui.tools.registry import Registry, discover

FORM = 'write a JSON array of {"name": "read_file", "arguments": {"path": "a.py"}}'


def plan_file(name: str, folder: Path, schedule: str) -> str:
    """Return the plan of the batch in file `name` (`-`: stdin), relative to `folder`, as one line of JSON.

    Raises `UsageError` when it cannot be read or is no batch.
    """
    calls = read_batch(read(name, folder))
    judged = judge(calls, Registry(discover()), folder)
    return json_line(plan(judged, schedule, folder).as_dict())


def read(name: str, folder: Path) -> bytes:
    """Return the file's bytes."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name}: cannot be read: {error.strerror}") from None


def read_batch(data: bytes) -> list[ToolCall]:
    """Return the calls; `arguments` is an object, `raw` the text as a server sent it."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}; {FORM}") from None
    if not isinstance(value, list):
        raise UsageError(f"a batch is an array; {FORM}")
    return [call(entry, number) for number, entry in enumerate(value, 1)]


def call(entry: Any, number: int) -> ToolCall:
    """Return one call of the batch."""
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise UsageError(f"call #{number} has no name; {FORM}")
    raw, arguments = entry.get("raw"), entry.get("arguments")
    if set(entry) - {"name", "arguments", "raw"} or (raw is None) == (arguments is None):
        raise UsageError(f"call #{number}: give name and either arguments or raw; {FORM}")
    if raw is not None and not isinstance(raw, str):
        raise UsageError(f"call #{number}: raw is text, as a server sent it")
    if arguments is not None and not isinstance(arguments, dict):
        raise UsageError(f"call #{number}: arguments is an object; text goes into raw")
    return ToolCall(str(number), entry["name"], raw if raw is not None else json.dumps(arguments))
