"""Short ways to write one call of a case."""

from __future__ import annotations

import json

Call = tuple[str, str]


def command(line: str, **more: object) -> Call:
    """A terminal call."""
    return "terminal", json.dumps({"command": line, **more})


def write(path: str, content: str = "z\n") -> Call:
    """A write_file call."""
    return "write_file", json.dumps({"path": path, "content": content})


def read(path: str) -> Call:
    """A read_file call."""
    return "read_file", json.dumps({"path": path})


def search(path: str, pattern: str = "x") -> Call:
    """A search_files call."""
    return "search_files", json.dumps({"pattern": pattern, "path": path})


def patch(*parts: str) -> Call:
    """A V4A patch."""
    text = "\n".join(["*** Begin Patch", *parts, "*** End Patch"])
    return "patch", json.dumps({"mode": "patch", "patch": text})
