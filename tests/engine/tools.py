"""Small working tools: they read, write, wait, ask or ignore everything."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import BadArguments, Interrupted
from hermes_tui.engine.footprint import Footprint, Level, undeclared
from hermes_tui.engine.messages import ToolSchema
from hermes_tui.engine.protocols import Call, Result, Tool
from hermes_tui.engine.state import Asker, Question

Touch = Callable[[Mapping[str, Any], Path], Footprint]
Body = Callable[[Mapping[str, Any], Call], Result]


@dataclass
class Plain:
    """A tool made of two functions."""

    name: str
    touch: Touch
    body: Body
    lacks: str | None = None
    for_agents: bool = True

    @property
    def schema(self) -> ToolSchema:
        return ToolSchema(self.name, f"the test's {self.name}", {"type": "object"})

    def missing(self) -> str | None:
        return self.lacks

    def footprint(self, arguments: Mapping[str, Any], folder: Path) -> Footprint:
        return self.touch(arguments, folder)

    def preview(self, arguments: Mapping[str, Any], folder: Path) -> str:
        return f"{self.name} {arguments.get('path', '')}".strip()

    def run(self, arguments: Mapping[str, Any], call: Call) -> Result:
        return self.body(arguments, call)


def path_of(arguments: Mapping[str, Any], folder: Path) -> str:
    if not isinstance(arguments.get("path"), str):
        raise BadArguments("`path` is missing")
    return os.path.realpath(folder / str(arguments["path"]))


def reads(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    return Footprint(Level.SCOPED, reads=(path_of(arguments, folder),))


def writes(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    return Footprint(Level.SCOPED, writes=(path_of(arguments, folder),))


def edits(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    path = path_of(arguments, folder)
    return Footprint(Level.SCOPED, reads=(path,), writes=(path,))


def looks(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    return Footprint(Level.SAFE, reads=(path_of(arguments, folder),))


def touches_nothing(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    return Footprint(Level.SAFE)


def anything(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    return undeclared(f"`{arguments.get('path', 'it')}` is not known to be safe")


def asks_user(arguments: Mapping[str, Any], folder: Path) -> Footprint:
    return Footprint(Level.INTERACTIVE)


def read_body(arguments: Mapping[str, Any], call: Call) -> Result:
    return Result(Path(path_of(arguments, call.folder)).read_text())


def write_body(arguments: Mapping[str, Any], call: Call) -> Result:
    call.replace(Path(path_of(arguments, call.folder)), str(arguments["text"]).encode(), None)
    return Result("written", "1 file")


def edit_body(arguments: Mapping[str, Any], call: Call) -> Result:
    """Replace one text by another; the file must be as it was when the call read it."""
    path = Path(path_of(arguments, call.folder))
    before = path.read_bytes()
    after = before.replace(arguments["old"].encode(), arguments["new"].encode())
    call.replace(path, after, hashlib.sha256(before).hexdigest())
    return Result("edited")


def shell_body(arguments: Mapping[str, Any], call: Call) -> Result:
    """Write without the door, as a command does."""
    Path(path_of(arguments, call.folder)).write_text(str(arguments["text"]))
    return Result("ran")


def ask_body(arguments: Mapping[str, Any], call: Call) -> Result:
    reply = call.state(Asker).ask(Question(str(arguments.get("question", "?")), ("a", "b")))
    return Result(f"{reply.how}: {reply.answer}", ok=reply.how == "answered")


def sleep_body(arguments: Mapping[str, Any], call: Call) -> Result:
    """Wait, and stop at once when told to."""
    call.output("sleeping\n")
    try:
        call.token.future.result(float(arguments.get("seconds", 30)))
    except TimeoutError:
        return Result("slept")
    raise Interrupted("sleeping")


class Stuck:
    """A body that ignores its token until it is let go; what it writes then lands without the door."""

    def __init__(self) -> None:
        self.running = threading.Event()
        self.let_go = threading.Event()

    def __call__(self, arguments: Mapping[str, Any], call: Call) -> Result:
        self.running.set()
        self.let_go.wait(60)
        return Result("late result")


def ordinary() -> list[Tool]:
    """The tools that most tests need."""
    return [
        Plain("read", reads, read_body),
        Plain("write", writes, write_body),
        Plain("edit", edits, edit_body),
        Plain("look", looks, lambda arguments, call: Result("looked")),
        Plain("noop", touches_nothing, lambda arguments, call: Result("done")),
        Plain("shell", anything, shell_body),
        Plain("sleep", touches_nothing, sleep_body),
        Plain("ask", asks_user, ask_body),
    ]


class Box:
    """The tools of a test, by name."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = {tool.schema.name: tool for tool in tools}

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name.strip())

    def schemas(self) -> Sequence[ToolSchema]:
        return [tool.schema for tool in self._tools.values() if tool.missing() is None]

    def for_agents(self) -> Box:
        return Box([tool for tool in self._tools.values() if tool.for_agents])
