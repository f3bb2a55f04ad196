"""Writes one setting into config.toml; comments, order and everything else stay as they are.

Only top-level keys with plain values. What it cannot do safely it refuses, and says what to write by hand.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

from hermes_tui.config.paths import private_write
from hermes_tui.config.toml import check
from hermes_tui.engine.errors import ConfigError

Plain = str | int | float | bool

_TABLE: Final = re.compile(r"^\s*\[", re.MULTILINE)
_VALUE: Final = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#"'\[{][^#\n]*?)"""
_COMMENT: Final = re.compile(r"(?:\A|\n)(?:[ \t]*#[^\n]*\n?)+\Z")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def save(path: Path, key: str, value: Plain) -> None:
    """Set `key` in the file, which is made if it is missing. `ConfigError`: nothing was written."""
    by_hand = f"write {key} = {toml(value)} into {path} yourself"
    try:
        before = path.read_text("utf-8-sig") if path.exists() else ""
        table = tomllib.loads(before)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be changed ({error}); {by_hand}") from None
    after = changed(before, key, value)
    try:
        understood = tomllib.loads(after) == {**table, key: value}
    except tomllib.TOMLDecodeError:
        understood = False
    if not understood:
        raise ConfigError(f"{key} stands in {path} in a way that is not changed here; {by_hand}")
    check(tomllib.loads(after), after, path)
    target = path.resolve()
    try:
        private_write(target, after)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}; {by_hand}") from None


def changed(text: str, key: str, value: Plain) -> str:
    """Return the file's text with the key set: in its place, else before the first table."""
    first = _TABLE.search(text)
    top = text[: first.start()] if first else text
    rest = text[len(top) :]
    line = re.compile(
        rf"^(?P<head>\s*{re.escape(key)}\s*=[ \t]*){_VALUE}(?P<tail>[ \t]*(?:#[^\n]*)?)$", re.MULTILINE
    )
    found = line.search(top)
    if found:
        return top[: found.start()] + found["head"] + toml(value) + found["tail"] + top[found.end() :] + rest
    if not rest:
        return f"{top}{'' if not top or top.endswith(chr(10)) else chr(10)}{key} = {toml(value)}\n"
    kept = top.rstrip("\n")
    # a comment right above the first table belongs to that table
    block = _COMMENT.search(kept) if not top.endswith("\n\n") else None
    above, below = (kept[: block.start()], kept[block.start() :].lstrip("\n") + "\n") if block else (kept, "")
    above = above.rstrip("\n")
    gap = "\n" if above else ""
    return f"{above}{gap}{key} = {toml(value)}\n\n{below}{rest}"


def toml(value: Plain) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    return repr(value)


def _escaped(character: str) -> str:
    if character.isprintable():
        return _ESCAPES.get(character, character)
    code = ord(character)
    return _ESCAPES.get(character) or (f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")
