"""What was said is found, whatever the query's signs mean elsewhere and whatever the language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.engine.errors import SessionError
from hermes_tui.engine.messages import Message
from hermes_tui.sessions.search import Hit, Query
from tests.sessions.kit import Desk, call, connection, rows, until

SAID = (
    "the wrong-book OR issue",
    "chat-send is slow",
    "see #123 and src/main.py, ask a@b.com about the 50% in C++ for a,b",
    'he said "never again" AND left',
    "数据库迁移脚本需要检查，然后重启服务。",
    "データベースの移行は完了しました",
    "def load_users(path: Path) -> list[User]:",
    "col:umn* ^caret (paren NEAR/3 {brace}",
    "Die Größe der Straße ist egal",
    "NUL \x00 and half \ud800 in a line",
    "it's a semi;colon -- comment /* no */",
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Sessions that are indexed."""
    desk = Desk(tmp_path_factory.mktemp("search"))
    for text in SAID:
        desk.talk(text, "ok")
    indexed(desk)
    yield desk
    desk.close()


def indexed(desk: Desk) -> None:
    """Wait until the index holds all."""
    desk.current.flush()
    newest = rows(desk.path, "SELECT max(key) FROM messages")
    until(lambda: rows(desk.path, "SELECT value FROM marks") == newest)


def found(desk: Desk, text: str, **more: object) -> list[Hit]:
    query = Query(text, **{"limit": 10, **more})  # type: ignore[arg-type]  # the fields of the call
    return desk.current.store.search(query)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        # cases h/130
        ("wrong-book OR issue", 0),
        ("chat-send", 1),
        # cases h/131
        ("#123", 2),
        ("src/main.py", 2),
        ("a@b.com", 2),
        ("50%", 2),
        ("C++", 2),
        ("a,b", 2),
        ('"never again"', 3),
        ("AND left", 3),
        ("NOT-there left", 3),
        # languages without blanks, and short ones
        ("迁移", 4),
        ("迁移脚本", 4),
        ("重启服务", 4),
        ("移行", 5),
        ("データベース", 5),
        # pieces of code
        ("load_users(path", 6),
        ("list[User]", 6),
        ("oad_use", 6),
        # signs of the query language
        ("col:umn*", 7),
        ("^caret", 7),
        ("(paren", 7),
        ("NEAR/3", 7),
        ("{brace}", 7),
        # case and other letters
        ("GRÖSSE straße", 8),
        ("half line", 9),
        ("it's", 10),
        ("semi;colon -- comment", 10),
        ("/* no */", 10),
    ],
)
def test_a_query_is_text(desk: Desk, query: str, said: int) -> None:
    hits = found(desk, query)
    assert hits, "nothing found"
    best = rows(desk.path, "SELECT content FROM messages WHERE key = ?", hits[0].key)
    assert best == [(SAID[said].encode("utf-8", "surrogatepass"),)]


@pytest.mark.parametrize("query", ["", "   ", "zzzz-nothing", "%", "_", "**", "\x00", "\ud800 \x00"])
def test_nothing_is_found_where_nothing_is(desk: Desk, query: str) -> None:
    hits = found(desk, query)
    assert all(query in hit.snippet for hit in hits)
    assert (hits != []) == (query in ("%", "_", '"'))


def test_what_was_just_said_is_found_before_it_is_indexed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("old words", "ok")
    indexed(desk)
    desk.current.flush()
    with connection(desk.path) as file:
        file.execute("BEGIN IMMEDIATE")  # so that nothing is indexed now
        file.rollback()
    desk.talk("brand new words 新しい", "ok")
    desk.current.flush()
    assert [hit.snippet for hit in found(desk, "brand new")] == ["brand new words 新しい"]
    assert [hit.snippet for hit in found(desk, "新し")] == ["brand new words 新しい"]
    desk.close()


