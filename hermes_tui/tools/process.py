"""process: looks at, waits for and ends the commands that run in the background. Starts none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from hermes_tui.engine.errors import BadArguments, Interrupted
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Background, BackgroundInfo
from hermes_tui.processes.ending import ending
from hermes_tui.text import harmless
from hermes_tui.tools.base import TypedTool

STATE: Final = "state:processes"
_LAST: Final = 20
"""Lines that poll, wait and kill show."""


class ProcessArguments(msgspec.Struct):
    """What process takes."""

    action: Annotated[
        Literal["list", "poll", "log", "wait", "kill"],
        msgspec.Meta(
            description="list: all of them. poll: is it running, and its last lines. log: its output. "
            "wait: until it ends. kill: end it and all it started.",
            examples=["poll"],
        ),
    ]
    process_id: Annotated[
        str, msgspec.Meta(description="As terminal or list told it; needed but for list.", examples=["p1"])
    ] = ""
    offset: Annotated[
        int | None,
        msgspec.Meta(description="log: the first line, from 0; negative: from the end. Default: the newest."),
    ] = None
    limit: Annotated[int, msgspec.Meta(description="log: how many lines, 1 to 1000.", ge=1, le=1000)] = 200
    timeout: Annotated[
        float, msgspec.Meta(description="wait: seconds at most, up to 3600.", ge=0, le=3600)
    ] = 60


class Process(TypedTool[ProcessArguments]):
    """Manages background commands."""

    name = "process"
    description = (
        "Manage commands started with terminal(background=true): list, poll, log, wait, kill. They go on "
        "when a turn ends or is interrupted, and end with the program."
    )
    Arguments = ProcessArguments

    def declare(self, args: ProcessArguments, folder: Path) -> Footprint:
        """Return a read of the table; waiting and ending are undeclared, whatever the process."""
        if args.action != "list" and not args.process_id.strip():
            raise BadArguments(f"process: {args.action} needs a process_id, for example p1; list shows them")
        if args.action in ("wait", "kill"):
            return Footprint(
                Level.UNDECLARED, (STATE,), (STATE,), why=f"{args.action} depends on the running processes"
            )
        return Footprint(Level.SAFE, (STATE,))

    def act(self, args: ProcessArguments, call: Call) -> Result:
        """Return state or output."""
        table = call.state(Background)
        if args.action == "list":
            return _listed(table.list())
        if args.action == "log":
            offset = -args.limit if args.offset is None else args.offset
            return Result(harmless(table.log(args.process_id, offset, args.limit)), display="output")
        if args.action == "poll":
            return _state(table, _info(table, args.process_id))
        if args.action == "kill":
            return _state(table, table.kill(args.process_id))
        return _waited(table, args, call)


def _waited(table: Background, args: ProcessArguments, call: Call) -> Result:
    """Return how it ended, or that it still runs."""
    try:
        info = table.wait(args.process_id, args.timeout, call.token)
    except Interrupted as stop:
        raise Interrupted(f"{stop.content}\n{_last_lines(table, args.process_id)}") from None
    return _state(table, info)


def _info(table: Background, process_id: str) -> BackgroundInfo:
    """Return one process; `ToolError` when there is none of this id."""
    table.log(process_id, 0, 1)
    return next(info for info in table.list() if info.id == process_id.strip())


def _state(table: Background, info: BackgroundInfo) -> Result:
    """Return the state of a process and its last lines."""
    line = _line(info)
    return Result(f"{line}\n{_last_lines(table, info.id)}", display=line)


def _last_lines(table: Background, process_id: str) -> str:
    return harmless(table.log(process_id, -_LAST, _LAST))


def _listed(infos: list[BackgroundInfo]) -> Result:
    """Return the table, one process a line."""
    if not infos:
        text = "no background processes; terminal with background=true starts one"
        return Result(text, display="none")
    running = sum(info.running for info in infos)
    return Result("\n".join(map(_line, infos)), display=f"{running} of {len(infos)} running")


def _line(info: BackgroundInfo) -> str:
    """Return id, state and command of one process."""
    state = "running" if info.exit_code is None else ending(info.exit_code)
    first, *more = info.command.strip().split("\n")
    return f"{info.id}: {state}: {harmless(first)}{' …' if more else ''}"


TOOL = Process()
