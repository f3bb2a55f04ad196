"""What is kept comes back as it was; the file is the user's alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_tui.engine.errors import SessionError
from hermes_tui.engine.messages import Image, Message, ToolCall
from hermes_tui.sessions.schema import MIGRATIONS
from tests.sessions.kit import Desk, call, check, connection, rows

STRANGE = [
    "a\u2028b",
    "\x0c and \x85",
    "half \ud800 a pair",
    "NUL \x00 inside",
    "\r\n \x1b[31m",
    "漢字 🎉",
    "",
    "' OR 1=1 --",
]


@pytest.mark.parametrize("text", STRANGE)
def test_any_text_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    """Cases h/140."""
    messages = [
        Message("user", f"x{text}", images=(Image(f"p{text}.png", "image/png", "/p.png", 3),)),
        Message("assistant", text, (ToolCall("1", "read", json.dumps({"path": text})),), reasoning=text),
        Message("tool", f"{text}.", call_id="1"),
        Message("user", text or "note", kind="note"),
    ]
    desk = Desk(tmp_path)
    desk.begin("hello")
    for message in messages:
        desk.recorder.message(message)
    desk.end()
    desk.close()
    stored = Desk(tmp_path).current.go_on(True).messages
    assert stored == [Message("user", "hello"), *messages]
    assert check(desk.path) == "ok"


def test_files_are_the_users_alone_whatever_the_umask(tmp_path: Path) -> None:
    code = (
        "import os, sys, pathlib; os.umask(0)\n"
        "from tests.sessions.kit import Desk\n"
        "desk = Desk(pathlib.Path(sys.argv[1])); desk.talk('hi', 'ho')\n"
        "names = sorted((p.name, oct(p.stat().st_mode & 0o777)) for p in desk.path.parent.iterdir())\n"
        "print(names, oct(desk.path.parent.stat().st_mode & 0o777), flush=True); os._exit(0)"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    names = [("sessions.db", "0o600"), ("sessions.db-shm", "0o600"), ("sessions.db-wal", "0o600")]
    assert done.stdout.strip() == f"{names} 0o700"


def test_a_file_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("hi", "ho")
    desk.close()
    os.chmod(desk.path, 0o644)
    assert [session.title for session in Desk(tmp_path).current.store.recent()] == ["hi"]
    assert desk.path.stat().st_mode & 0o777 == 0o600


def test_a_file_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("hi", "ho")
    desk.close()
    with connection(desk.path) as file:
        file.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 5}")
    before = desk.path.read_bytes()
    later = Desk(tmp_path)
    with pytest.raises(SessionError, match=r"later version of hermes-tui \(format 6, this one knows 1\)"):
        later.current.store.recent()
    later.talk("one", "two")
    assert not later.current.close(5.0)
    assert [level for level, _ in later.notices] == ["warning"]
    assert "not being saved: the sessions were written by a later version" in later.notices[0][1]
    assert desk.path.read_bytes() == before


def test_an_empty_start_writes_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.close()
    assert not desk.path.exists()


def test_sessions_are_named_by_the_beginning_of_their_id(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("first prompt\nsecond line", "ok")
    one = desk.current.id
    desk.current.new()
    desk.talk("\n\n  # other \x1b[31mred\n", "ok")
    desk.current.flush()
    store = desk.current.store
    assert [session.title for session in store.recent()] == ["# other red", "first prompt"]
    assert store.find(one[:9]).id == one == store.find(one).id
    with pytest.raises(SessionError, match="no session 'zz'; hermes-tui sessions list shows them"):
        store.find("zz")
    with connection(desk.path) as file:
        file.execute("UPDATE sessions SET id = ? || 'x' WHERE id <> ?", (one[:4], one))
        file.commit()
    with pytest.raises(SessionError, match="several sessions begin with"):
        store.find(one[:3])
    desk.close()


def test_sessions_of_other_projects_are_not_listed_and_not_continued(tmp_path: Path) -> None:
    here, there = Desk(tmp_path), Desk(tmp_path, Path("/elsewhere"))
    here.talk("mine", "ok")
    here.close()
    with pytest.raises(SessionError, match="no session of this project yet"):
        there.current.go_on(True)
    assert there.current.store.recent(Path("/elsewhere")) == []
    taken = there.current.resume(here.current.id)
    assert [m.content for m in taken.messages] == ["mine", "ok"]
    assert taken.notices == ["this session began in /project; it goes on here, in /elsewhere"]
    assert [session.id for session in there.current.store.recent(Path("/elsewhere"))] == [here.current.id]
    there.close()


def test_deleting_takes_everything_of_one_session_and_nothing_of_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("keep this", "yes")
    kept = desk.current.id
    desk.current.new()
    desk.begin("drop that")
    desk.answer("calling", call("1"))
    desk.end()
    gone = desk.current.id
    desk.close()
    other = Desk(tmp_path)
    other.current.store.delete(gone)
    assert [session.id for session in other.current.store.recent()] == [kept]
    assert rows(desk.path, "SELECT DISTINCT session FROM messages") == [(kept,)]
    assert rows(desk.path, "SELECT DISTINCT session FROM events") == [(kept,)]
    assert check(desk.path) == "ok"


def test_a_renamed_session_keeps_its_title(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("first", "ok")
    desk.current.rename("my title")
    desk.talk("second", "ok")
    desk.close()
    assert [session.title for session in Desk(tmp_path).current.store.recent()] == ["my title"]


def test_a_fork_has_all_of_it_and_goes_its_own_way(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    original = desk.current.id
    taken = desk.current.fork("the copy")
    assert taken.ancestors == [original]
    desk.talk("two", "2")
    desk.close()
    store = Desk(tmp_path).current.store
    assert [m.content for m in taken.messages] == ["one", "1"]
    assert {s.title: (s.messages, s.parent) for s in store.recent()} == {
        "the copy": (4, original),
        "one": (2, None),
    }
    assert [m.content for m in store.messages(original)] == ["one", "1"]
    assert check(desk.path) == "ok"
