"""Background processes: they outlive calls and interrupts, and end with the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.engine.errors import Interrupted, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.state import Background, BackgroundInfo
from hermes_tui.processes.table import MOST, BackgroundTable
from tests.processes.support import ENVIRONMENT, Running, alive, pid_in, until


@pytest.fixture
def table() -> Iterator[Background]:
    """Return a table that is closed after the test."""
    table = BackgroundTable(ENVIRONMENT)
    yield table
    table.close()


def test_a_process_is_listed_logged_and_waited_for(table: Background, tmp_path: Path) -> None:
    command = "echo one; echo two; until [ -e go ]; do sleep 0.01; done; echo three; exit 4"
    assert table.start(command, tmp_path) == "p1"
    until(lambda: "two" in table.log("p1", 0, 10), "two lines are there")
    assert table.list() == [BackgroundInfo("p1", command, True, None)]
    assert table.log("p1", 0, 10) == "one\ntwo\n[lines 0-1 of 2]"
    assert table.wait("p1", 0.01, Token()).running
    (tmp_path / "go").touch()
    assert table.wait("p1", 20, Token()) == BackgroundInfo("p1", command, False, 4)
    assert table.log("p1", 1, 1) == "two\n[lines 1-1 of 3; go on with offset=2]"
    assert table.log("p1", -1, 5) == "three\n[lines 2-2 of 3]"
    assert table.log("p1", 7, 5) == "[no line 7: there are 3, counted from 0]"


def test_an_unknown_id_names_those_there_are(table: Background, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no background process 'p1': none was started; use terminal"):
        table.log("p1", 0, 1)
    table.start("true", tmp_path)
    with pytest.raises(ToolError, match="no background process 'x': there are p1"):
        table.kill("x")
    assert table.wait(" p1 ", 20, Token()).exit_code == 0


def test_an_interrupt_ends_the_wait_and_not_the_process(table: Background, tmp_path: Path) -> None:
    table.start("echo $$ > pid; exec sleep 30", tmp_path)
    pid = pid_in(tmp_path / "pid")
    token = Token()
    token.set()
    with pytest.raises(Interrupted, match="p1 goes on running"):
        table.wait("p1", 20, token)
    foreground = Running().start("echo ready; sleep 30", tmp_path)
    foreground.has_shown("ready")
    foreground.token.set()
    assert foreground.result().interrupted
    assert alive(pid)


def test_kill_ends_the_group_and_what_left_it(table: Background, tmp_path: Path) -> None:
    inner = f"setsid bash -c 'trap \"\" TERM; echo $$ > {tmp_path}/pid; while :; do sleep 30; done' &"
    table.start(f"{inner} echo $$ > shell; while :; do sleep 30; done", tmp_path)
    pids = [pid_in(tmp_path / "pid"), pid_in(tmp_path / "shell")]
    assert table.kill("p1") == BackgroundInfo("p1", table.list()[0].command, False, -15)
    assert not any(alive(pid) for pid in pids)
    assert table.kill("p1").exit_code == -15


def test_a_server_started_with_an_ampersand_still_counts_as_running(
    table: Background, tmp_path: Path
) -> None:
    table.start("echo $$ > shell; (echo $BASHPID > pid; echo up; exec sleep 30) & exit 3", tmp_path)
    shell, server = pid_in(tmp_path / "shell"), pid_in(tmp_path / "pid")
    until(lambda: not alive(shell), "the shell has ended")
    assert table.list()[0].running
    assert not table.kill("p1").running
    assert not alive(server)


def test_close_ends_all_of_them_and_starts_no_more(table: Background, tmp_path: Path) -> None:
    for number in range(3):
        table.start(f"trap '' INT TERM; echo $$ > pid{number}; while :; do sleep 30; done", tmp_path)
    pids = [pid_in(tmp_path / f"pid{number}") for number in range(3)]
    table.close()
    assert not any(alive(pid) for pid in pids)
    with pytest.raises(ToolError, match="closing"):
        table.start("true", tmp_path)


def test_a_folder_that_is_missing_is_named(table: Background, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="does not exist or is no folder"):
        table.start("true", tmp_path / "nowhere")
    assert table.list() == []


def test_there_is_a_limit_and_it_says_what_to_do(table: Background, tmp_path: Path) -> None:
    for _ in range(MOST):
        table.start("exec sleep 30", tmp_path)
    with pytest.raises(ToolError, match=f"{MOST} background processes run already; kill one"):
        table.start("exec sleep 30", tmp_path)
    table.kill("p1")
    assert table.start("true", tmp_path) == f"p{MOST + 1}"
