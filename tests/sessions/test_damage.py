"""A damaged file is moved aside, what can be read of it is kept, and the program goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

from hermes_tui.sessions.schema import MIGRATIONS
from tests.sessions.kit import Desk, check, connection, rows, until


def filled(home: Path) -> Desk:
    """A closed store of 20 sessions with 30 turns each."""
    desk = Desk(home)
    for session in range(20):
        for turn in range(30):
            desk.talk(f"question {session}.{turn}", "words " * 60)
        desk.current.new()
    desk.close()
    with connection(desk.path) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return desk


def damaged(path: Path) -> list[Path]:
    """The files that were moved aside."""
    return sorted(path.parent.glob("sessions.damaged-*.db"))


def test_what_can_be_read_of_a_truncated_file_is_kept(tmp_path: Path) -> None:
    """Cases h/139."""
    desk = filled(tmp_path)
    with desk.path.open("r+b") as file:
        file.truncate(desk.path.stat().st_size // 2)
    broken = desk.path.read_bytes()
    later = Desk(tmp_path)
    later.talk("new", "answer")
    later.close()
    (aside,) = damaged(desk.path)
    assert aside.read_bytes()[:100] == broken[:100]
    assert len(later.notices) == 1
    assert f"sessions.db was damaged: it is now {aside.name}, and " in later.notices[0][1]
    assert check(desk.path) == "ok"
    kept = rows(desk.path, "SELECT count(*) FROM messages")[0][0]
    assert kept > 100, kept
    assert rows(desk.path, "PRAGMA user_version") == [(len(MIGRATIONS),)]


def test_a_column_that_is_not_ours_is_left_out(tmp_path: Path) -> None:
    """Its name comes from the damaged file, and is no part of a statement."""
    desk = filled(tmp_path)
    with connection(desk.path) as file:
        file.execute('ALTER TABLE messages ADD COLUMN "x) VALUES (1); DROP TABLE sessions; --" TEXT')
    with desk.path.open("r+b") as file:
        file.truncate(desk.path.stat().st_size // 2)
    later = Desk(tmp_path)
    later.talk("new", "answer")
    later.close()
    assert len(damaged(desk.path)) == 1
    assert check(desk.path) == "ok"
    assert rows(desk.path, "SELECT count(*) FROM messages")[0][0] > 100


def test_nul_bytes_in_the_middle_cost_only_what_stood_there(tmp_path: Path) -> None:
    """Cases h/139: after a power loss."""
    desk = filled(tmp_path)
    size = desk.path.stat().st_size
    with desk.path.open("r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\0" * 8 * 4096)
    later = Desk(tmp_path)
    listed = later.current.store.recent()
    for session in listed:
        later.current.store.export(session.id, "json")
    later.talk("new", "answer")
    later.close()
    assert len(listed) >= 15
    assert rows(desk.path, "SELECT count(*) FROM messages")[0][0] > 400


def test_a_file_that_is_no_database_is_kept_and_replaced(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.path.parent.mkdir()
    desk.path.write_bytes(b"this is no database at all\n" * 100)
    desk.talk("hi", "ho")
    desk.close()
    (aside,) = damaged(desk.path)
    assert aside.read_bytes() == b"this is no database at all\n" * 100
    assert [s.title for s in Desk(tmp_path).current.store.recent()] == ["hi"]


def test_a_damage_while_the_program_runs_loses_nothing_that_is_said_after(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("before", "it")
    desk.current.flush()
    for part in ("", "-wal", "-shm"):
        desk.path.with_name(desk.path.name + part).unlink(missing_ok=True)
    desk.path.write_bytes(b"\0" * 100_000)
    desk.talk("after", "it")
    desk.current.flush()
    desk.talk("more", "of it")
    desk.close()
    said = [content for (content,) in rows(desk.path, "SELECT content FROM messages ORDER BY number")]
    assert said == [b"after", b"it", b"more", b"of it"]


def test_a_file_that_somebody_removed_is_made_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("before", "it")
    desk.current.flush()
    shutil.rmtree(desk.path.parent)
    desk.talk("after", "it")
    desk.close()
    assert [content for (content,) in rows(desk.path, "SELECT content FROM messages")] == [b"after", b"it"]


def test_a_broken_index_is_built_again(tmp_path: Path) -> None:
    desk = filled(tmp_path)
    with connection(desk.path) as file:
        file.execute("UPDATE pieces_data SET block = x'00' WHERE id > 1")
        file.commit()
    later = Desk(tmp_path)
    from hermes_tui.sessions.search import Query

    assert later.current.store.search(Query("question 7.3"))
    later.talk("new", "answer")
    newest = "SELECT max(key) FROM messages"
    until(lambda: rows(desk.path, "SELECT value FROM marks") == rows(desk.path, newest))
    later.close()
    assert damaged(desk.path) == []
