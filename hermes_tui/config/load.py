"""Puts the settings together: default < user < trusted project < environment < flags.

Judges no trust: whoever calls hands the project's file over only when the folder is trusted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from hermes_tui.config.settings import Settings
from hermes_tui.config.toml import near, no_provider, read_toml
from hermes_tui.config.words import explain
from hermes_tui.engine.errors import ConfigError, UsageError

PREFIX = "HERMES_TUI_"
NOT_SETTINGS = frozenset({"HERMES_TUI_HOME", "HERMES_TUI_CALL"})
"""Names with our prefix that are no settings: the places, and the mark in each call's environment."""

PROJECT_MAY_NOT = ("base_url", "provider", "providers", "fallback", "mcp", "permissions", "hooks", "web",
                   "vision", "keys", "limits", "memory", "terminal")  # fmt: skip
"""What a folder's own file never decides, trusted or not: where keys go and what runs unasked."""

SCALARS = ("model", "base_url", "provider", "schedule", "max_parallel", "permission", "theme",
           "vi_keys", "while_working", "reduced_motion", "notify", "window_title")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings of a run and where each came from."""

    settings: Settings
    origins: Mapping[str, str]
    """Key → "default", a file's path, an environment variable's name or a flag."""
    notices: tuple[str, ...] = field(default=())
    """What a project's file asked for and did not get."""


def load(
    flags: Mapping[str, Any], environ: Mapping[str, str], user: Path, project: Path | None = None
) -> Loaded:
    """Return the settings. `flags` holds those that were given; `project` is a trusted folder's file.

    Raises `ConfigError` naming file, key and line, or the variable; `UsageError` naming the flag.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}

    def take(layer: Mapping[str, Any], origin: str) -> None:
        for key, value in layer.items():
            if isinstance(value, dict) and isinstance(values.get(key), dict):
                values[key] = {**values[key], **value}
            else:
                values[key] = value
            origins[key] = origin

    take(read_toml(user), str(user))
    notices: tuple[str, ...] = ()
    if project is not None:
        layer, notices = confined(read_toml(project), project)
        take(layer, str(project))
    for key, (value, name) in from_environment(environ).items():
        take({key: value}, name)
    for key, value in flags.items():
        flag = f"--{key.replace('_', '-')}"
        take({key: check_one(key, value, flag, UsageError)}, flag)
    settings = msgspec.convert(values, Settings)
    check_provider(settings, origins)
    everything = {f.name: origins.get(f.name, "default") for f in msgspec.structs.fields(Settings)}
    return Loaded(settings, everything, notices)


def confined(layer: dict[str, Any], path: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Take out of a project's file what it may not decide."""
    refused = [key for key in layer if key in PROJECT_MAY_NOT]
    if layer.get("permission") == "all":
        refused.append("permission")
    kept = {key: value for key, value in layer.items() if key not in refused}
    return kept, tuple(f"{path}: {key} is ignored: only your own config may set it" for key in refused)


def from_environment(environ: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    """Return key → (value, variable). Our own names beat the SDK's."""
    found: dict[str, tuple[Any, str]] = {}
    if key := environ.get("OPENAI_API_KEY"):
        found["api_key"] = (key, "OPENAI_API_KEY")
    if url := environ.get("OPENAI_BASE_URL"):
        found["base_url"] = (check_one("base_url", url, "OPENAI_BASE_URL", ConfigError), "OPENAI_BASE_URL")
    for name, text in environ.items():
        if not name.startswith(PREFIX) or name in NOT_SETTINGS or not text:
            continue
        key = name.removeprefix(PREFIX).lower()
        if key not in SCALARS:
            raise ConfigError(f"{name}: no such setting{near(key, list(SCALARS))}")
        found[key] = (check_one(key, text, name, ConfigError), name)
    return found


def check_one(key: str, value: Any, origin: str, error: type[UsageError]) -> Any:
    """Return the value in its own type, or raise `error` naming where it came from."""
    try:
        return getattr(msgspec.convert({key: value}, Settings, strict=False), key)
    except msgspec.ValidationError as wrong:
        what = explain(str(wrong), key)[1].removesuffix(", not text")
        got = "" if str(value) in what else f" (got {str(value)!r})"
        raise error(f"{origin}: {what}{got}") from None


def check_provider(settings: Settings, origins: Mapping[str, str]) -> None:
    """A provider is one of ours or has a table."""
    if why := no_provider(settings.provider, settings.providers):
        raise UsageError(f"{origins['provider']}: {why}")


def rows(loaded: Loaded) -> list[dict[str, Any]]:
    """Return every setting as `{"key", "value", "origin"}`, the key masked: what `config show` prints."""
    plain: dict[str, Any] = msgspec.to_builtins(loaded.settings)
    plain["api_key"] = "set" if plain["api_key"] else "not set"
    return [{"key": key, "value": plain[key], "origin": origin} for key, origin in loaded.origins.items()]


def environment() -> dict[str, str]:
    """Return the process environment as it is now."""
    return dict(os.environ)
