"""memory: notes in Markdown files that outlive the session and stay the user's own."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from hermes_tui.engine.footprint import Access
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Memory
from hermes_tui.tools.memory import TOOL, MemoryFiles
from tests.tools.support import Session


@pytest.fixture
def files(tmp_path: Path) -> MemoryFiles:
    return MemoryFiles(tmp_path / "data" / "memory", tmp_path / "shop")


@pytest.fixture
def session(tmp_path: Path, files: MemoryFiles) -> Session:
    session = Session(tmp_path)
    session.states[Memory] = files
    return session


def test_a_note_is_there_in_the_next_session(session: Session, files: MemoryFiles, tmp_path: Path) -> None:
    first = session.run(TOOL, action="add", content="tests run with\n `make check`")
    assert first == Result("- tests run with `make check`\n(27 of 4000 characters used)", display="noted")
    session.run(TOOL, action="add", target="user", content="prefers short answers")
    later = MemoryFiles(tmp_path / "data" / "memory", tmp_path / "shop")
    assert later.snapshot() == (
        "Notes on this project:\n- tests run with `make check`\n\nNotes on the user:\n- prefers short answers"
    )
    elsewhere = MemoryFiles(tmp_path / "data" / "memory", tmp_path / "other")
    assert elsewhere.snapshot() == "Notes on the user:\n- prefers short answers"


def test_a_note_is_replaced_and_removed_by_a_part_of_it(session: Session, files: MemoryFiles) -> None:
    for text in ("port is 80", "the host is a", "the host is b"):
        session.run(TOOL, action="add", content=text)
    session.run(TOOL, action="replace", old_text="port", content="port is 81")
    session.run(TOOL, action="remove", old_text="host is b")
    assert files.entries("project") == ["port is 81", "the host is a"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"action": "add"}, "add needs content"),
        ({"action": "remove"}, "remove needs old_text"),
        ({"action": "replace", "content": "x"}, "replace needs old_text"),
        ({"action": "forget"}, "memory: action: "),
        ({"action": "remove", "old_text": "zzz"}, "no note holds 'zzz'; give a part of exactly one of these"),
        ({"action": "remove", "old_text": "host"}, "2 notes hold 'host'"),
    ],
)
def test_bad_input_says_how_to_do_it_right(
    session: Session, files: MemoryFiles, arguments: dict[str, str], said: str
) -> None:
    files.add("project", "host a")
    files.add("project", "host b")
    assert said in session.refused(TOOL, **arguments)
    assert files.entries("project") == ["host a", "host b"]


def test_notes_beyond_the_cap_are_refused_and_what_is_there_is_shown(
    session: Session, files: MemoryFiles
) -> None:
    files.add("user", "x" * 1_990)
    text = session.refused(TOOL, action="add", target="user", content="y" * 20)
    assert text.startswith("the notes (user) would have 2010 characters, and 2000 fit: remove or shorten")
    assert files.entries("user") == ["x" * 1_990]


def test_what_the_user_wrote_into_the_file_stays(session: Session, files: MemoryFiles) -> None:
    file = files.files["project"]
    file.parent.mkdir(parents=True)
    file.write_text("# Mine\n\nSome words of my own.\n\n- one\n  goes on\n* two\n\nThe end.\n")
    assert files.entries("project") == ["one goes on", "two"]
    session.run(TOOL, action="remove", old_text="one")
    session.run(TOOL, action="add", content="three")
    assert file.read_text() == "# Mine\n\nSome words of my own.\n\n* two\n\nThe end.\n- three\n"


def test_the_files_are_private(session: Session, files: MemoryFiles) -> None:
    session.run(TOOL, action="add", content="a")
    folder = files.files["project"].parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_two_sessions_that_note_at_once_lose_nothing(tmp_path: Path) -> None:
    def note(who: str) -> None:
        mine = MemoryFiles(tmp_path, None)
        for number in range(20):
            mine.add("project", f"{who}{number}")

    threads = [threading.Thread(target=note, args=(who,)) for who in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(MemoryFiles(tmp_path, None).entries("project")) == sorted(
        f"{who}{number}" for who in "abc" for number in range(20)
    )


def test_it_touches_no_file_of_the_project_and_asks(tmp_path: Path) -> None:
    footprint = TOOL.footprint({"action": "add", "content": "a"}, tmp_path)
    assert (footprint.reads, footprint.writes, footprint.may_write_files) == (
        ("state:memory",),
        ("state:memory",),
        False,
    )
    assert [(s.text, s.access, s.why) for s in footprint.subjects] == [
        ("memory", Access.WRITE, "adds a note that later sessions go by")
    ]
    assert TOOL.preview({"action": "add", "content": "a"}, tmp_path) == "add (Notes on this project)\n+ a"


def test_each_change_is_told_to_the_user(tmp_path: Path) -> None:
    told: list[str] = []
    files = MemoryFiles(tmp_path, None, told.append)
    files.add("project", "a\x1b[31m")
    files.remove("project", "a")
    assert [text.partition(" · ")[0].split(":")[0] for text in told] == ["noted", "forgot"]
    assert not any("\x1b" in text for text in told)
