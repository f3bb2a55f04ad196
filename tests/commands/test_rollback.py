"""/rollback as the user meets it: what it shows, what it asks, what it tells the model."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from hermes_tui.checkpoints.store import CheckpointStore
from hermes_tui.commands.registry import collect
from hermes_tui.commands.rollback import back_to_chosen, complete_rollback, rollback
from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.history import prompt_of
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.files.reads import ReadLedger
from tests.checkpoints.kit import Project, edit
from tests.commands.support import ScriptedUI

T = TypeVar("T")


ELSEWHERE = "Files only: this conversation does not hold the turn of #{}"
ANYWAY = "To take what you edited as well: /rollback force 1 a"


class Engine:
    """The engine's thread: what is handed to it runs there, one after another. And its conversation."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="engine")
        self.session = "s1"
        self.messages: list[Message] = []

    def prompt_of(self, call: str) -> str | None:
        at = prompt_of(self.messages, call)
        return None if at is None else self.messages[at].content

    def cut_back(self, call: str) -> Sequence[Message]:
        assert threading.current_thread().name.startswith("engine")
        at = prompt_of(self.messages, call)
        gone = [] if at is None else self.messages[at:]
        self.messages = self.messages[: len(self.messages) - len(gone)]
        return gone

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


class Screen(ScriptedUI):
    """A front end that notes what it is asked to decide and answers as told."""

    def __init__(self, answer: int | None = 0) -> None:
        super().__init__()
        self.answer = answer
        self.decisions: list[tuple[str, str, list[str]]] = []
        self.back: list[tuple[str, int]] = []
        self.browsed = 0

    async def decide(self, title: str, body: str, options: Sequence[str]) -> int | None:
        self.decisions.append((title, body, list(options)))
        return self.answer

    async def browse_checkpoints(self) -> None:
        self.browsed += 1

    def went_back(self, prompt: str, count: int) -> None:
        self.back.append((prompt, count))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def typed(project: Project, argument: str, answer: int | None = 0) -> tuple[Screen, Program]:
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
    assert screen.decisions == [
        ("Go back to #1?", f"restore  a    +1 −2\ndelete   new  −1\n\n{ELSEWHERE.format(1)}", ["restore"])
    ]
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


def spoken(project: Project) -> Program:
    """A conversation of two turns: the second made two checkpoints, #1 and #2."""
    program = Program(project)

    def asks(name: str) -> Message:
        return Message("assistant", "", (ToolCall(name, "write", "{}"),))

    def made(name: str, path: str) -> list[Message]:
        recording = project.store.open("before write", name)
        assert recording is not None
        edit(recording, project.root / path, "agent\n")
        recording.close()
        return [asks(name), Message("tool", "done", call_id=name)]

    program.agent.messages = [Message("user", "hello"), Message("assistant", "hi")]
    program.agent.messages += [Message("user", "write a and b"), *made("c1", "a"), *made("c2", "b")]
    return program


def test_files_only_leaves_the_conversation_as_it_is(project: Project) -> None:
    program, screen = spoken(project), Screen(0)
    asyncio.run(rollback(program, screen, "1"))
    ((_, body, options),) = screen.decisions
    assert options == ["files only", "files and conversation"]
    assert body.endswith("The conversation can go back too, to before “write a and b”")
    assert (project.tree(), len(program.agent.messages), screen.back) == ({}, 7, [])


def test_files_and_conversation_go_back_to_before_the_prompt(project: Project) -> None:
    program, screen = spoken(project), Screen(1)
    program.reads.note(project.root / "elsewhere", "hash", b"")
    asyncio.run(rollback(program, screen, "1"))
    assert project.tree() == {}
    assert [message.content for message in program.agent.messages] == ["hello", "hi"]
    assert screen.back == [("write a and b", 5)]
    assert program.reads.hash(project.root / "elsewhere") is None
    assert program.told[0].startswith(
        "The user took back the last part of this conversation. The user rolled back files to checkpoint #1."
    )


def test_what_earlier_calls_of_the_turn_changed_is_said_to_stay(project: Project) -> None:
    program, screen = spoken(project), Screen(1)
    asyncio.run(rollback(program, screen, "2"))
    assert sorted(project.tree()) == ["a"]
    assert screen.said[-1] == "Calls before #2 in the same turn changed what stays: a"
    assert program.told[0].endswith("Calls in that part changed files that stay as they are: a.")


