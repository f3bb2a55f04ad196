"""Reads one TOML file into checked values, with errors that name file, key and line. Merges nothing."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from hermes_tui.config import keymap
from hermes_tui.config.settings import Settings
from hermes_tui.config.words import explain
from hermes_tui.engine.errors import ConfigError

FROM_ENVIRONMENT_ONLY = frozenset({"api_key"})
NAMED = frozenset({"providers", "mcp", "keys"})
"""Tables of any names, each checked alone so that an error names it."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the file's table; `{}` when there is none. Each value has been checked against `Settings`.

    Raises `ConfigError`, one line: file, line, key and what is wrong.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
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
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply; write it flatter") from None
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
        for name in value if key in NAMED and isinstance(value, dict) else [""]:
            part = {name: value[name]} if name else value
            try:
                msgspec.convert({key: part}, Settings)
            except msgspec.ValidationError as error:
                where, what = explain(str(error), key)
                if name:
                    line, where = line_of(text, name, after=line), where.replace(key, f"{key}.{name}", 1)
                inside = line_of(text, where.split(".")[-1], after=line) if isinstance(value, dict) else line
                raise ConfigError(f"{path}, line {inside}: {where}: {what}") from None
    for action, why in keymap.mistakes(table.get("keys", {})):
        line = line_of(text, action, after=line_of(text, "keys"))
        raise ConfigError(f"{path}, line {line}: keys.{action}: {why}")
    provider = table.get("provider")
    if why := no_provider(provider, table.get("providers", ())):
        raise ConfigError(f"{path}, line {line_of(text, 'provider')}: provider: {why}")
    fallback = table.get("fallback")
    if fallback and fallback not in (own := table.get("providers", {})):
        tables = ", ".join(own) or "none yet"
        why = f"no [providers.{fallback}] table; there are: {tables}"
        raise ConfigError(f"{path}, line {line_of(text, 'fallback')}: fallback: {why}")


def no_provider(name: str | None, own: Iterable[str]) -> str:
    """Return why there is no provider of that name, or nothing; `own`: the names of the tables."""
    known = ["openai", "rehearsal", *own]
    if name is None or name in known:
        return ""
    return (
        f"no provider '{name}'; there are {', '.join(known)}; "
        "add a [providers.NAME] table to config.toml for your own"
    )


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
