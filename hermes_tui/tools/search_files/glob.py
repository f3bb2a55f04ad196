"""File name globs as ripgrep reads them: `*.py`, `src/**/*.{ts,tsx}`, `!*.min.js`. Case counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_PLAIN: Final = re.compile(r"[\w.*?-]+", re.ASCII)


def matcher(glob: str) -> Callable[[str], bool]:
    """Return whether a path, relative to the search's root, fits the glob.

    Without a slash it is held against the name, with one against the whole path; a leading `!` turns
    it round. Raises ValueError when its brackets or braces do not close.
    """
    wanted = not glob.startswith("!")
    body = glob.removeprefix("!").removeprefix("./")
    anchored = "/" in body.rstrip("/")
    expression = re.compile(_translated(body.strip("/")), re.DOTALL)

    def fits(path: str) -> bool:
        text = path if anchored else path.rpartition("/")[2]
        return (expression.fullmatch(text) is not None) == wanted

    return fits


def name_part(glob: str) -> str | None:
    """Return a glob for ripgrep that takes at least every name that fits `glob`; None if there is none."""
    name = glob.rpartition("/")[2]
    return name if name not in ("", "**") and not glob.startswith("!") and _PLAIN.fullmatch(name) else None


def _translated(glob: str) -> str:
    """Return the glob as a regular expression."""
    result = ""
    index = 0
    braces = 0
    while index < len(glob):
        piece, length = _piece(glob, index, braces)
        braces += {"(?:": 1, ")": -1}.get(piece, 0) if glob[index] in "{}" else 0
        result += piece
        index += length
    if braces:
        raise ValueError("a { without }")
    return result


def _piece(glob: str, index: int, braces: int) -> tuple[str, int]:
    """Return the expression for what stands at `index`, and how long that is."""
    character = glob[index]
    rest = glob[index:]
    if rest.startswith("**/") and (index == 0 or glob[index - 1] == "/"):
        return "(?:.*/)?", 3
    if rest == "/**":
        return "/.*", 3
    if character == "*":
        return "[^/]*", len(rest) - len(rest.lstrip("*"))
    if character == "?":
        return "[^/]", 1
    if character == "[":
        return _bracket(rest)
    if character == "{":
        return "(?:", 1
    if character == "}" and braces:
        return ")", 1
    if character == "," and braces:
        return "|", 1
    if character == "\\" and len(rest) > 1:
        return re.escape(rest[1]), 2
    return re.escape(character), 1


def _bracket(rest: str) -> tuple[str, int]:
    """Return `[a-z]` or `[!a-z]` as an expression, and its length."""
    negated = rest[1:2] in ("!", "^")
    start = 2 if negated else 1
    end = rest.find("]", start + 1)
    if end < 0:
        raise ValueError("a [ without ]")
    inner = "".join("-" if each == "-" else re.escape(each) for each in rest[start:end])
    try:
        re.compile(f"[{inner}]")
    except re.error as error:
        raise ValueError(str(error)) from None
    return f"(?!/)[{'^' if negated else ''}{inner}]", end + 1
