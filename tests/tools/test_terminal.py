"""terminal: what a command line gives back, and how it ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Background, Inherited, Texts
from hermes_tui.files.kept import LONGEST, KeptTexts
from hermes_tui.processes import environment
from hermes_tui.processes.environment import for_commands
from hermes_tui.processes.table import BackgroundTable
from hermes_tui.tools.process import TOOL as PROCESS
from hermes_tui.tools.terminal import TOOL
from tests.processes.support import alive, pid_in, until
from tests.tools.support import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Return a session that can run commands."""
    session = Session(tmp_path)
    inherited = for_commands(os.environ)
    session.states[Inherited] = environment.Inherited(inherited)
    table = BackgroundTable(inherited)
    session.states[Background] = table
    session.states[Texts] = KeptTexts(tmp_path / "texts", lambda: "s")
    yield session
    table.close()


def test_output_and_exit_code_come_back(session: Session) -> None:
    assert session.run(TOOL, command="printf 'a\\nb\\n'; true") == Result(
        "a\nb\n[exit code 0]", display="2 lines"
    )
    assert session.run(TOOL, command="true") == Result("[exit code 0, no output]", display="0 lines")


def test_a_failing_command_is_failed_with_the_same_content(session: Session) -> None:
    result = session.run(TOOL, command="echo so far; exit 3")
    assert result == Result("so far\n[exit code 3]", display="exit code 3", ok=False)
    assert session.run(TOOL, command="exit 137").content == "[exit code 137, SIGKILL, no output]"
    assert session.run(TOOL, command="kill -9 $$").content == "[ended by SIGKILL, no output]"


def test_output_is_shown_live(session: Session) -> None:
    session.run(TOOL, command="echo one; echo two")
    assert "".join(session.shown) == "one\ntwo\n"


def test_control_sequences_do_not_reach_the_model(session: Session) -> None:
    result = session.run(TOOL, command=r"printf 'a\033[2J\033]52;c;bHMK\007b\rdone\n\033[31mred\033[0m'")
    assert result.content == "done\nred\n[exit code 0]"


def test_a_command_starts_in_workdir_or_the_sessions_folder(session: Session) -> None:
    (session.folder / "sub").mkdir()
    (session.folder / "link").symlink_to("sub")
    assert session.run(TOOL, command="pwd").content == f"{session.folder}\n[exit code 0]"
    assert session.run(TOOL, command="pwd", workdir="link").content == f"{session.folder}/sub\n[exit code 0]"
    assert session.run(TOOL, command="cd ..; pwd", workdir="link").content.startswith(f"{session.folder}\n")


@pytest.mark.parametrize("command", ["cd sub", "cd sub && cd ..", "export A=1", "cd"])
def test_what_does_not_last_is_said(session: Session, command: str) -> None:
    (session.folder / "sub").mkdir()
    assert f"every command starts afresh in {session.folder}" in session.run(TOOL, command=command).content
    assert "afresh" not in session.run(TOOL, command="cd sub && pwd").content


def test_output_survives_the_timeout(session: Session) -> None:
    """Cases c/35."""
    result = session.run(TOOL, command="echo CRITICAL; echo $$ > pid; sleep 30", timeout=1)
    assert result == Result(
        "CRITICAL\n[timed out after 1 s and was ended; give it more with timeout, or start it with "
        "background=true]",
        display="timed out after 1 s",
        ok=False,
    )
    assert not alive(pid_in(session.folder / "pid"))


def test_output_survives_the_interrupt_and_nothing_lives_on(session: Session) -> None:
    """Cases c/31 and c/34."""

    def stop() -> None:
        until(lambda: "3" in "".join(session.shown), "3 is shown")
        session.token.set()

    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(Interrupted) as stopped:
        session.run(
            TOOL, command="echo $$ > pid; for i in 1 2 3; do echo $i; done; while :; do sleep 1; done"
        )
    assert stopped.value.content == "1\n2\n3\n"
    assert not alive(pid_in(session.folder / "pid"))


def test_a_child_left_in_the_background_is_ended_and_the_right_way_told(session: Session) -> None:
    """Cases c/32."""
    result = session.run(TOOL, command="echo hi; (sleep 30) &")
    assert result == Result(
        "hi\n[exit code 0]\n[it left sleep running behind it, which was ended too; to keep a process, "
        "start it alone with background=true and without &]",
        display="1 line",
    )


