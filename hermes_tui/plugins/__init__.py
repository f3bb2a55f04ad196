"""What a plugin may bring. A plugin is a file or package in the plugins/ folder beside config.toml, or an
installed package with an entry point in the group `hermes_tui`; it implements any of the hooks below:

    from hermes_tui.plugins import hookimpl

    @hookimpl
    def hermes_tools(): return [MyTool()]

A file that declares `TOOL = MyTool()` needs nothing else. Imports none of the program's parts.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pluggy

from hermes_tui.engine.protocols import Guard, MakeProvider, Tool
from hermes_tui.engine.recall import OpenMemory

GROUP: Final = "hermes_tui"
"""The name of the entry points' group, and of the project in pluggy's words."""

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


class Hooks:
    """Every hook; each returns what the plugin adds, and is called once, at start."""

    @hookspec
    def hermes_tools(self) -> Sequence[Tool]:  # type: ignore[empty-body]  # a specification has no body
        """Return tools, as `tools.base.TypedTool` makes them."""

    @hookspec
    def hermes_commands(self) -> Sequence[Callable[..., Any]]:  # type: ignore[empty-body]  # likewise
        """Return slash commands: coroutine functions `(hermes, ui, argument)`, named as the command."""

    @hookspec
    def hermes_guards(self) -> Sequence[Guard]:  # type: ignore[empty-body]  # likewise
        """Return guards: each is asked before every call; one that raises denies."""

    @hookspec
    def hermes_providers(self) -> Mapping[str, MakeProvider]:  # type: ignore[empty-body]  # likewise
        """Return model providers: name → function from a `ProviderTable` to a `Provider`.

        A table with `plugin = "name"` in [providers] of config.toml makes one.
        """

    @hookspec
    def hermes_themes(self) -> Mapping[str, Mapping[str, Any]]:  # type: ignore[empty-body]  # likewise
        """Return themes: name → what a file of themes/ holds, its table `variables` too."""

    @hookspec
    def hermes_memories(self) -> Mapping[str, OpenMemory]:  # type: ignore[empty-body]  # likewise
        """Return memory providers: name → function from a `MemoryPlace` to a `MemoryProvider`.

        The one that `provider` in [memory] names is opened, by its first use and in a thread of its own.
        """


def may_bring(folder: Path) -> bool:
    """Whether there is any plugin, good or not; imports none."""
    return (folder.is_dir() and any(folder.iterdir())) or bool(importlib.metadata.entry_points(group=GROUP))
