"""terminal: the tool itself: its arguments, how a command is run, and what the model is told of its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import msgspec

from hermes_tui.engine.errors import BadArguments, Interrupted, ToolError
from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Background, Inherited, Texts
from hermes_tui.files.paths import canonical
from hermes_tui.processes import git, shell
from hermes_tui.processes.ending import ending
from hermes_tui.processes.environment import hardened
from hermes_tui.processes.output import NARROW_IT
from hermes_tui.processes.run import Finished, run
from hermes_tui.text import harmless
from hermes_tui.tools.base import TypedTool
from hermes_tui.tools.terminal.footprint import footprint_of, is_proven, judge, unproven

_FIRST_LOOK: Final = 0.3
"""Seconds that a background command has to fail at once, before its id is told."""

_FORGOTTEN: Final = frozenset(
    {"cd", "pushd", "popd", "export", "unset", "source", ".", "alias", "set", "shopt"}
)
"""Commands that only change the shell they run in, and that ends with the call."""


class TerminalArguments(msgspec.Struct):
    """What terminal takes."""

    command: Annotated[
        str, msgspec.Meta(description="A bash command line.", examples=["git status && ls -la"])
    ]
    timeout: Annotated[
        float, msgspec.Meta(description="Seconds after which it is ended, 1 to 3600.", ge=1, le=3600)
    ] = 180
    workdir: Annotated[
        str | None, msgspec.Meta(description="The folder it starts in. Default: the working folder.")
    ] = None
    background: Annotated[
        bool, msgspec.Meta(description="Return at once, and leave it running; see process. For servers.")
    ] = False


class Terminal(TypedTool[TerminalArguments]):
    """Runs command lines.

    An exit code that is not 0 makes the call `failed`, as a shell's prompt would show it, also where a
    program means no harm by it (`grep` without a match): the content is the same either way.
    """

    name = "terminal"
    description = (
        "Run a command line with bash, and return its output (standard output and error in order; of long "
        "output the start and the end) and its exit code. There is no terminal and no input: editors, pagers "
        "and questions do not work. Every command starts afresh in the working folder or in workdir: cd and "
        "export last for one command line. Use read_file, search_files and patch for files where you can."
    )
    Arguments = TerminalArguments

    def declare(self, args: TerminalArguments, folder: Path) -> Footprint:
        """Return reads for a line that is proven read-only; anything else is undeclared."""
        _check(args)
        start = _start_folder(args, folder)
        if args.background:
            return unproven(args.command, start, "it goes on running in the background")
        if not shell.default().is_bash:
            return unproven(args.command, start, "bash is missing, so nothing is known of what it does")
        return footprint_of(args.command, start)

    def show(self, args: TerminalArguments, folder: Path) -> str:
        """Return exactly what will run, the command first: spans count from its start."""
        notes = [f"in {_start_folder(args, folder)}"] if args.workdir else []
        notes += ["in the background"] if args.background else []
        return args.command + (f"\n# {', '.join(notes)}" if notes else "")

    def act(self, args: TerminalArguments, call: Call) -> Result:
        """Run it."""
        _check(args)
        folder = _start_folder(args, call.folder)
        if not folder.is_dir():
            raise ToolError(f"there is no folder {folder}; name an existing one as workdir")
        if args.background:
            return _in_background(args, folder, call)
        inherited = call.state(Inherited)
        environment = self._environment(args, folder, inherited.environment)
        line = inherited.placed(args.command, folder)
        whole = _Whole(call)
        finished = run(line, folder, environment, args.timeout, call.token, whole.show)
        output = whole.placed(harmless(finished.output))
        if finished.interrupted:
            raise Interrupted(output)
        result = _result(args, finished, folder, output.rstrip("\n"))
        if result.ok or not inherited.walls:
            return result
        return replace(result, content=f"{result.content}\n[{inherited.walls}]")

    def _environment(
        self, args: TerminalArguments, folder: Path, inherited: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Return what it inherits; a proven command nothing that could make it do more."""
        verdict = judge(args.command, folder)
        if not is_proven(verdict) or not shell.default().is_bash:
            return inherited
        environment = hardened(inherited)
        if verdict.repositories:
            environment |= git.overrides(map(Path, verdict.repositories), environment)
        return environment


class _Whole:
    """Shows a call's output while it comes, and keeps all of it where its result will be cut."""

    def __init__(self, call: Call) -> None:
        self._show = call.output
        self._spool = call.state(Texts).spool(call.id)

    def show(self, text: str) -> None:
        """Take the next piece."""
        self._show(text)
        self._spool.write(text)

    def placed(self, output: str) -> str:
        """Return the output for the model; where its middle is left out, with the place of all of it."""
        where = self._spool.end()
        if not where:
            return output
        return output.replace(f"{NARROW_IT} …]", f"{NARROW_IT}; full text: {where} …]", 1)


def _check(args: TerminalArguments) -> None:
    """Raise `BadArguments` for a command that is none."""
    if not args.command.strip():
        raise BadArguments('terminal: the command is empty. Example: {"command":"ls -la"}')
    if "\0" in args.command:
        raise BadArguments("terminal: the command holds a NUL character, which no program can be given")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in args.command):
        raise BadArguments("terminal: the command holds half a surrogate pair; send well-formed text")


def _start_folder(args: TerminalArguments, folder: Path) -> Path:
    """Return where the command starts, links resolved."""
    return canonical(args.workdir or ".", folder)


def _in_background(args: TerminalArguments, folder: Path, call: Call) -> Result:
    """Start it, and say how to get at it; one that ends at once tells how."""
    table = call.state(Background)
    name = table.start(args.command, folder)
    info = table.wait(name, _FIRST_LOOK, call.token)
    if info.exit_code is not None:
        output = harmless(table.log(name, 0, 50))
        return Result(f"{name} has ended already: {ending(info.exit_code)}\n{output}", ok=info.exit_code == 0)
    ways = f'process(action="log", process_id="{name}"), or poll, wait, kill'
    return Result(f"started in the background as {name}; use {ways}", display=f"{name} running")


def _result(args: TerminalArguments, finished: Finished, folder: Path, output: str) -> Result:
    """Return output and end, with what the model should know about it."""
    how = ending(finished.exit_code)
    notes = [how if output else f"{how}, no output"]
    if finished.timed_out:
        notes = [
            f"timed out after {args.timeout:g} s and was ended; give it more with timeout, or start it with "
            "background=true"
        ]
    if finished.ended:
        notes.append(
            f"it left {', '.join(finished.ended)} running behind it, which was ended too; to keep a process, "
            "start it alone with background=true and without &"
        )
    if finished.living:
        notes.append(f"still running, in a session of its own: {', '.join(finished.living)}")
    if _is_forgotten(args.command, folder):
        notes.append(
            f"this does not last: every command starts afresh in {folder}; use workdir, or join it with &&"
        )
    ok = finished.exit_code == 0 and not finished.timed_out
    lines = output.count("\n") + 1 if output else 0
    display = f"{lines} line{'' if lines == 1 else 's'}" if ok else notes[0].partition(" and ")[0]
    return Result("\n".join(filter(None, [output, *(f"[{note}]" for note in notes)])), display, ok)


def _is_forgotten(command: str, folder: Path) -> bool:
    """Whether the line does nothing but change its own shell."""
    parts = judge(command, folder).parts
    return bool(parts) and all(part.words[:1] and part.words[0] in _FORGOTTEN for part in parts)


TOOL = Terminal()