def test_nothing_waits_for_a_person(session: Session) -> None:
    """Cases c/43, c/44 and c/47."""
    assert session.run(TOOL, command="read x; echo got=$x").content == "got=\n[exit code 0]"
    setup = "git init -q . && git config user.name a && git config user.email b && touch f && git add f"
    assert session.run(TOOL, command=f"{setup} && git commit -qm first").ok
    amended = session.run(TOOL, command="EDITOR=vi git commit --amend")
    assert not amended.ok
    assert "a command has no editor here" in amended.content
    assert session.run(TOOL, command="git log --format=%s; echo next").content == "first\nnext\n[exit code 0]"
    asked = session.run(TOOL, command="sudo -S -k true || su -c true nobody || true", timeout=20)
    assert "timed out" not in asked.content


def test_long_output_keeps_its_start_and_its_end(session: Session) -> None:
    content = session.run(TOOL, command="seq 100000").content
    assert content.startswith("1\n2\n3\n")
    assert content.endswith("99999\n100000\n[exit code 0]")
    assert "characters left out; narrow it with head, tail or grep" in content
    assert len(content) < 31_000


def test_a_read_only_command_runs_no_program_of_the_repository(session: Session, tmp_path: Path) -> None:
    program = f"touch {tmp_path}/ran; cat"
    setup = "git init -q r; cd r; echo '*.t diff=x filter=x' > .gitattributes; echo a > a.t; git add ."
    names = ("core.fsmonitor", "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean")
    config = "; ".join(f"git config {name} '{program}'" for name in names)
    session.run(TOOL, command=f"{setup}; {config}; echo b > a.t")
    (tmp_path / "ran").unlink(missing_ok=True)
    result = session.run(TOOL, command="git -C r status -s && cd r && git diff && git show :a.t")
    assert "+b" in result.content
    assert not (tmp_path / "ran").exists()


def test_a_background_command_is_told_by_its_id_and_survives_the_call(session: Session) -> None:
    result = session.run(TOOL, command="echo up; echo $$ > pid; exec sleep 30", background=True)
    assert result == Result(
        'started in the background as p1; use process(action="log", process_id="p1"), or poll, wait, kill',
        display="p1 running",
    )
    assert alive(pid_in(session.folder / "pid"))
    until(lambda: session.run(PROCESS, action="log", process_id="p1").content.startswith("up\n"), "it logs")


def test_a_background_command_that_fails_at_once_says_so(session: Session) -> None:
    result = session.run(TOOL, command="echo no such thing; exit 2", background=True)
    assert (result.ok, result.content) == (
        False,
        "p1 has ended already: exit code 2\nno such thing\n[lines 0-0 of 1]",
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "needed: command"),
        ({"command": "  \n"}, "the command is empty"),
        ({"command": "echo a\0b"}, "NUL"),
        ({"command": "echo \ud800"}, "surrogate"),
        ({"command": "ls", "timeout": 0}, "timeout"),
        ({"command": "ls", "timeout": 9999}, "timeout"),
        ({"command": "ls", "workdir": "nowhere"}, "name an existing one as workdir"),
        ({"command": "ls", "workdir": "file"}, "name an existing one as workdir"),
        ({"command": "ls", "background": "maybe"}, "background"),
        ({"command": "sleep 9", "background": True, "workdir": "nowhere"}, "name an existing one as workdir"),
        ({"command": ["ls"]}, "command: expected 'str'"),
        ({"cmd": "ls", "command": "ls"}, "unknown argument 'cmd'"),
        ({"command": "true " + "a" * 3_000_000}, "too long for the system"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_bad_input_says_how_to_do_it_right(session: Session, arguments: dict[str, object], told: str) -> None:
    (session.folder / "file").touch()
    assert told in session.refused(TOOL, **arguments)


def kept_at(content: str) -> Path:
    """The file that a result names as the whole of its output."""
    return Path(content.partition("full text: ")[2].partition(" (")[0])


def test_all_of_a_long_output_is_kept_where_it_can_be_read(session: Session) -> None:
    """Cases h/142: what is cut for the model is not lost."""
    result = session.run(TOOL, command="seq 1 20000; exit 3")
    assert (result.ok, "characters left out" in result.content) == (False, True)
    assert kept_at(result.content).read_text() == "".join(f"{n}\n" for n in range(1, 20001))


def test_a_short_output_makes_no_file(session: Session) -> None:
    session.run(TOOL, command="seq 1 100")
    assert not (session.folder / "texts").exists()


def test_a_flood_is_kept_up_to_a_limit_that_is_told(session: Session) -> None:
    result = session.run(TOOL, command="yes 0123456789 | head -c 11000000")
    assert kept_at(result.content.replace(";", " (")).stat().st_size == LONGEST
    assert f"its first {LONGEST} bytes" in result.content
