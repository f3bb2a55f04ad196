"""Asks each tool of a batch what its call would touch. What cannot run becomes a failure in words.

Must never raise for what a model or a tool did wrong: a bad call is a result, its siblings run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import ANYTHING, Footprint, Hazard, Level, undeclared
from hermes_tui.engine.messages import ToolCall, parse_arguments
from hermes_tui.engine.protocols import Tool, ToolBox


@dataclass(frozen=True, slots=True)
class Judged:
    """A call with what it would touch, or with why it cannot run."""

    call: ToolCall
    footprint: Footprint
    tool: Tool | None = None
    """None: no tool has this name."""
    arguments: Mapping[str, Any] | None = None
    """None: the text sent is no JSON object."""
    failure: str | None = None
    """The result for the model when the call cannot run."""

    @property
    def only_reads(self) -> bool:
        """Whether it can run and changes nothing."""
        level = self.footprint.level
        reads = level in (Level.SAFE, Level.SCOPED) and not self.footprint.writes
        return reads and self.failure is None

    @property
    def name(self) -> str:
        """The tool's name as the user sees it."""
        return self.call.name.strip() or "(no name)"


def judge(calls: Sequence[ToolCall], toolbox: ToolBox, folder: Path) -> list[Judged]:
    """Return what each call of a batch would touch; `folder` is where its relative paths start."""
    return [_judge(call, number, toolbox, folder) for number, call in enumerate(calls, 1)]


def _judge(call: ToolCall, number: int, toolbox: ToolBox, folder: Path) -> Judged:
    tool = toolbox.get(call.name)
    if tool is None:
        return _unknown(call, toolbox)
    try:
        arguments = parse_arguments(call.arguments)
    except BadArguments as error:
        what = "no JSON object" if "must be one" in str(error) else "not JSON"
        return Judged(call, _nothing(f"arguments of #{number} are {what}"), tool, None, str(error))
    try:
        return Judged(call, declare(tool, arguments, folder), tool, arguments)
    except BadArguments as error:
        why = f"arguments of #{number} do not fit `{call.name.strip()}`"
        return Judged(call, _nothing(why), tool, arguments, str(error))
    except ToolError as error:
        return Judged(call, _nothing(f"#{number} cannot run: {error}"), tool, arguments, str(error))


def declare(tool: Tool, arguments: Mapping[str, Any], folder: Path) -> Footprint:
    """Return what a call would touch now. Raises `ToolError`, for a tool that breaks too.

    A declaration that cannot be compared (a relative path) counts as none.
    """
    try:
        footprint = tool.footprint(arguments, folder)
    except ToolError:
        raise
    except Exception as error:
        raise ToolError(f"the tool could not say what it touches: {one_line(error)}") from error
    for path in (*footprint.reads, *footprint.writes):
        if "/" in path and not path.startswith("/"):
            return undeclared(f"it declares a relative path, {path}", footprint.subjects)
    return footprint


def one_line(error: BaseException) -> str:
    """Return an error as one line, with its kind."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _unknown(call: ToolCall, toolbox: ToolBox) -> Judged:
    name = call.name.strip()
    names = ", ".join(sorted(schema.name for schema in toolbox.schemas()))
    text = f"unknown tool {name or '(no name)'}; available: {names or 'none'}"
    arguments: dict[str, Any] | None
    try:
        arguments = parse_arguments(call.arguments)
    except BadArguments:
        arguments = None
    return Judged(call, _nothing(f"no tool is named `{name}`"), None, arguments, text)


def _nothing(why: str) -> Footprint:
    """The footprint of a call that will fail: undeclared for the plan, harmless for a person."""
    return Footprint(Level.UNDECLARED, (ANYTHING,), (ANYTHING,), Hazard.NONE, (), why)
