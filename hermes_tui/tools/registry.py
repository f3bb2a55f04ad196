"""Finds the tools and looks them up by name. Knows no agent, no state and no tool's name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

import hermes_tui.tools
from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.messages import ToolSchema
from hermes_tui.engine.protocols import Tool


class Registry:
    """Implements `engine.protocols.ToolBox`: a pure look-up, in the order given."""

    def __init__(
        self,
        tools: Iterable[Tool],
        more: Callable[[], Iterable[Tool]] = tuple,
        is_off: Callable[[Tool], bool] = lambda tool: False,
    ) -> None:
        """`more`: tools that come and go, with names of their own; `is_off`: which are not there at all."""
        self._more = more
        self._is_off = is_off
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            name = tool.schema.name
            if name in self._tools:
                raise HermesError(f"two tools are called {name!r}: rename one of them")
            self._tools[name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return (tool for tool in self._everything() if not self._is_off(tool))

    def _everything(self) -> list[Tool]:
        more = (tool for tool in self._more() if tool.schema.name not in self._tools)
        return [*self._tools.values(), *more]

    def off(self) -> list[Tool]:
        """Return those that the settings switch off."""
        return [tool for tool in self._everything() if self._is_off(tool)]

    def get(self, name: str) -> Tool | None:
        """Return the tool of this name (outer blanks ignored), also a hidden one."""
        wanted = name.strip()
        return next((tool for tool in self if tool.schema.name == wanted), None)

    def schemas(self) -> Sequence[ToolSchema]:
        """Return the tools that can work here, for the model."""
        return [tool.schema for tool in self if tool.missing() is None]

    def for_agents(self) -> Registry:
        """Return the tools that a sub-agent may use."""
        mine = [tool for tool in self._tools.values() if tool.for_agents]
        return Registry(mine, lambda: [tool for tool in self._more() if tool.for_agents], self._is_off)


def family(tool: Tool) -> str:
    """Return the set that a tool belongs to: the name of the file or folder that declares it."""
    words = type(tool).__module__.split(".")
    if words[0] != "hermes_tui":
        return words[0].removeprefix("hermes_tui_plugin_")
    return words[2] if words[1] == "tools" else words[1]


def chooses(patterns: Iterable[str], tool: Tool) -> bool:
    """Whether one of the patterns means a tool: a name, `*` in it for any text, or `@` and a set's name."""
    names = (tool.schema.name, f"@{family(tool)}")
    return any(fnmatchcase(name, pattern) for pattern in patterns for name in names)


def discover() -> list[Tool]:
    """Return every tool that a module of this package declares, in the order of the modules' names.

    A module declares `TOOL`, one tool, or `TOOLS`, several; one that declares none is a helper.
    """
    found: list[Tool] = []
    for module in pkgutil.iter_modules(hermes_tui.tools.__path__, "hermes_tui.tools."):
        declared = vars(importlib.import_module(module.name))
        found += [declared["TOOL"]] if "TOOL" in declared else declared.get("TOOLS", ())
    return found
