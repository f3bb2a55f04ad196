"""Which processes belong to a command."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

from hermes_tui.processes import find
from hermes_tui.processes.find import Found, belonging, closure, lives
from hermes_tui.processes.kill import AT_ONCE, end
from hermes_tui.processes.pump import exit_of
from hermes_tui.processes.start import start
from tests.processes.support import ENVIRONMENT, pid_in, until


def found(pid: int, parent: int = 1, session: int = 0, marked: bool = False) -> Found:
    """Return a process with what matters here."""
    return Found(pid, 1.0, parent, session, session, "x", marked)


def test_descendants_belong_to_it_however_deep_and_in_whatever_order() -> None:
    everyone = [found(5, parent=4), found(4, parent=3), found(3, marked=True), found(9, session=7), found(2)]
    assert {one.pid for one in closure(everyone, session=7)} == {3, 4, 5, 9}
    assert closure([found(os.getpid(), marked=True)], session=7) == []


@pytest.mark.skipif(sys.platform != "linux", reason="compares /proc with the portable way")
def test_the_portable_way_finds_the_same(tmp_path: Path) -> None:
    command = f"setsid bash -c 'echo $$ > {tmp_path}/pid; exec sleep 30' & sleep 30"
    child = start(command, tmp_path, ENVIRONMENT)
    try:
        pid_in(tmp_path / "pid")
        until(lambda: "bash" not in {one.name for one in belonging(child.pid, child.mark)[1:]}, "both sleep")
        ours = belonging(child.pid, child.mark)
        portable = closure(find._from_psutil(child.mark), child.pid)
        assert [(one.pid, one.parent, one.group, one.session, one.name, one.marked) for one in portable] == [
            (one.pid, one.parent, one.group, one.session, one.name, one.marked) for one in ours
        ]
        assert len(ours) == 3
    finally:
        assert end(child, AT_ONCE) == []
        child.process.wait()
        child.pipe.close()


def test_text_that_only_quotes_the_mark_does_not_belong_to_it(tmp_path: Path) -> None:
    child = start("exec sleep 30", tmp_path, ENVIRONMENT)
    quoting = start("exec sleep 30", tmp_path, {**ENVIRONMENT, "NOTE": f"HERMES_TUI_CALL={child.mark}"})
    inner = start("exec sleep 30", tmp_path, {**ENVIRONMENT, "HERMES_TUI_CALL": child.mark})
    try:
        until(lambda: len(belonging(child.pid, child.mark)) == 2, "both are marked")
        assert {one.pid for one in belonging(child.pid, child.mark)} == {child.pid, inner.pid}
    finally:
        for each in (child, quoting, inner):
            end(each, AT_ONCE)
            each.process.wait()
            each.pipe.close()


def test_a_later_process_of_the_same_number_is_another() -> None:
    (me,) = [one for one in find._from_proc("nobody") if one.pid == os.getpid()]
    assert lives(me)
    assert not lives(Found(me.pid, me.started - 1, me.parent, me.group, me.session, me.name, False))


@pytest.mark.parametrize("pidfd", [True, False])
def test_the_end_is_noticed_with_and_without_pidfd(tmp_path: Path, pidfd: bool) -> None:
    child = start("exit 7", tmp_path, ENVIRONMENT)
    descriptor = exit_of(child, pidfd)
    assert select.select([descriptor], [], [], 20)[0] == [descriptor]
    os.close(descriptor)
    assert child.process.wait() == 7
    child.pipe.close()
