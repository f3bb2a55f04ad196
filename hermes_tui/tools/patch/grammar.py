"""Reads the V4A patch text: which files it names, and what it wants of each.

    *** Begin Patch
    *** Update File: path        hunks, `@@ context` before each; *** Move to: path  may follow at once
    *** Add File: path           lines with + in front
    *** Delete File: path
    *** Move File: a -> b
    *** End Patch

Opens nothing. A text that is not that is `BadArguments`, so that it never runs in part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from hermes_tui.engine.errors import BadArguments

_RANGES: Final = re.compile(r"^-\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@)?")
_MARK: Final = re.compile(r"\*\*\* (?P<verb>Add|Update|Delete|Move) File: *(?P<path>.*)")
_END_OF_FILE: Final = "*** End of File"

EXAMPLE: Final = """\
*** Begin Patch
*** Update File: src/app.py
@@ def main():
-    old
+    new
*** End Patch"""


@dataclass(slots=True)
class Hunk:
    """One change inside a file: lines to find, each kept, removed or added."""

    anchors: list[str] = field(default_factory=list)
    """Lines that come before it, outermost first: the texts after `@@`."""
    lines: list[tuple[str, str]] = field(default_factory=list)
    """(sign, text): sign is blank, `-` or `+`."""
    at_end: bool = False
    """Whether it must fit the end of the file."""

    @property
    def before(self) -> list[str]:
        """The lines it expects to find."""
        return [text for sign, text in self.lines if sign != "+"]


@dataclass(slots=True)
class Operation:
    """What the patch wants of one file."""

    verb: str
    """Add, Update, Delete or Move."""
    path: str
    target: str | None = None
    """Where the file goes, for Move and for an Update with `*** Move to:`."""
    hunks: list[Hunk] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    """The lines of an Add."""


def parsed(patch: str) -> list[Operation]:
    """Return the operations in order; `BadArguments` says which line is wrong."""
    lines = [line.removesuffix("\r") for line in patch.split("\n")]
    numbered = [(number, line) for number, line in enumerate(lines, start=1)]
    while numbered and not numbered[0][1].strip():
        numbered.pop(0)
    while numbered and not numbered[-1][1].strip():
        numbered.pop()
    if not numbered or numbered[0][1].strip() != "*** Begin Patch":
        raise _wrong("the patch must start with the line *** Begin Patch")
    if numbered[-1][1].strip() != "*** End Patch":
        raise _wrong("the patch must end with the line *** End Patch; it may have been cut off")
    operations: list[Operation] = []
    for number, line in numbered[1:-1]:
        _take(operations, number, line)
    if not operations:
        raise _wrong("the patch names no file")
    for operation in operations:
        _finish(operation)
    return operations


def _take(operations: list[Operation], number: int, line: str) -> None:
    """Take one line: it starts an operation or belongs to the last one."""
    mark = _MARK.fullmatch(line.rstrip())
    if mark:
        operations.append(_started(number, mark["verb"], mark["path"]))
        return
    if not operations:
        if line.strip():
            raise _wrong(f"line {number} belongs to no file: {line[:80]!r}")
        return
    operation = operations[-1]
    if line.startswith("*** Move to:"):
        if operation.verb != "Update" or operation.target or operation.hunks:
            raise _wrong(f"line {number}: *** Move to: belongs right below *** Update File:")
        operation.target = _path(number, line.removeprefix("*** Move to:"))
    elif operation.verb == "Add":
        _take_content(operation, number, line)
    elif operation.verb == "Update":
        _take_hunk_line(operation, number, line)
    elif line.strip():
        raise _wrong(f"line {number}: nothing may follow *** {operation.verb} File: but the next file")


def _started(number: int, verb: str, rest: str) -> Operation:
    """Return the operation that a `*** … File:` line starts."""
    if verb != "Move":
        return Operation(verb, _path(number, rest))
    source, arrow, target = rest.partition(" -> ")
    if not arrow:
        raise _wrong(f"line {number}: write *** Move File: old/path -> new/path")
    return Operation(verb, _path(number, source), _path(number, target))


def _take_content(operation: Operation, number: int, line: str) -> None:
    """Take one line of a new file."""
    if line and not line.startswith("+"):
        raise _wrong(f"line {number}: each line of a new file starts with +, not {line[:1]!r}")
    operation.content.append(line[1:] if line else "\0")


def _take_hunk_line(operation: Operation, number: int, line: str) -> None:
    """Take one line of an update."""
    hunks = operation.hunks
    if line.startswith("@@"):
        if not hunks or hunks[-1].lines:
            hunks.append(Hunk())
        anchor = _RANGES.sub("", line.removeprefix("@@").strip(), count=1).strip()
        if anchor:
            hunks[-1].anchors.append(anchor)
    elif line.rstrip() == _END_OF_FILE:
        if not hunks:
            raise _wrong(f"line {number}: {_END_OF_FILE} comes after the lines of a change")
        hunks[-1].at_end = True
    elif line.startswith("\\ No newline"):
        return
    elif line[:1] in ("", " ", "-", "+"):
        if not hunks or hunks[-1].at_end:
            hunks.append(Hunk())
        # an empty line is empty context, or only stands between two sections: _finish decides
        hunks[-1].lines.append((line[:1] or "\0", line[1:]))
    else:
        raise _wrong(f"line {number} must start with a blank, - or +, not {line[:1]!r}: {line[:80]!r}")


def _finish(operation: Operation) -> None:
    """Take away blank lines between sections, and check that the operation says something."""
    while operation.content and operation.content[-1] == "\0":
        operation.content.pop()
    operation.content = ["" if line == "\0" else line for line in operation.content]
    for hunk in operation.hunks:
        while hunk.lines and hunk.lines[-1][0] == "\0":
            hunk.lines.pop()
        hunk.lines = [(" " if sign == "\0" else sign, text) for sign, text in hunk.lines]
    operation.hunks = [hunk for hunk in operation.hunks if hunk.lines]
    changes = any(sign != " " for hunk in operation.hunks for sign, _ in hunk.lines)
    if operation.verb == "Update" and not changes and not operation.target:
        raise _wrong(f"*** Update File: {operation.path} changes nothing: no line starts with - or +")


def _path(number: int, text: str) -> str:
    """Return a path as the patch names it."""
    if not text.strip():
        raise _wrong(f"line {number} names no file")
    return text.strip()


def _wrong(why: str) -> BadArguments:
    return BadArguments(f"patch: {why}. A patch looks like this:\n{EXAMPLE}")
