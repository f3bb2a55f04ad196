"""The program that `fallback.py` starts: searches files and prints ripgrep's `--json` lines.

What cannot be read is named on standard error, a line each.
"""

from __future__ import annotations

import base64
import codecs
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from hermes_tui.engine.errors import ToolError
from hermes_tui.files.open import read
from hermes_tui.files.walk import Walk
from hermes_tui.tools.search_files.dialect import compiled
from hermes_tui.tools.search_files.fallback import relative

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes of a file; it is held whole."""
_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def main(words: Sequence[str]) -> None:
    """Search the root for the pattern: root, lines of context, pattern."""
    root, context, pattern = Path(words[0]), int(words[1]), compiled(words[2])
    walk = Walk(root)
    for file in walk.files():
        try:
            data = text_of(read(file, _LARGEST))  # by its canonical path: a link by now is not followed
        except ToolError as error:
            print(error, file=sys.stderr)
            continue
        if data is not None:
            _print(relative(file, root), data, matching(pattern, data), context)
    for folder in walk.unreadable:
        print(f"{folder}: cannot be listed", file=sys.stderr)


def text_of(data: bytes) -> bytes | None:
    """Return a file's text as UTF-8, its byte order mark gone; None when it is binary."""
    encoding = _UTF16.get(data[:2])
    if encoding:
        data = data[2:].decode(encoding, "replace").encode("utf-8", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    return None if b"\0" in data else data


def matching(pattern: re.Pattern[str], data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the index of each matching line, from 0, and the byte of the line where the match starts."""
    text = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    if starts[-1] == len(text):
        starts.pop()
    position = 0
    while starts and (match := pattern.search(text, position)):
        index = bisect_right(starts, match.start()) - 1
        if match.start() == len(text) and text.endswith("\n"):
            return
        before = text[starts[index] : match.start()]
        yield index, len(before.encode("utf-8", "surrogateescape"))
        if index + 1 == len(starts):
            return
        position = starts[index + 1]


def _print(path: str, data: bytes, matches: Iterator[tuple[int, int]], context: int) -> None:
    """Print the events of one file, if anything matches."""
    found = dict(matches)
    if not found:
        return
    lines = data.split(b"\n")
    last = len(lines) - 1 - (not lines[-1])
    _event("begin", path=_value(path.encode("utf-8", "surrogateescape")))
    near = {
        other for index in found for other in range(max(0, index - context), min(last, index + context) + 1)
    }
    for index in sorted(near):
        kind = "match" if index in found else "context"
        submatches = [{"start": found[index]}] if index in found else []
        _event(kind, lines=_value(lines[index]), line_number=index + 1, submatches=submatches)
    _event("end", binary_offset=None)


def _event(kind: str, **data: Any) -> None:
    """Print one line."""
    sys.stdout.buffer.write(msgspec.json.encode({"type": kind, "data": data}) + b"\n")


def _value(data: bytes) -> dict[str, str]:
    """Return text as it is, other bytes as base64."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(data).decode()}
