"""What .gitignore, .ignore and .rgignore files mean, as git and ripgrep read them.

A file's patterns become a few dictionaries and two regular expressions, so that most names are judged
by one look-up: a large tree has millions of (name, pattern) pairs. Walks nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

_GLOB: Final = re.compile(r"[*?\[\\]")
_MAX_BYTES: Final = 1_000_000


@dataclass(slots=True)
class _Set:
    """Numbered patterns, sorted by how they are looked up. The highest number that fits decides."""

    names: dict[str, int] = field(default_factory=dict)
    """Whole names: `node_modules`."""
    suffixes: dict[str, int] = field(default_factory=dict)
    """Name ends after their last dot: `*.pyc` as `pyc`."""
    name_globs: list[tuple[int, str]] = field(default_factory=list)
    path_globs: list[tuple[int, str]] = field(default_factory=list)
    _compiled: tuple[re.Pattern[str] | None, re.Pattern[str] | None] | None = None

    def last(self, path: str, name: str) -> int:
        """Return the number of the last pattern that fits, or -1."""
        if self._compiled is None:
            self._compiled = (_union(self.name_globs), _union(self.path_globs))
        best = self.names.get(name, -1)
        if self.suffixes:
            best = max(best, self.suffixes.get(name.rpartition(".")[2], -1) if "." in name else -1)
        for pattern, text in zip(self._compiled, (name, path), strict=True):
            if pattern is not None and (match := pattern.match(text)):
                best = max(best, int((match.lastgroup or "n-1")[1:]))
        return best


class Rules:
    """The rules of one ignore file. `base` is the folder that its anchored patterns start from."""

    __slots__ = ("_files", "_folders", "_includes", "base")

    def __init__(self, text: str, base: str) -> None:
        self.base = base
        self._files = _Set()
        self._folders = _Set()
        self._includes: list[bool] = []
        """For each pattern whether it takes back (`!`) instead of ignoring."""
        for line in text.split("\n"):
            self._add(line.removesuffix("\r"))

    def verdict(self, path: str, name: str, folder: bool) -> bool | None:
        """Return whether `path` is ignored, or None if no rule names it. `path` is absolute, below `base`."""
        skip = len(self.base) + (self.base != "/")
        number = (self._folders if folder else self._files).last(path[skip:], name)
        return None if number < 0 else not self._includes[number]

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return bool(self._includes)

    def _add(self, line: str) -> None:
        """Take one line of the file."""
        pattern = _without_trailing_blanks(line)
        if not pattern or pattern.startswith("#"):
            return
        include = pattern.startswith("!")
        pattern = pattern[include:]
        only_folders = pattern.endswith("/")
        pattern = pattern.rstrip("/") if only_folders else pattern
        if not pattern:
            return
        number = len(self._includes)
        try:
            for each in (self._folders,) if only_folders else (self._folders, self._files):
                _sort_in(each, pattern, number)
        except re.error:
            return  # such as [z-a]: fits nothing
        self._includes.append(include)


def _sort_in(where: _Set, pattern: str, number: int) -> None:
    """Put one pattern where it is looked up."""
    if "/" in pattern:
        regex = _translated(pattern.removeprefix("/"))
        re.compile(regex)
        where.path_globs.append((number, regex))
    elif not _GLOB.search(pattern):
        where.names[pattern] = number
    elif pattern.startswith("*.") and not _GLOB.search(pattern[2:]) and "." not in pattern[2:]:
        where.suffixes[pattern[2:]] = number
    else:
        regex = _translated(pattern)
        re.compile(regex)
        where.name_globs.append((number, regex))


def _union(globs: list[tuple[int, str]]) -> re.Pattern[str] | None:
    """Return one expression for all, the last pattern first, its number in the group's name."""
    if not globs:
        return None
    return re.compile(
        "|".join(rf"(?P<n{number}>(?:{regex})\Z)" for number, regex in reversed(globs)), re.DOTALL
    )


def _without_trailing_blanks(line: str) -> str:
    """Return a line without blanks at its end, unless they are escaped."""
    stripped = line.rstrip(" \t")
    escapes = len(stripped) - len(stripped.rstrip("\\"))
    return line[: len(stripped) + 1] if escapes % 2 else stripped


@lru_cache(4096)
def _translated(glob: str) -> str:
    """Return a gitignore glob as a regular expression over a whole relative path (or name)."""
    result = ""
    index = 0
    if glob.startswith("**/"):
        result, index = "(?:.*/)?", 3
    while index < len(glob):
        rest = glob[index:]
        if rest == "/**":
            return result + "/.+"
        if rest.startswith("/**/"):
            result, index = result + "/(?:.*/)?", index + 4
        elif rest.startswith("*"):
            result, index = result + "[^/]*", index + len(rest) - len(rest.lstrip("*"))
        elif rest.startswith("?"):
            result, index = result + "[^/]", index + 1
        elif rest.startswith("["):
            piece, length = _character_class(rest)
            result, index = result + piece, index + length
        elif rest.startswith("\\") and len(rest) > 1:
            result, index = result + re.escape(rest[1]), index + 2
        else:
            result, index = result + re.escape(rest[0]), index + 1
    return result


def _character_class(rest: str) -> tuple[str, int]:
    """Return `[…]` at the start of `rest` as an expression, and how long it was; a lone `[` is itself."""
    index = 2 if rest[1:2] in ("!", "^") else 1
    start = index
    while index < len(rest) and (rest[index] != "]" or index == start):
        index += 2 if rest[index] == "\\" or rest.startswith("[:", index) else 1
    if index >= len(rest):
        return re.escape("["), 1
    inner = re.sub(r"\[:(\w+):\]", lambda match: _POSIX.get(match[1], ""), rest[start:index])
    inner = inner.replace("[", "\\[").replace("&&", "&\\&").replace("||", "|\\|").replace("~~", "~\\~")
    if inner.startswith(("]", "^")):
        inner = "\\" + inner
    return f"(?!/)[{'^' if start == 2 else ''}{inner}]", index + 1


_POSIX: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "digit": "0-9", "lower": "a-z", "upper": "A-Z",
    "space": r"\s", "xdigit": "0-9a-fA-F", "punct": r"!-/:-@\[-`{-~", "blank": r" \t",
}  # fmt: skip


def read_rules(file: Path, base: Path) -> Rules | None:
    """Return the rules of an ignore file, None if there are none or it cannot be read."""
    try:
        if not file.is_file():
            return None
        with file.open("rb") as stream:
            text = stream.read(_MAX_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return None
    return Rules(text.removeprefix("\ufeff"), str(base)) or None
