"""Plugins: a file in a folder is enough; a broken one is told and hurts no other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes_tui.plugins.load import load_plugins
from tests.tools.support import Session

TOOL = '''
"""A tool of the user's own."""
from pathlib import Path
import msgspec
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.tools.base import TypedTool


class Arguments(msgspec.Struct):
    """What it takes."""

    text: str


class Shout(TypedTool[Arguments]):
    """Says it louder."""

    name = "shout"
    description = "Say it louder."
    Arguments = Arguments

    def declare(self, args: Arguments, folder: Path) -> Footprint:
        """Return that it touches nothing."""
        return Footprint(Level.SAFE)

    def act(self, args: Arguments, call: Call) -> Result:
        """Return it in capitals."""
        return Result(args.text.upper())


TOOL = Shout()
'''

HOOKS = '''
from hermes_tui.plugins import hookimpl


class Guard:
    def check(self, call):
        return "not today" if call.name == "shout" else None


async def greet(hermes, ui, argument):
    """Say hello."""
    ui.say("hello")


@hookimpl
def hermes_guards():
    return [Guard()]


@hookimpl
def hermes_commands():
    return [greet]
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "plugins"
    folder.mkdir(mode=0o755)
    return folder


def put(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(exist_ok=True, mode=0o755)
    file.write_text(text)
    file.chmod(0o644)


def test_a_tool_file_dropped_into_the_folder_is_a_tool(folder: Path, tmp_path: Path) -> None:
    put(folder, "shout.py", TOOL)
    found = load_plugins(folder)
    assert (found.names, found.notices) == (["shout"], [])
    (tool,) = found.tools
    assert tool.schema.name == "shout"
    assert Session(tmp_path).run(tool, text="hi").content == "HI"


def test_a_package_may_bring_guards_and_commands(folder: Path) -> None:
    put(folder, "mine/__init__.py", HOOKS)
    found = load_plugins(folder)
    assert (found.names, found.notices) == (["mine"], [])
    assert [command.__name__ for command in found.commands] == ["greet"]
    assert len(found.guards) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_module_at_all\n", "No module named 'no_such_module_at_all'"),
        ("def broken(:\n", "SyntaxError"),
        ("raise SystemExit(3)\n", "SystemExit"),
        ("TOOL = object()\n", "has no attribute 'schema'"),
        ("def hermes_tools():\n    return [1 / 0]\n", "ZeroDivisionError"),
        (
            "from hermes_tui.plugins import hookimpl\n@hookimpl\ndef hermes_tools(wanted):\n    return []\n",
            "hermes_tools",
        ),
    ],
)
def test_a_broken_one_is_told_in_one_line_and_hurts_no_other(folder: Path, text: str, said: str) -> None:
    put(folder, "bad.py", text)
    put(folder, "shout.py", TOOL)
    found = load_plugins(folder)
    assert found.names == ["shout"]
    (notice,) = found.notices
    assert notice.startswith("plugin bad is not used: ")
    assert said in notice
    assert "\n" not in notice


def test_no_plugin_takes_the_place_of_a_built_in_tool(folder: Path) -> None:
    put(folder, "a.py", TOOL)
    put(folder, "b.py", TOOL)
    found = load_plugins(folder, ["read_file", "shout"])
    assert found.tools == []
    assert found.notices == [
        "plugin a: its tool shout is not used: there is one",
        "plugin b: its tool shout is not used: there is one",
    ]


def test_a_file_that_others_may_write_is_not_run(folder: Path, tmp_path: Path) -> None:
    put(folder, "evil.py", f"open({str(tmp_path / 'canary')!r}, 'w')\n")
    (folder / "evil.py").chmod(0o666)
    found = load_plugins(folder)
    assert found.notices == [f"plugin evil is not used: others may write {folder / 'evil.py'}; chmod go-w it"]
    assert not (tmp_path / "canary").exists()


def test_what_is_no_plugin_is_left_alone(folder: Path) -> None:
    for name in ("_draft.py", ".hidden.py", "notes.txt"):
        put(folder, name, "raise ValueError\n")
    (folder / "empty").mkdir()
    os.symlink("/nowhere", folder / "gone.py")
    found = load_plugins(folder)
    assert (found.names, found.notices) == ([], [])
    assert load_plugins(folder / "missing").names == []


MEMORY = """
from hermes_tui.plugins import hookimpl


class Shelf:
    def __init__(self, place):
        self.file = place.folder / "shelf.txt"

    def recall(self, query, limit):
        from hermes_tui.engine.recall import Remembered
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        return [Remembered(line, 1.0, "earlier") for line in lines[:limit]]

    def store(self, turn):
        with self.file.open("a") as file:
            file.write(" ".join(turn.text.split()) + "\\n")

    def close(self):
        pass


@hookimpl
def hermes_memories():
    return {"shelf": Shelf}
"""


def test_a_file_may_bring_a_memory_provider(folder: Path) -> None:
    put(folder, "shelf.py", MEMORY)
    put(folder, "twice.py", MEMORY)
    found = load_plugins(folder)
    assert (found.names, list(found.memories)) == (["shelf", "twice"], ["shelf"])
    assert found.notices == ["plugin twice: its memory provider shelf is not used: there is one"]
