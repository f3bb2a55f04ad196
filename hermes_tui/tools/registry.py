"""Finds the tools and looks them up by name. Knows no agent, no state and no tool's name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Sequence

import hermes_tui.tools
from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.messages import ToolSchema
from hermes_tui.engine.protocols import Tool


class Registry:
    """Implements `engine.protocols.ToolBox`: a pure look-up, in the order given."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            name = tool.schema.name
            if name in self._tools:
                raise HermesError(f"two tools are called {name!r}: rename one of them")
            self._tools[name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def get(self, name: str) -> Tool | None:
        """Return the tool of this name (outer blanks ignored), also a hidden one."""
        return self._tools.get(name.strip())

    def schemas(self) -> Sequence[ToolSchema]:
        """Return the tools that can work here, for the model."""
        return [tool.schema for tool in self._tools.values() if tool.missing() is None]


def discover() -> list[Tool]:
    """Return every tool that a module of this package declares, in the order of the modules' names.

    A module declares `TOOL`, one tool, or `TOOLS`, several; one that declares none is a helper.
    """
    found: list[Tool] = []
    for module in pkgutil.iter_modules(hermes_tui.tools.__path__, "hermes_tui.tools."):
        declared = vars(importlib.import_module(module.name))
        found += [declared["TOOL"]] if "TOOL" in declared else declared.get("TOOLS", ())
    return found