def test_the_conversation_can_go_back_when_the_files_did_before(project: Project) -> None:
    program = spoken(project)
    asyncio.run(rollback(program, Screen(0), "1"))
    screen = Screen(0)
    asyncio.run(rollback(program, screen, "1"))
    ((_, body, options),) = screen.decisions
    assert (body.splitlines()[0], options) == (
        "Nothing differs: all is as it was then.",
        ["take the conversation back"],
    )
    assert (screen.back, screen.said) == ([("write a and b", 5)], [])


def test_paths_another_session_and_a_conversation_begun_anew_leave_files_only(project: Project) -> None:
    program, screen = spoken(project), Screen(None)
    asyncio.run(rollback(program, screen, "1 a"))
    program.agent.session = "s2"
    asyncio.run(rollback(program, screen, "1"))
    program.agent.session = "s1"
    recording = project.store.open("before write", "c1")
    assert recording is not None
    recording.close()
    asyncio.run(rollback(program, screen, "1"))
    assert [options for _, _, options in screen.decisions] == [["restore"]] * 3
    assert [ELSEWHERE.format(1) in body for _, body, _ in screen.decisions] == [False, True, True]


def test_a_restore_that_cannot_be_saved_leaves_the_conversation_alone(project: Project) -> None:
    program, screen = spoken(project), Screen(1)
    journal = project.folder / "hermes" / "journal"
    journal.rename(journal.with_name("elsewhere"))
    journal.mkdir()
    with pytest.raises((HermesError, OSError)):
        asyncio.run(rollback(program, screen, "1"))
    assert (len(program.agent.messages), sorted(project.tree())) == (7, ["a", "b"])


def test_chosen_paths_are_taken_exactly_and_edited_ones_only_when_insisted_on(project: Project) -> None:
    project.put({"a": "1\n", "d/b": "1\n"})
    for name in ("a", "d/b", "d/new/c", "e"):
        project.edit(name, "2\n")
    project.put({"a": "mine\n"})
    program, screen = Program(project), Screen(0)
    chosen = {"a", "d/new/c"}
    asyncio.run(back_to_chosen(program, screen, 1, chosen, set()))
    assert screen.said[-1].splitlines()[1:] == [
        "  deleted  d/new",
        "  deleted  d/new/c",
        "  kept     a: you edited it since",
        ANYWAY,
    ]
    asyncio.run(back_to_chosen(program, screen, 1, {"a"}, {"a"}))
    assert (project.read("a"), project.read("d/b"), project.read("e")) == (b"1\n", b"2\n", b"2\n")


def test_no_is_the_end_of_it(project: Project) -> None:
    project.edit("a", "1\n")
    screen, program = typed(project, "1", answer=None)
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
    assert screen.decisions == []
    project.back(1)
    assert typed(project, "diff 1")[0].said == ["Nothing differs: all is as it was then."]


def test_diff_says_what_would_be_kept(project: Project) -> None:
    project.put({"a": "1\n", "b": "1\n"})
    project.edit("a", "2\n")
    project.edit("b", "2\n")
    project.put({"a": "mine\n"})
    assert typed(project, "diff 1")[0].said == [
        "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-2\n+1\n",
        f"keep     a  (you edited it since)\n{ANYWAY}",
    ]
    assert typed(project, "diff 1 a")[0].said == [f"keep     a  (you edited it since)\n{ANYWAY}"]


def test_undo_brings_back_what_the_rollback_took(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    typed(project, "1")
    screen, program = typed(project, "undo")
    assert screen.decisions == [("Undo the last rollback?", "restore  a  +1 −1", ["restore"])]
    assert project.read("a") == b"2\n"
    assert program.told[0].startswith("The user undid the rollback #2. Restored: a.")
    assert screen.said[0].startswith("Rollback #2 undone: 1 restored (saved as #3; /rollback 3 brings back")


def test_what_the_user_edited_is_kept_and_force_takes_it(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    project.put({"a": "mine\n"})
    screen, _ = typed(project, "1")
    assert (screen.decisions, screen.said) == ([], [f"keep     a  (you edited it since)\n{ANYWAY}"])
    screen, _ = typed(project, "force 1 a")
    assert screen.decisions[0][0] == "Go back to #1? Files that you edited are taken too."
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
    words = complete_rollback(Program(project))
    assert words[:2] == [("3", "write a"), ("1", "write a")]
    assert [word for word, _ in words[2:]] == ["diff ", "undo", "force ", "diff 3", "diff 1"]
