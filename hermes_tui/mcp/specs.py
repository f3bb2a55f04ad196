"""Which MCP servers there are: those of config.toml, and those of a trusted project's .mcp.json."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hermes_tui.config.settings import McpServer

FILE: Final = ".mcp.json"
LARGEST: Final = 1_000_000
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Spec:
    """One server, as it is to be started or asked."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    parallel: bool = False
    """Whether its calls may run side by side."""
    believe_hints: bool = False
    """Whether a call runs side by side when the server itself says that it only reads."""
    origin: str = "config.toml"
    """Where it is written, for people."""


def of_settings(servers: Mapping[str, McpServer]) -> list[Spec]:
    """Return the servers of the user's own settings."""
    return [
        Spec(name, s.command, s.args, s.env, s.url, s.headers, s.parallel, s.believe_hints)
        for name, s in servers.items()
        if s.enabled
    ]


def of_project(
    project: Path, environ: Mapping[str, str], secrets: Collection[str]
) -> tuple[list[Spec], list[str]]:
    """Return the servers of a project's .mcp.json, and a notice for each that is not used.

    `${VAR}` and `${VAR:-default}` are filled in from the environment, but never with the program's keys.
    """
    file = project / FILE
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return [], [f"{file} is too large or no file; no server of it is used"]
        data = json.loads(file.read_text("utf-8"))
        entries = data["mcpServers"].items()
    except FileNotFoundError:
        return [], []
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return [], [f"{file} is damaged, no server of it is used: {type(error).__name__}: {error}"]
    known = {key: value for key, value in environ.items() if key not in secrets}
    specs: list[Spec] = []
    notices: list[str] = []
    for name, entry in entries:
        try:
            spec = _spec(str(name), entry, known)
        except ValueError as error:
            notices.append(f"{file}: the server {str(name)[:40]!r} is not used: {error}")
            continue
        if spec is not None:
            specs.append(spec)
    return specs, notices


def _spec(name: str, entry: Any, known: Mapping[str, str]) -> Spec | None:
    """Return one server, None for one that is switched off; `ValueError` says what is wrong."""
    if NAME.fullmatch(name) is None:
        raise ValueError("a name is letters, digits, . _ and -")
    if not isinstance(entry, dict):
        raise ValueError("it is no object")
    if entry.get("disabled") is True:
        return None
    command, url = _text(entry, "command", known), _text(entry, "url", known)
    if bool(command) == bool(url):
        raise ValueError("it needs either command or url")
    if url and not url.startswith(("http://", "https://")):
        raise ValueError("its url must begin with https:// or http://")
    args = entry.get("args", [])
    if not isinstance(args, list):
        raise ValueError("args is no list")
    return Spec(
        name,
        command,
        tuple(_filled(str(arg), known) for arg in args),
        _table(entry, "env", known),
        url,
        _table(entry, "headers", known),
        origin=FILE,
    )


def _text(entry: Mapping[str, Any], key: str, known: Mapping[str, str]) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"{key} is no text")
    return _filled(value, known)


def _table(entry: Mapping[str, Any], key: str, known: Mapping[str, str]) -> dict[str, str]:
    value = entry.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{key} is no table")
    return {str(name): _filled(str(text), known) for name, text in value.items()}


def _filled(text: str, known: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        found = known.get(match[1], match[2])
        if found is None:
            raise ValueError(f"the variable {match[1]} is not set, or is not given to servers")
        return found

    return VARIABLE.sub(value, text)