def test_whole_words_and_newer_messages_come_first(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("a reloader of the loaders, reloading", "x" * 500)
    desk.talk("the loader", "y" * 500)
    indexed(desk)
    assert found(desk, "loader")[0].snippet == "the loader"
    old, new = rows(desk.path, "SELECT key FROM messages WHERE role = 'assistant' ORDER BY key")
    with connection(desk.path) as file:
        file.execute("UPDATE messages SET time = 0 WHERE key = ?", new)
        file.commit()
    assert [hit.key for hit in found(desk, "xxxx yyyy")] == [*old, *new]
    desk.close()


def test_calls_and_results_are_found_and_roles_are_told_apart(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin("please look")
    desk.answer("", call("1", command="pytest -k needle\n--maxfail 3"))
    desk.recorder.message(Message("tool", "the needle was found", call_id="1"))
    desk.end()
    desk.current.flush()
    roles = {hit.role: hit.snippet for hit in found(desk, "needle")}
    assert roles == {
        "assistant": "read pytest -k needle --maxfail 3",
        "tool": "the needle was found",
    }
    assert [hit.role for hit in found(desk, "needle", roles=("tool",))] == ["tool"]
    desk.close()


def test_one_session_or_one_project_alone_can_be_searched(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("needle in the first", "ok")
    first = desk.current.id
    desk.current.new()
    desk.talk("needle in the second", "ok")
    desk.current.flush()
    assert {hit.session for hit in found(desk, "needle")} == {first, desk.current.id}
    assert [hit.session for hit in found(desk, "needle", session=first)] == [first]
    assert found(desk, "needle", project="/elsewhere") == []
    desk.close()


def test_a_fork_does_not_show_everything_twice(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("needle", "ok")
    desk.current.fork()
    desk.talk("more", "ok")
    indexed(desk)
    assert [hit.session for hit in found(desk, "needle")] == [desk.current.id]
    desk.close()


def test_a_deleted_session_is_not_found(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("needle", "haystack")
    gone = desk.current.id
    desk.current.new()
    desk.talk("other", "ok")
    indexed(desk)
    desk.current.store.delete(gone)
    assert found(desk, "needle") == []
    with connection(desk.path) as file:
        file.execute("INSERT INTO pieces (pieces) VALUES ('integrity-check')")
    assert rows(desk.path, "SELECT count(*) FROM pieces WHERE pieces MATCH 'needle'") == [(0,)]
    desk.close()


def test_a_window_around_a_message(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for number in range(10):
        desk.talk(f"question {number}", f"answer {number}")
    desk.current.flush()
    store, session = desk.current.store, desk.current.id
    (hit,) = found(desk, "answer 4")
    near = store.around(session, hit.key, 2)
    assert [each.message.content for each in near] == [
        "answer 3",
        "question 4",
        "answer 4",
        "question 5",
        "answer 5",
    ][-5:]
    assert [each.message.content for each in store.around(session, None, 1)] == ["answer 9"]
    with pytest.raises(SessionError, match="no message 99999 in the session"):
        store.around(session, 99_999, 2)
    desk.close()


def test_a_broken_index_is_an_error_not_nothing_found(tmp_path: Path) -> None:
    """Cases h/131."""
    desk = Desk(tmp_path)
    desk.talk("needle", "ok")
    indexed(desk)
    desk.close()
    with connection(desk.path) as file:
        file.execute("DROP TABLE pieces")
        file.commit()
    later = Desk(tmp_path)
    with pytest.raises(SessionError, match="cannot be used: no such table: pieces"):
        found(later, "needle")


def test_a_session_with_its_own_batch_ends_before_it(tmp_path: Path) -> None:
    """What runs side by side sees the same: nothing of its own batch (design.md 3.3)."""
    from hermes_tui.sessions.tool import ToolSearch

    desk = Desk(tmp_path)
    desk.talk("needle one", "ok")
    desk.begin("needle two")
    desk.answer("calling", call("a", query="needle"), call("b", query="needle"))
    asked = ToolSearch(desk.current)
    before = [said.text for said in asked.find("needle", 10, None, ())]
    desk.recorder.message(Message("tool", "needle three", call_id="a"))
    desk.current.flush()
    assert sorted(before) == ["needle one", "needle two"]
    assert [said.text for said in asked.find("needle", 10, None, ())] == before
    assert [said.text for said in asked.around(desk.current.id, None, 2)] == ["ok", "needle two"]
    desk.close()
