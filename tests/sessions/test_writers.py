"""One writer for a session; many instances; a lock, a full disk or a read-only folder stops no turn."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sessions.kit import Desk, check, connection, rows, until

LOCKED = "this session is not being saved: another program holds the lock of sessions.db"
AGAIN = ("info", "this session is saved again, all of it")

WRITE = """
import os, pathlib, sys, time
from tests.sessions.kit import Desk
desk = Desk(pathlib.Path(sys.argv[1]))
desk.begin(sys.argv[2])
worst = 0.0
for number in range(int(sys.argv[3])):
    began = time.monotonic()
    desk.answer(f"{sys.argv[2]} {number} " + "words " * 20)
    worst = max(worst, time.monotonic() - began)
desk.end()
desk.close()
print(desk.current.id, worst, desk.notices, flush=True)
os._exit(0)
"""


def writer(home: Path, name: str, count: int) -> subprocess.Popen[str]:
    """Another instance that writes so many messages."""
    words = [sys.executable, "-c", WRITE, str(home), name, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def count(path: Path, what: str) -> int:
    """How many rows there are, also while the file is being made."""
    try:
        return int(rows(path, f"SELECT count(*) FROM {what}")[0][0]) if path.exists() else 0
    except sqlite3.OperationalError:
        return 0


def test_two_instances_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    """2 000 messages each; nobody waits longer than it takes to say that the file is locked."""
    both = [writer(tmp_path, name, 2_000) for name in ("one", "two")]
    outputs = [process.communicate(timeout=100)[0].split(maxsplit=2) for process in both]
    path = tmp_path / "data" / "sessions.db"
    for session, worst, _ in outputs:
        found = rows(path, "SELECT count(*) FROM messages WHERE session = ? AND role = 'assistant'", session)
        assert found == [(2_000,)]
        assert float(worst) < 1.0
    assert check(path) == "ok"


def test_the_log_does_not_grow_without_end_under_five_writers(tmp_path: Path) -> None:
    """Cases h/134."""
    five = [writer(tmp_path, f"w{number}", 300) for number in range(5)]
    for process in five:
        assert process.wait(100) == 0
    log = tmp_path / "data" / "sessions.db-wal"
    assert not log.exists() or log.stat().st_size < 20_000_000
    assert rows(tmp_path / "data" / "sessions.db", "SELECT count(*) FROM messages") == [(5 * 301,)]


def test_a_lock_is_told_once_and_what_was_said_meanwhile_is_written_later(tmp_path: Path) -> None:
    """Cases h/133: another program holds the lock while this one starts."""
    first = Desk(tmp_path)
    first.talk("hi", "ho")
    first.close()
    desk = Desk(tmp_path)
    with connection(desk.path) as file:
        file.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        for number in range(20):
            desk.talk(f"prompt {number}", f"answer {number}")
        assert time.monotonic() - began < 2.0, "a turn waited for the lock"
        assert [text.partition(";")[0] for _, text in desk.notices] == [LOCKED]
        file.rollback()
    until(lambda: AGAIN in desk.notices)
    desk.close()
    assert len(desk.notices) == 2
    later = Desk(tmp_path)
    assert len(later.current.go_on(True).messages) == 40
    later.close()


def test_a_lock_at_the_end_is_waited_for(tmp_path: Path) -> None:
    first = Desk(tmp_path)
    first.talk("hi", "ho")
    first.close()
    desk = Desk(tmp_path)
    with connection(desk.path) as file:
        file.execute("BEGIN IMMEDIATE")
        desk.talk("prompt", "answer")
        assert not desk.current.close(0.3)
        file.rollback()
    until(lambda: rows(desk.path, "SELECT count(*) FROM sessions") == [(2,)])


def as_nobody(code: str, *arguments: str) -> str:
    """Run Python without root's rights; return what it printed."""
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*words, sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environ,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


TALK = """
import pathlib, sys
from tests.sessions.kit import Desk
desk = Desk(pathlib.Path(sys.argv[1]))
for number in range(3):
    desk.talk(f"p{number}", "x" * 200_000)
print(desk.current.close(5.0), [text for _, text in desk.notices])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a user without rights")
def test_a_folder_that_cannot_be_written_stops_no_turn(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for folder in (tmp_path, *tmp_path.parents[:2], home):
        folder.chmod(0o755)
    said = as_nobody(TALK, str(home))
    assert said.startswith("False ['this session is not being saved: "), said
    assert said.count("not being saved") == 1
    assert "Permission denied" in said


def test_a_full_disk_stops_no_turn(tmp_path: Path) -> None:
    code = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, 250_000))\n" + TALK
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False ['this session is not being saved: the disk "), done.stdout
    assert check(tmp_path / "data" / "sessions.db") == "ok"


def test_continuing_a_session_that_runs_forks_it(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", WRITE.replace("desk.close()", "input()"), str(tmp_path), "one", "3"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    path = tmp_path / "data" / "sessions.db"
    until(lambda: count(path, "events WHERE type = 'turn_finished'") == 1)
    (original,) = rows(path, "SELECT id FROM sessions")[0]
    desk = Desk(tmp_path)
    taken = desk.current.go_on(True)
    copy = taken.position.session
    assert copy != original
    notice = f"session {original[:8]} is open in another window; this is a fork of it, {copy[:8]}"
    assert taken.notices == [notice]
    assert taken.messages[0].content == "one"
    desk.talk("mine", "only")
    desk.close()
    running.kill()
    running.wait()
    both = dict(rows(path, "SELECT session, count(*) FROM messages WHERE shown GROUP BY session"))
    assert both == {original: 4, copy: 6}


def test_a_session_whose_writer_was_killed_is_free(tmp_path: Path) -> None:
    killed = writer(tmp_path, "one", 100_000)
    path = tmp_path / "data" / "sessions.db"
    until(lambda: count(path, "messages") > 50)
    killed.kill()
    killed.wait()
    (original,) = rows(path, "SELECT id FROM sessions")[0]
    desk = Desk(tmp_path)
    taken = desk.current.go_on(True)
    assert (taken.position.session, taken.notices) == (original, [])
    desk.close()


def test_another_process_with_the_same_number_is_not_the_owner(tmp_path: Path) -> None:
    """The number alone tells nothing: it may have been given away again."""
    import socket

    desk = Desk(tmp_path)
    desk.talk("hi", "ho")
    desk.close()
    with connection(desk.path) as file:
        file.execute("UPDATE sessions SET owner = ?", (f"{socket.gethostname()} {os.getppid()} 12345.0",))
        file.commit()
    later = Desk(tmp_path)
    assert later.current.go_on(True).notices == []
    later.close()
