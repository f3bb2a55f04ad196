"""Several sessions in one project, and sessions that are killed at a given moment."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes_tui.engine.errors import CheckpointError
from tests.checkpoints.kit import Project, edit

REPOSITORY = Path(__file__).resolve().parents[2]

START = """
import sys
from pathlib import Path
from tests.checkpoints.kit import Project, edit, footprint
project = Project(Path(sys.argv[1]), session="other")
"""


@contextmanager
def other(script: str, base: Path) -> Iterator[subprocess.Popen[str]]:
    """Another session of the program on the same project, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", START + script, str(base)],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill(process)
        process.communicate()


def kill(process: subprocess.Popen[str]) -> None:
    """Kill a session, and the commands that it runs: they would go on."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def line(process: subprocess.Popen[str]) -> str:
    """Wait for a line that the other session prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str]) -> None:
    """Let the other session go on."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_two_sessions_that_edit_at_once_lose_nothing_and_share_no_number(project: Project) -> None:
    """cases e/83"""
    script = "for i in range(40): project.edit(f'theirs{i % 4}', f'{i}\\n')\nproject.store.close(10)"
    with other(script, project.base) as process:
        for i in range(40):
            project.edit(f"mine{i % 4}", f"{i}\n")
        assert process.wait(60) == 0
    infos = project.store.list()
    assert [info.number for info in infos] == list(range(80, 0, -1))
    assert {info.session for info in infos} == {"s1", "other"}
    assert project.back(1).failed == ()
    assert project.tree() == {}


def test_what_another_running_session_changed_is_kept_unless_named(project: Project) -> None:
    """cases e/83"""
    project.put({"a": "1\n", "b": "1\n"})
    project.edit("a", "2\n")
    with other("project.edit('b', '2\\n'); print('ready', flush=True); input()", project.base) as process:
        assert line(process) == "ready"
        outcome = project.back(1)
        assert outcome.restored == ("a",)
        assert outcome.kept == (("b", "another running session changed it in #2; name the path to take it"),)
        assert project.back(1, ["b"]).restored == ("b",)
    project.store.undo()
    assert project.back(1).kept == ()  # a session that has ended is history
    assert (project.read("a"), project.read("b")) == (b"1\n", b"1\n")


def test_a_store_that_goes_while_it_is_open_restores_and_deletes_nothing(project: Project) -> None:
    """cases e/83"""
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    project.edit("new", "1\n")
    project.back(1)
    before = project.tree()
    shutil.rmtree(project.folder)
    with pytest.raises(CheckpointError):
        project.store.undo()
    with pytest.raises(CheckpointError):
        project.back(1)
    assert project.tree() == before
    project.store.close()
    project.reopened()
    assert project.edit("a", "3\n") == 1


def test_a_store_that_was_deleted_meanwhile_says_so(project: Project) -> None:
    project.edit("a", "1\n")
    shutil.rmtree(project.folder)
    with pytest.raises(CheckpointError, match="start anew"):
        project.store.open("another edit")


def test_what_a_damaged_store_lost_is_kept_once_more(project: Project) -> None:
    project.put({f"f{i}": f"content {i}\n" for i in range(100)})
    project.command("true")
    project.store.close(20)
    for file in (project.folder / "objects").rglob("*"):
        if file.is_file():
            file.unlink()
    before = project.tree()
    project.reopened("later")
    number = project.command("rm f*")
    project.back(number)
    assert project.tree() == before


def test_a_lock_that_a_living_session_holds_is_waited_for(project: Project) -> None:
    """cases e/86"""
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    script = (
        "base = project.store._opened()\n"
        "with base.book.opened(), base.git.held():\n"
        "    (base.folder / 'index.lock').touch(); print('ready', flush=True); input()\n"
        "    print((base.folder / 'index.lock').exists(), flush=True)\n"
        "input()"
    )
    with other(script, project.base) as process, ThreadPoolExecutor(1) as pool:
        assert line(process) == "ready"
        edited = pool.submit(project.edit, "a", "3\n")
        with pytest.raises(TimeoutError):
            edited.result(0.2)
        assert project.read("a") == b"2\n"
        tell(process)
        assert line(process) == "True"
        assert edited.result(30) == 2
    assert project.read("a") == b"3\n"


def test_a_file_that_another_session_is_about_to_write_is_kept(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    script = (
        "change = project.open().change(project.root / 'a', b'3\\n')\n"
        "change.__enter__(); print('ready', flush=True); input()"
    )
    with other(script, project.base) as process:
        assert line(process) == "ready"
        ((_, why),) = project.back(1, ["a"]).kept
        assert why == f"a call of process {process.pid} that still runs may be writing it"


def test_a_command_sees_no_change_of_another_session_as_its_own(project: Project) -> None:
    project.put({"a": "1\n", "b": "1\n"})
    script = (
        "from contextlib import ExitStack\nrecording = project.open()\n"
        "with recording.scanned('call', footprint()):\n"
        "    print('ready', flush=True); input(); project.sh('echo 2 >b')\n"
        "recording.close(); print('done', flush=True); input()"
    )
    with other(script, project.base) as process:
        assert line(process) == "ready"
        project.edit("a", "2\n")
        tell(process)
        assert line(process) == "done"
        files = {info.number: [file.path for file in info.files] for info in project.store.list()}
        assert files == {2: ["a"], 1: ["b"]}


@pytest.mark.parametrize("landed", [False, True])
def test_an_edit_cut_off_by_a_kill_is_settled_by_what_stands_there(project: Project, landed: bool) -> None:
    project.put({"d/a": "1\n"})
    before = project.tree()
    script = (
        "recording = project.open()\nchange = recording.change(project.root / 'new/a', b'2\\n')\n"
        f"change.__enter__()\nif {landed}: project.put({{'new/a': '2\\n'}})\n"
        "print('ready', flush=True); input()"
    )
    with other(script, project.base) as process:
        assert line(process) == "ready"
        kill(process)
    (info,) = project.store.list()
    assert [file.path for file in info.files] == (["new/a"] if landed else [])
    assert project.notices == [("info", "checkpoint #1 was cut off; what it had changed is recorded now")]
    project.back(1)
    assert project.tree() == before


def test_what_a_command_had_done_when_the_program_was_killed_is_found(project: Project) -> None:
    project.put({"a": "1\n", "b": "1\n"})
    before = project.tree()
    script = (
        "with project.open().scanned('call', footprint('make')):\n"
        "    project.sh('rm a; echo 2 >b; mkdir c'); print('ready', flush=True); input()"
    )
    with other(script, project.base) as process:
        assert line(process) == "ready"
        kill(process)
    assert [file.path for file in project.store.list()[0].files] == ["a", "b", "c"]
    assert project.back(1).kept == ()
    assert project.tree() == before


def test_a_child_that_outlives_the_killed_program_does_not_keep_it_alive(project: Project) -> None:
    # a process that was forked a moment before holds copies of all that its parent had open
    project.put({"a": "the user's\n"})
    script = """
