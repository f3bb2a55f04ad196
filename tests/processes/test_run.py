"""Running a command in the foreground: its end, its time, its interrupt, and what it leaves behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.processes.run import Finished, kill_running, run
from tests.processes.support import ENVIRONMENT, Running, alive, pid_in, run_here, until


def test_output_and_errors_come_in_the_order_they_were_written(tmp_path: Path) -> None:
    assert run_here("echo one; echo two >&2; echo three; exit 3", tmp_path) == Finished(
        3, "one\ntwo\nthree\n"
    )


def test_a_command_starts_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "sub dir").mkdir()
    assert run_here("pwd -P; echo $PWD", tmp_path / "sub dir").output == f"{tmp_path / 'sub dir'}\n" * 2


def test_a_prompt_reads_the_end_of_its_input_at_once(tmp_path: Path) -> None:
    """Cases c/47."""
    assert run_here("read x; echo got=$x", tmp_path) == Finished(0, "got=\n")


def test_a_command_has_no_terminal_to_ask_at(tmp_path: Path) -> None:
    """Cases c/44."""
    result = run_here("tty; echo secret > /dev/tty; less /etc/passwd | head -c 4", tmp_path)
    assert result.output.startswith("not a tty\n")
    assert "/dev/tty: No such device or address" in result.output
    assert result.output.endswith("root")


def test_an_editor_fails_at_once_and_says_what_to_do_instead(tmp_path: Path) -> None:
    """Cases c/43."""
    setup = "git init -q . && git config user.name a && git config user.email b && echo x > f && git add f"
    assert run_here(f"{setup} && git commit -q -m first", tmp_path).exit_code == 0
    for command in ("git commit --amend", "git rebase -i --root", "git tag -a v1"):
        result = run_here(command, tmp_path)
        assert result.exit_code != 0
        assert "a command has no editor here; give the text as an option" in result.output
    result = run_here("GIT_EDITOR=true git commit --amend && git log --format=%s", tmp_path)
    assert result.output.endswith("first\n")


def test_a_background_child_does_not_hold_the_call(tmp_path: Path) -> None:
    """Cases c/32: it is ended with the command, and the result says so."""
    result = run_here(f"echo hi; (echo $BASHPID > {tmp_path}/pid; exec sleep 30) &", tmp_path)
    assert result == Finished(0, "hi\n", ended=("sleep",))
    assert not alive(pid_in(tmp_path / "pid"))


def test_a_quiet_background_child_is_ended_too(tmp_path: Path) -> None:
    """Cases c/32, with the pipe closed: nothing but the group tells of it."""
    child = f"(echo $BASHPID > {tmp_path}/pid; exec sleep 30 < /dev/null > /dev/null 2>&1) &"
    result = run_here(f"echo hi; {child} until [ -s {tmp_path}/pid ]; do :; done", tmp_path)
    assert result == Finished(0, "hi\n", ended=("sleep",))
    assert not alive(pid_in(tmp_path / "pid"))


def test_a_daemon_in_a_session_of_its_own_lives_on_and_is_named(tmp_path: Path) -> None:
    script = (
        f"setsid bash -c 'echo $$ > {tmp_path}/pid; exec sleep 30' & until [ -s {tmp_path}/pid ]; do :; done"
    )
    result = run_here(f"{script}; echo hi", tmp_path)
    pid = pid_in(tmp_path / "pid")
    try:
        assert (result.output, result.ended, result.living) == ("hi\n", (), (f"sleep (pid {pid})",))
        assert alive(pid)
    finally:
        subprocess.run(["kill", "-9", str(pid)], check=True)


def test_what_writes_a_moment_longer_than_the_shell_is_waited_for(tmp_path: Path) -> None:
    result = run_here("echo all > >(sleep 0.03; cat; echo done)", tmp_path)
    assert result.output == "all\ndone\n"


def test_an_interrupt_ends_the_group_and_keeps_the_output(tmp_path: Path) -> None:
    """Cases c/31 and c/34."""
    running = Running().start("for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 1; done", tmp_path)
    running.has_shown("1\n2\n")
    running.token.set()
    result = running.result()
    assert result == Finished(-signal.SIGINT, result.output, interrupted=True)
    assert result.output in ("1\n2\n", "1\n2\n3\n")


def test_an_interrupt_before_the_start_ends_it_at_once(tmp_path: Path) -> None:
    token = Token()
    token.set()
    result = run("sleep 30", tmp_path, ENVIRONMENT, 60, token, lambda text: None)
    assert result == Finished(-signal.SIGINT, "", interrupted=True)


def test_a_command_may_clean_up_when_it_is_interrupted(tmp_path: Path) -> None:
    waiting = "import signal\ntry:\n print('ready')\n signal.pause()\n"
    (tmp_path / "work.py").write_text(waiting + "except KeyboardInterrupt:\n print('cleaned up')")
    running = Running().start(f"{sys.executable} work.py", tmp_path)
    running.has_shown("ready\n")
    running.token.set()
    assert running.result().output == "ready\ncleaned up\n"


@pytest.mark.parametrize("trap", ["trap '' INT", "trap '' INT TERM"])
def test_whoever_ignores_the_interrupt_is_killed_within_the_grace(tmp_path: Path, trap: str) -> None:
    running = Running().start(f"{trap}; echo $$ > pid; echo ready; while :; do sleep 30; done", tmp_path)
    running.has_shown("ready")
    running.token.set()
    assert running.result().interrupted
    assert not alive(pid_in(tmp_path / "pid"))


def test_a_second_interrupt_kills_at_once(tmp_path: Path) -> None:
    running = Running().start("trap '' INT TERM; echo ready; while :; do sleep 30; done", tmp_path)
    running.has_shown("ready")
    running.token.force()
    assert running.result() == Finished(-signal.SIGKILL, "ready\n", interrupted=True)


def test_an_interrupt_finds_what_left_the_group_and_the_session(tmp_path: Path) -> None:
    """Also a process of a process, in a third session, that ignores polite signals."""
    inner = f"trap '' INT TERM; echo $$ > {tmp_path}/pid; while :; do sleep 30; done"
    (tmp_path / "inner.sh").write_text(inner)
    running = Running().start("setsid bash -c 'setsid bash inner.sh & sleep 30' & sleep 30", tmp_path)
    pid = pid_in(tmp_path / "pid")
    running.token.set()
    assert running.result().interrupted
    assert not alive(pid)


def test_an_interrupt_finds_a_child_with_an_empty_environment(tmp_path: Path) -> None:
    command = f"env -i /usr/bin/setsid /bin/bash -c 'echo $$ > {tmp_path}/pid; exec /bin/sleep 30'; :"
    running = Running().start(command, tmp_path)
    pid = pid_in(tmp_path / "pid")
    running.token.set()
    assert running.result().interrupted
    assert not alive(pid)


def test_an_interrupt_leaves_the_processes_of_others_alone(tmp_path: Path) -> None:
    stranger = subprocess.Popen(["sleep", "30"], start_new_session=True)
    other = Running().start("echo ready; exec sleep 30", tmp_path)
    running = Running().start("echo ready; sleep 30", tmp_path)
    try:
        other.has_shown("ready")
        running.has_shown("ready")
        running.token.set()
        assert running.result().interrupted
        assert stranger.poll() is None
        assert not other.finished
    finally:
        other.token.force()
        stranger.kill()
        stranger.wait()
        other.result()


def test_the_end_of_the_program_kills_what_runs(tmp_path: Path) -> None:
    running = [
        Running().start(f"trap '' INT TERM; echo $$ > pid{number}; while :; do sleep 30; done", tmp_path)
        for number in range(2)
    ]
    pids = [pid_in(tmp_path / f"pid{number}") for number in range(2)]
    kill_running()
    assert [each.result().exit_code for each in running] == [-signal.SIGKILL] * 2
    assert not any(alive(pid) for pid in pids)


def test_output_so_far_survives_the_timeout(tmp_path: Path) -> None:
    """Cases c/35."""
    result = run_here("echo CRITICAL; echo $$ > pid; sleep 30", tmp_path, timeout=0.4)
    assert result == Finished(-signal.SIGINT, "CRITICAL\n", timed_out=True)
    assert not alive(pid_in(tmp_path / "pid"))


def test_output_is_shown_while_the_command_runs(tmp_path: Path) -> None:
    running = Running().start("echo first; until [ -e go ]; do sleep 0.01; done; echo second", tmp_path)
    running.has_shown("first\n")
    assert not running.finished
    (tmp_path / "go").touch()
    assert running.result().output == "".join(running.shown) == "first\nsecond\n"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("echo a\0b", "the command holds a NUL character"),
        ("echo \ud800", "half a surrogate pair"),
        ("echo " + "a" * 3_000_000, "too long for the system; write a script with write_file"),
    ],
)
def test_what_cannot_be_started_says_why(tmp_path: Path, command: str, reason: str) -> None:
    with pytest.raises(ToolError, match=reason):
        run_here(command, tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "nowhere", tmp_path / "file"):
        with pytest.raises(ToolError, match=f"the folder {folder} does not exist or is no folder"):
            run_here("true", folder)


def test_nothing_is_left_open_after_many_commands(tmp_path: Path) -> None:
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    run_here("true", tmp_path)
    before = descriptors()
    for _ in range(10):
        run_here("echo x", tmp_path)
    until(lambda: descriptors() <= before, "all descriptors are closed")
