"""process: looks at, waits for and ends real background processes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Background
from hermes_tui.processes.table import BackgroundTable
from hermes_tui.tools.process import TOOL
from tests.processes.support import ENVIRONMENT, alive, pid_in, until
from tests.tools.support import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Return a session with a table of processes."""
    session = Session(tmp_path)
    table = BackgroundTable(ENVIRONMENT)
    session.states[Background] = table
    yield session
    table.close()


def start(session: Session, command: str) -> str:
    """Start a command in the background."""
    table = session.states[Background]
    assert isinstance(table, BackgroundTable)
    return table.start(command, session.folder)


def test_an_empty_table_says_how_to_start_one(session: Session) -> None:
    assert session.run(TOOL, action="list") == Result(
        "no background processes; terminal with background=true starts one", display="none"
    )


def test_processes_are_listed_polled_and_logged(session: Session) -> None:
    start(session, "seq 30; until [ -e go ]; do sleep 0.01; done; exit 2")
    start(session, "true\nfalse")
    until(
        lambda: "29-29 of 30" in session.run(TOOL, action="log", process_id="p1", offset=29).content,
        "all is there",
    )
    until(lambda: "1 of 2" in session.run(TOOL, action="list").display, "p2 has ended")
    assert session.run(TOOL, action="list").content == (
        "p1: running: seq 30; until [ -e go ]; do sleep 0.01; done; exit 2\np2: exit code 1: true …"
    )
    numbers = "\n".join(str(number) for number in range(11, 31))
    assert session.run(TOOL, action="poll", process_id="p1").content.endswith(
        f"\n{numbers}\n[lines 10-29 of 30]"
    )
    assert session.run(TOOL, action="log", process_id="p1", offset=3, limit=2).content == (
        "4\n5\n[lines 3-4 of 30; go on with offset=5]"
    )
    assert session.run(TOOL, action="log", process_id="p1", limit=1).content == "30\n[lines 29-29 of 30]"
    (session.folder / "go").touch()
    waited = session.run(TOOL, action="wait", process_id="p1", timeout=20)
    assert waited.content.startswith("p1: exit code 2: ")


def test_a_wait_that_is_over_says_that_it_still_runs(session: Session) -> None:
    start(session, "echo up; exec sleep 30")
    until(lambda: "up" in session.run(TOOL, action="poll", process_id="p1").content, "it is up")
    assert session.run(TOOL, action="wait", process_id="p1", timeout=0.05) == Result(
        "p1: running: echo up; exec sleep 30\nup\n[lines 0-0 of 1]",
        display="p1: running: echo up; exec sleep 30",
    )


def test_an_interrupted_wait_leaves_the_process_running(session: Session) -> None:
    start(session, "echo $$ > pid; echo up; exec sleep 30")
    pid = pid_in(session.folder / "pid")
    threading.Timer(0.1, session.token.set).start()
    with pytest.raises(Interrupted, match="p1 goes on running\nup"):
        session.run(TOOL, action="wait", process_id="p1")
    assert alive(pid)


def test_kill_ends_it(session: Session) -> None:
    start(session, "echo $$ > pid; exec sleep 30")
    pid = pid_in(session.folder / "pid")
    assert session.run(TOOL, action="kill", process_id="p1").display.startswith("p1: ended by SIGTERM")
    assert not alive(pid)


def test_output_is_shown_without_control_sequences(session: Session) -> None:
    start(session, r"printf 'a\033[2Jb\rc\n'")
    session.run(TOOL, action="wait", process_id="p1")
    assert session.run(TOOL, action="log", process_id="p1").content.startswith("c\n")


def test_looking_is_safe_and_the_rest_is_undeclared_whatever_the_process(session: Session) -> None:
    state = ("state:processes",)
    for action in ("list", "poll", "log"):
        footprint = TOOL.footprint({"action": action, "process_id": "p1"}, session.folder)
        assert footprint == Footprint(Level.SAFE, state)
    for action in ("wait", "kill"):
        footprint = TOOL.footprint({"action": action, "process_id": "none"}, session.folder)
        assert (footprint.level, footprint.reads, footprint.writes) == (Level.UNDECLARED, state, state)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "needed: action"),
        ({"action": "stop"}, "action"),
        ({"action": "poll"}, "poll needs a process_id, for example p1"),
        ({"action": "kill", "process_id": " "}, "kill needs a process_id"),
        ({"action": "poll", "process_id": "p9"}, "no background process 'p9': none was started"),
        ({"action": "log", "process_id": "p9"}, "no background process 'p9'"),
        ({"action": "wait", "process_id": "p9"}, "no background process 'p9'"),
        ({"action": "kill", "process_id": "p9"}, "no background process 'p9'"),
        ({"action": "log", "process_id": "p1", "limit": 0}, "limit"),
        ({"action": "wait", "process_id": "p1", "timeout": -1}, "timeout"),
        ({"action": "wait", "process_id": "p1", "timeout": 1e9}, "timeout"),
        ({"action": "list", "session_id": "p1"}, "unknown argument 'session_id'"),
    ],
    ids=str,
)
def test_bad_input_says_how_to_do_it_right(session: Session, arguments: dict[str, object], told: str) -> None:
    assert told in session.refused(TOOL, **arguments)