recording = project.open("a command")
reader, writer = os.pipe()
with recording.scanned("call", footprint("echo made > a")):
    (project.root / "a").write_text("made\\n")
    if not os.fork():
        print("ready", flush=True)
        sys.stdin.read()
        os._exit(0)
    signal.pause()
"""
    with other("import os, signal\n" + script, project.base) as session:
        assert session.stdout is not None
        assert session.stdout.readline() == "ready\n"
        os.kill(session.pid, signal.SIGKILL)
        os.waitid(os.P_PID, session.pid, os.WEXITED | os.WNOWAIT)
        project.reopened()
        project.back(1)
        assert project.read("a") == b"the user's\n"


def test_a_user_who_edits_after_a_crash_keeps_his_version(project: Project) -> None:
    project.put({"a": "1\n"})
    script = (
        "change = project.open().change(project.root / 'a', b'2\\n')\n"
        "change.__enter__(); print('ready', flush=True); input()"
    )
    with other(script, project.base) as process:
        assert line(process) == "ready"
        kill(process)
    project.put({"a": "mine\n"})
    assert project.back(1).kept == (("a", "you edited it since"),)
    assert project.read("a") == b"mine\n"


def test_two_threads_edit_side_by_side_in_one_checkpoint(project: Project) -> None:
    recording = project.open()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: edit(recording, project.root / f"d{i % 3}/f{i}", f"{i}\n"), range(24)))
    assert recording.close() == 27
    assert project.back(1).failed == ()
    assert project.tree() == {}
