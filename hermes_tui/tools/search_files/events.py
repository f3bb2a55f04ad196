"""Reads ripgrep's `--json` lines, from ripgrep itself or from the fallback, which prints the same."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from hermes_tui.tools.search_files.request import FileHits, Line, shown

_END = b'{"type":"end"'


Stands = Callable[[str, int, bytes], bool]
"""Whether in a file a line stands at a byte; a file is shown with lines that do, or not at all."""


def files(lines: Iterable[bytes], keep: int, stands: Stands = lambda *_: True) -> Iterator[FileHits]:
    """Yield each file that is no binary one, with at most `keep` matching lines and their context.

    What is shown of a file is asked `stands`; where no lines are kept, its first matching one.
    """
    current, good = FileHits(""), True
    for line in lines:
        if current.count > keep and not line.startswith(_END):
            current.count += line.startswith(b'{"type":"match"')
            continue
        event = msgspec.json.decode(line)
        kind, data = event["type"], event["data"]
        if kind == "begin":
            current, good = FileHits(_text(data["path"]).removeprefix("./")), True
        elif kind == "end":
            # ripgrep stops at the first NUL: what stood before it depends on how it read
            if data["binary_offset"] is None and current.count and good:
                yield current
            current = FileHits("")
        elif kind in ("match", "context"):
            current.count += kind == "match"
            if current.count <= max(keep, 1):
                good = good and stands(current.path, data.get("absolute_offset", 0), _bytes(data["lines"]))
            if current.count <= keep:
                current.lines.append(_line(data, kind == "match"))


def _line(data: dict[str, Any], matches: bool) -> Line:
    """Return one line of the file."""
    start = data["submatches"][0]["start"] if data["submatches"] else 0
    return Line(data["line_number"], shown(_bytes(data["lines"]), start), matches)


def _text(value: dict[str, str]) -> str:
    """Return a path, bytes that are no UTF-8 as lone surrogates."""
    return _bytes(value).decode("utf-8", "surrogateescape")


def _bytes(value: dict[str, str]) -> bytes:
    """Return `{"text": …}` or `{"bytes": base64}`."""
    return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])
