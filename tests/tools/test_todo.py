"""todo: the list is written, merged and read back; it touches no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.engine.footprint import Level
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Todo, Todos
from hermes_tui.tools.todo import TOOL, TodoList
from tests.tools.support import Session

LEGEND = "([ ] pending, [>] in_progress, [x] completed, [-] cancelled)"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Return a session with an empty list."""
    session = Session(tmp_path)
    session.states[Todos] = TodoList()
    return session


FIRST = [
    {"id": "1", "content": "read", "status": "completed"},
    {"id": "2", "content": "write", "status": "in_progress"},
    {"id": "3", "content": "test"},
]


def test_a_list_is_written_and_read_back(session: Session) -> None:
    expected = Result(f"[x] 1: read\n[>] 2: write\n[ ] 3: test\n{LEGEND}", display="1 of 3 done")
    assert session.run(TOOL, todos=FIRST) == expected
    assert session.run(TOOL) == expected
    assert session.run(TOOL, todos=None, merge=True) == expected


def test_merge_updates_by_id_and_adds_at_the_end(session: Session) -> None:
    session.run(TOOL, todos=FIRST)
    result = session.run(
        TOOL,
        todos=[
            {"id": " 2 ", "status": "completed"},
            {"id": "1", "content": "re-read"},
            {"id": "4", "content": "go"},
        ],
        merge=True,
    )
    assert result.content == f"[x] 1: re-read\n[x] 2: write\n[ ] 3: test\n[ ] 4: go\n{LEGEND}"


def test_without_merge_the_list_is_replaced(session: Session) -> None:
    session.run(TOOL, todos=FIRST)
    assert session.run(TOOL, todos=[{"id": "9", "content": "all new"}]).content == f"[ ] 9: all new\n{LEGEND}"
    assert session.run(TOOL, todos=[]) == Result("the todo list is empty", display="empty")


def test_a_refused_write_changes_nothing(session: Session) -> None:
    before = session.run(TOOL, todos=FIRST)
    session.refused(TOOL, todos=[{"id": "1", "content": "x"}, {"id": "1", "content": "y"}], merge=True)
    assert session.run(TOOL) == before


def test_what_is_given_out_is_a_copy() -> None:
    todos = TodoList()
    todos.write([Todo("1", "a")], merge=False)[0].content = "changed"
    todos.items()[0].status = "completed"
    assert todos.items() == [Todo("1", "a")]


def test_it_touches_no_file_and_needs_no_permission(tmp_path: Path) -> None:
    footprint = TOOL.footprint({}, tmp_path)
    assert (footprint.level, footprint.reads, footprint.writes) == (
        Level.UNDECLARED,
        ("state:todo",),
        ("state:todo",),
    )
    assert (footprint.subjects, footprint.may_write_files) == ((), False)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"todos": [{"id": "1"}]}, "the item '1' has no content"),
        ({"todos": [{"id": " ", "content": "x"}]}, "an item has an empty id"),
        ({"todos": [{"id": "1", "content": "x"}] * 2}, "the id '1' stands twice"),
        ({"todos": [{"content": "x"}]}, "missing required field 'id'"),
        ({"todos": [{"id": "1", "content": "x", "status": "done"}]}, "todos[0].status"),
        ({"todos": "read, write"}, "todos: expected 'array"),
        ({"todos": [{"id": str(n), "content": "x"} for n in range(201)]}, "more than 200 items"),
        ({"items": []}, "unknown argument 'items'"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_bad_input_says_how_to_do_it_right(session: Session, arguments: dict[str, object], told: str) -> None:
    assert told in session.refused(TOOL, **arguments)
