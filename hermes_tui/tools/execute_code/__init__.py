"""execute_code: Python in a process of its own, which can call the file tools. Shut in where that works."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from shlex import join
from typing import Annotated, Final

import msgspec

from hermes_tui.engine.errors import BadArguments, Interrupted
from hermes_tui.engine.footprint import Access, Footprint, Hazard, Subject, undeclared
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Calls, Inherited, Private
from hermes_tui.processes.run import Finished, run
from hermes_tui.processes.sandbox import lacking, project_walls, scratch, secrets, shut_in
from hermes_tui.tools.base import TypedTool
from hermes_tui.tools.execute_code.rpc import ALLOWED, serving

CHILD: Final = Path(__file__).with_name("child.py")
KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "USER")
"""Variables that a program gets."""
LONGEST: Final = 600.0
"""Seconds of one run, questions of its calls included."""


class CodeArguments(msgspec.Struct):
    """What execute_code takes."""

    code: Annotated[
        str,
        msgspec.Meta(
            description="A Python program; print what you want to see.",
            examples=["import tools\nprint(tools.read_file(path='a.py'))"],
        ),
    ]


class ExecuteCode(TypedTool[CodeArguments]):
    """Runs a program."""

    name = "execute_code"
    description = (
        "Run a Python program in the project's folder and get what it prints; for work on many files. "
        f"`import tools` gives {', '.join(f'tools.{name}' for name in ALLOWED)}, with the arguments "
        "of the tools; each returns the tool's text, or raises tools.ToolFailed. Usually without network."
    )
    Arguments = CodeArguments

    def declare(self, args: CodeArguments, folder: Path) -> Footprint:
        """Return that it may do anything."""
        if not args.code.strip():
            raise BadArguments("execute_code: code is empty; send a Python program")
        walls = lacking()
        why = f"runs Python code, not shut in: {walls}" if walls else "runs Python code, without network"
        subject = Subject("code", " ".join(args.code.split()), Access.RUN, Hazard.UNKNOWN, why=why)
        return undeclared("`execute_code` may change anything", (subject,))

    def show(self, args: CodeArguments, folder: Path) -> str:
        """Return the program."""
        return args.code

    def act(self, args: CodeArguments, call: Call) -> Result:
        """Return what it printed."""
        with scratch(code_py=args.code) as own, serving(own / "rpc", call.state(Calls)):
            line = _line(own, own / "code.py", call)
            finished = run(line, call.folder, _environment(call, own), LONGEST, call.token, call.output)
        if finished.interrupted:
            raise Interrupted(finished.output)
        return _result(finished)


def _line(own: Path, code: Path, call: Call) -> str:
    """Return the command: the child, behind walls where they stand."""
    closed = not lacking()
    argv = [sys.executable, "-I", str(CHILD), str(own / "rpc"), str(code), ",".join(ALLOWED), "01"[closed]]
    if not closed:
        return f"exec {join(argv)}"
    private = call.state(Private)
    project = private.project or call.folder
    walls = project_walls(project, (*private.places, *secrets(private.home)), own)
    walls = replace(walls, needed=(Path(sys.prefix), Path(sys.base_prefix), CHILD.parent))
    return f"exec {join(shut_in(argv, call.folder, walls))}"


def _environment(call: Call, own: Path) -> dict[str, str]:
    """Return what the child inherits: little, and no keys of whatever kind."""
    inherited = call.state(Inherited).environment
    kept = {
        name: inherited[name]
        for name in ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "USER")
        if name in inherited
    }
    return {**kept, "TMPDIR": str(own), "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}


def _result(finished: Finished) -> Result:
    output = finished.output.rstrip()
    if finished.timed_out:
        return Result(f"{output}\n[stopped after {LONGEST:g} s]".lstrip(), "too slow", ok=False)
    if finished.exit_code:
        return Result(
            f"{output}\n[exit {finished.exit_code}]".lstrip(), f"exit {finished.exit_code}", ok=False
        )
    lines = len(output.splitlines())
    return Result(output or "(it printed nothing)", f"{lines} line{'s' * (lines != 1)}")


TOOL = ExecuteCode()
