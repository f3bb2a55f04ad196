"""Reads one TOML file into checked values, with errors that name file, key and line. Merges nothing."""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from hermes_tui.config.settings import Settings
from hermes_tui.engine.errors import ConfigError

FROM_ENVIRONMENT_ONLY = frozenset({"api_key"})


def read_toml(path: Path) -> dict[str, Any]:
    """Return the file's table; `{}` when there is none. Each value has been checked against `Settings`.

    Raises `ConfigError`, one line: file, line, key and what is wrong.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}; make it a readable file") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    check(table, text, path)
    return table


def check(table: dict[str, Any], text: str, path: Path) -> None:
    """Check each top-level entry alone, so that the error can name its line."""
    known = [f.encode_name for f in msgspec.structs.fields(Settings) if f.name not in FROM_ENVIRONMENT_ONLY]
    for key, value in table.items():
        line = line_of(text, key)
        if key in FROM_ENVIRONMENT_ONLY:
            raise ConfigError(f"{path}, line {line}: {key}: read from the environment only, OPENAI_API_KEY")
        if key not in known:
            raise ConfigError(f"{path}, line {line}: unknown key '{key}'{near(key, known)}")
        try:
            msgspec.convert({key: value}, Settings)
        except msgspec.ValidationError as error:
            where, what = explain(str(error), key)
            leaf = where.split(".")[-1]
            inside = line_of(text, leaf, after=line) if isinstance(value, dict) else line
            raise ConfigError(f"{path}, line {inside}: {where}: {what}") from None


def explain(message: str, key: str) -> tuple[str, str]:
    """Turn msgspec's words into (dotted key, what is wrong)."""
    match = re.match(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?$", message)
    assert match is not None
    what, where = match["what"], (match["where"] or key).replace("[...]", "")
    if unknown := re.match(r"Object contains unknown field `(.*)`", what):
        return f"{where}.{unknown[1]}", "unknown key"
    return where, what[0].lower() + what[1:].replace("`", "'")


def near(key: str, known: list[str]) -> str:
    """Return ", did you mean …?" or nothing."""
    close = difflib.get_close_matches(key, known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def line_of(text: str, key: str, after: int = 1) -> int:
    """Return the line, from 1, on which `key` is set or its table begins; `after` when it is not found."""
    name = re.escape(key)
    pattern = re.compile(rf"^\s*(?:\[\[?\s*(?:[\w.\"'-]+\.)?\"?{name}\"?\s*[\].]|\"?{name}\"?\s*[.=])")
    inline = re.compile(rf"[{{,]\s*\"?{name}\"?\s*=")
    lines = text.splitlines()
    for number in range(after, len(lines) + 1):
        if pattern.match(lines[number - 1]) or inline.search(lines[number - 1]):
            return number
    return after
