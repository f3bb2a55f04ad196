"""/rollback as the user meets it: what it shows, what it asks, what it tells the model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from hermes_tui.checkpoints.store import CheckpointStore
from hermes_tui.commands.registry import collect
from hermes_tui.commands.rollback import complete_rollback, rollback
from hermes_tui.engine.errors import HermesError
from hermes_tui.files.reads import ReadLedger
from tests.checkpoints.kit import Project

T = TypeVar("T")


class Engine:
    """The engine's thread: what is handed to it runs there, one after another."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="engine")

    def do(self, function: Callable[[], T]) -> Future[T]:
        return self._pool.submit(function)


class Program:
    """The part of the program that the command sees, on a real project."""

    def __init__(self, project: Project) -> None:
        self.checkpoints: CheckpointStore = project.store
        self.agent = Engine()
        self.reads = ReadLedger()
        self.told: list[str] = []

    def tell_model(self, text: str) -> None:
        self.told.append(text)


class Screen:
    """A front end that notes what it is asked to show and answers as told."""

    def __init__(self, answer: bool = True) -> None:
        self.answer = answer
        self.said: list[str] = []
        self.asked: list[tuple[str, str, str]] = []
        self.browsed = 0

    def say(self, text: str) -> None:
        self.said.append(text)

    def warn(self, text: str) -> None:
        raise AssertionError(text)

    async def confirm(self, title: str, body: str, yes: str) -> bool:
        self.asked.append((title, body, yes))
        return self.answer

    async def choose(self, title: str, options: Sequence[str], current: int | None) -> int | None:
        raise AssertionError(title)

    async def run(self, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(work)

    async def browse_checkpoints(self) -> None:
        self.browsed += 1

    def set_theme(self, name: str) -> None:
        raise AssertionError(name)

    def themes(self) -> Sequence[str]:
        return ()

    def clear(self) -> None:
        raise AssertionError

    def quit(self) -> None:
        raise AssertionError


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def typed(project: Project, argument: str, answer: bool = True) -> tuple[Screen, Program]:
    """Type /rollback with an argument."""
    screen, program = Screen(answer), Program(project)
    asyncio.run(rollback(program, screen, argument))
    return screen, program


def test_it_is_a_command_with_help() -> None:
    import hermes_tui.commands.rollback as module

    (command,) = collect(module)
    assert (command.name, command.help) == ("rollback", "Undo what the agent changed")
    assert "no patterns" in command.usage


def test_without_checkpoints_it_says_so(project: Project) -> None:
    screen, _ = typed(project, "")
    assert (screen.said, screen.browsed) == (
        ["No checkpoints yet: the first one is made before the first change."],
        0,
    )


def test_alone_it_opens_the_browser(project: Project) -> None:
    project.edit("a", "1\n")
    assert typed(project, "")[0].browsed == 1


def test_a_number_previews_asks_restores_and_tells_the_model(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n3\n")
    project.edit("new", "1\n")
    program = Program(project)
    for name in ("a", "other"):
        program.reads.note(project.root / name, "hash", b"")
    screen = Screen()
    asyncio.run(rollback(program, screen, "1"))
    assert screen.asked == [("Go back to #1?", "restore  a    +1 −2\ndelete   new  −1", "restore")]
    assert screen.said == [
        "Back to #1: 1 restored, 1 deleted (saved as #3; /rollback undo brings back what stood there)\n"
        "  restored a\n  deleted  new"
    ]
    assert program.told == [
        "The user rolled back files to checkpoint #1. Restored: a. Deleted: new. "
        "What you know of these files is out of date: read them again before you use them."
    ]
    assert (program.reads.hash(project.root / "a"), program.reads.hash(project.root / "other")) == (
        None,
        "hash",
    )
    assert project.read("a") == b"1\n"


def test_no_is_the_end_of_it(project: Project) -> None:
    project.edit("a", "1\n")
    screen, program = typed(project, "1", answer=False)
    assert (screen.said, program.told) == (["Nothing was changed."], [])
    assert project.read("a") == b"1\n"


def test_names_with_blanks_are_quoted_and_literal(project: Project) -> None:
    project.put({"two words": "1\n", "*": "1\n", "x": "1\n"})
    project.command('for f in *; do echo 2 >"$f"; done')
    typed(project, "#1 'two words' *")
    assert [project.read(name) for name in ("two words", "*", "x")] == [b"1\n", b"1\n", b"2\n"]


def test_diff_shows_and_changes_nothing(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    screen, _ = typed(project, "diff 1 a")
    assert screen.said == ["--- a/a\n+++ b/a\n@@ -1 +1 @@\n-2\n+1\n"]
    assert screen.asked == []
    project.back(1)
    assert typed(project, "diff 1")[0].said == ["Nothing differs: all is as it was then."]


def test_diff_says_what_would_be_kept(project: Project) -> None:
    project.put({"a": "1\n", "b": "1\n"})
    project.edit("a", "2\n")
    project.edit("b", "2\n")
    project.put({"a": "mine\n"})
    assert typed(project, "diff 1")[0].said == [
        "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-2\n+1\n",
        "keep     a  (you edited it since)",
    ]
    assert typed(project, "diff 1 a")[0].said == ["keep     a  (you edited it since)"]


def test_undo_brings_back_what_the_rollback_took(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    typed(project, "1")
    screen, program = typed(project, "undo")
    assert screen.asked == [("Undo the last rollback?", "restore  a  +1 −1", "restore")]
    assert project.read("a") == b"2\n"
    assert program.told[0].startswith("The user undid the rollback #2. Restored: a.")
    assert screen.said[0].startswith("Rollback #2 undone: 1 restored (saved as #3; /rollback 3 brings back")


def test_what_the_user_edited_is_kept_and_force_takes_it(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    project.put({"a": "mine\n"})
    screen, _ = typed(project, "1")
    assert (screen.asked, screen.said) == ([], ["keep     a  (you edited it since)"])
    screen, _ = typed(project, "force 1 a")
    assert screen.asked[0][0] == "Go back to #1? Files that you edited are taken too."
    assert project.read("a") == b"1\n"


@pytest.mark.parametrize(
    ("argument", "error"),
    [
        ("x", "no number: x; there are /rollback, /rollback N"),
        ("-1", "no number: -1; there are"),
        ("diff", "there are /rollback, /rollback N"),
        ("diff 1 a b", "there are /rollback, /rollback N"),
        ("undo 3", "there are /rollback, /rollback N"),
        ("1 'a", "a quote is not closed; quote names with blanks: /rollback 3 'my file.txt'"),
        ("9", "there is no checkpoint #9: the list shows those there are"),
        ("1 nowhere", "#1 and later hold no change of nowhere: nothing was restored"),
        ("undo", "there is no rollback to undo"),
    ],
)
def test_bad_input_is_one_clear_line(project: Project, argument: str, error: str) -> None:
    project.edit("a", "1\n")
    with pytest.raises(HermesError) as caught:
        typed(project, argument)
    assert str(caught.value).startswith(error)
    assert "\n" not in str(caught.value)


def test_numbers_are_offered_newest_first(project: Project) -> None:
    project.edit("a", "1\n")
    project.open().close()
    project.edit("a", "2\n")
    assert complete_rollback(Program(project)) == ["3", "1", "diff ", "undo", "force "]
