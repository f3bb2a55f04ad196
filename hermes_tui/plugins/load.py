"""Finds and loads the plugins. A broken one is a notice and hurts no other."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pluggy

from hermes_tui.engine.judge import one_line
from hermes_tui.engine.protocols import Guard, MakeProvider, Tool
from hermes_tui.engine.recall import OpenMemory
from hermes_tui.plugins import GROUP, Hooks
from hermes_tui.plugins.provider import guarded

PREFIX: Final = "hermes_tui_plugin_"
"""Begins the module names of the folder's files: they cannot hide another module."""


@dataclass(slots=True)
class Plugins:
    """All that plugins add, and what could not be loaded."""

    names: list[str] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)
    commands: list[Callable[..., Any]] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    providers: dict[str, MakeProvider] = field(default_factory=dict)
    """Name → how one is made of its table; what it raises is a `HermesError`."""
    themes: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Name → the fields of a theme's file."""
    memories: dict[str, OpenMemory] = field(default_factory=dict)
    """Name → how to open it."""
    notices: list[str] = field(default_factory=list)
    """One line on each plugin, or part of one, that is not used."""


def load_plugins(folder: Path, taken: Sequence[str] = ()) -> Plugins:
    """Load every plugin. `taken`: names of tools that are there already, which no plugin replaces."""
    found = Plugins()
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(Hooks)
    for name, plugin in [*_from_folder(folder, found.notices), *_installed(found.notices)]:
        if manager.has_plugin(name):
            found.notices.append(f"plugin {name}: there is another of this name; it is not used")
            continue
        try:
            manager.register(plugin, name)
            _add(found, name, plugin, set(taken))
        except Exception as error:  # whatever a plugin does at its start is told, not suffered
            found.notices.append(f"plugin {name} is not used: {one_line(error)}")
            continue
        found.names.append(name)
    return found


def _from_folder(folder: Path, notices: list[str]) -> Iterator[tuple[str, object]]:
    """Import the files and packages of the plugins folder, by name."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        file = entry / "__init__.py" if entry.is_dir() else entry
        if file.suffix != ".py" or entry.name.startswith((".", "_")) or not file.is_file():
            continue
        if why := _writable_by_others(file, folder):
            notices.append(f"plugin {entry.stem} is not used: {why}")
            continue
        try:
            yield entry.stem, _imported(entry.stem, file)
        except (Exception, SystemExit) as error:
            notices.append(f"plugin {entry.stem} is not used: {one_line(error)}")


def _writable_by_others(file: Path, folder: Path) -> str:
    for place in (folder, file.parent, file):
        if place.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"others may write {place}; chmod go-w it"
    return ""


def _imported(name: str, file: Path) -> ModuleType:
    """Import one file under a name of its own; a package may import its own modules."""
    module_name = f"{PREFIX}{name}"
    folders = [str(file.parent)] if file.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(module_name, file, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def _installed(notices: list[str]) -> Iterator[tuple[str, object]]:
    """Load the entry points of installed packages."""
    for point in importlib.metadata.entry_points(group=GROUP):
        try:
            yield point.name, point.load()
        except (Exception, SystemExit) as error:
            notices.append(f"plugin {point.name} is not used: {one_line(error)}")


def _add(found: Plugins, name: str, plugin: object, taken: set[str]) -> None:
    """Take what one plugin brings; raises what its hooks raise, and then nothing of it is used."""
    tools = [*_declared(plugin), *_called(plugin, "hermes_tools")]
    commands = _called(plugin, "hermes_commands")
    guards = _called(plugin, "hermes_guards")
    hooks = {"provider": "hermes_providers", "theme": "hermes_themes", "memory provider": "hermes_memories"}
    named = {kind: _named(plugin, hook) for kind, hook in hooks.items()}
    taken |= {tool.schema.name for tool in found.tools}
    for tool_name, tool in [(tool.schema.name, tool) for tool in tools]:
        if tool_name in taken:
            found.notices.append(f"plugin {name}: its tool {tool_name} is not used: there is one")
            continue
        taken.add(tool_name)
        found.tools.append(tool)
    found.commands += commands
    found.guards += guards
    providers = {key: guarded(make) for key, make in named["provider"].items()}
    _join(found, name, "provider", found.providers, providers)
    _join(found, name, "theme", found.themes, named["theme"])
    _join(found, name, "memory provider", found.memories, named["memory provider"])


def _join(found: Plugins, name: str, kind: str, into: dict[str, Any], brought: Mapping[str, Any]) -> None:
    """Take what a plugin brings by name; no plugin replaces another's."""
    for key, value in brought.items():
        if key in into:
            found.notices.append(f"plugin {name}: its {kind} {key} is not used: there is one")
        else:
            into[key] = value


def _declared(plugin: object) -> list[Tool]:
    """Return what a file declares as the built-in tools do."""
    one = getattr(plugin, "TOOL", None)
    return [*([one] if one is not None else []), *getattr(plugin, "TOOLS", ())]


def _called(plugin: object, hook: str) -> list[Any]:
    function = getattr(plugin, hook, None)
    return list(function() or ()) if function is not None else []


def _named(plugin: object, hook: str) -> dict[str, Any]:
    """Return what a hook gives by name."""
    function = getattr(plugin, hook, None)
    return {str(name): value for name, value in (function() or {}).items()} if function is not None else {}
