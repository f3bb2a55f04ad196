"""Line mode through pipes and on terminals that cannot draw: a script's lines in, plain text out."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.product.support import Done, git, run
from tests.product.test_headless import processes_with
from tests.support.server import Call, ScriptedServer, calls, say
from tests.support.terminal import COMMAND, Terminal

PLAIN = ["--plain", "--provider", "rehearsal"]
HOSTILE = (
    "a\x1b[2J\x1b[1;1Hb\x1b]0;owned\x07c\x1b]52;c;aGk=\x07d\x9b31me\x00f\u202eg\u200bh\x1b]8;;http://x\x1b\\i"
)
LIVE = set("\x1b\x07\x9b\x00\u202e\u200b")


def piped(lines: str, shop: Path, environ: dict[str, str], *more: str) -> Done:
    return run([*PLAIN, *more], shop, environ, text=lines)


def test_a_script_pipes_prompts_and_ends_with_the_input(shop: Path, environ: dict[str, str]) -> None:
    done = piped("read README.md\ncompare README.md CHANGELOG.md\n", shop, environ)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("you> read README.md\n")
    assert "  read_file README.md ... ok " in done.out
    assert "\n[batch 2: 2 side by side; all only read, no path shared]\n" in done.out
    assert "\n[batch 2: done in " in done.out
    assert "\x1b" not in done.out


def test_quit_ends_it_before_the_input_does(shop: Path, environ: dict[str, str]) -> None:
    done = piped("/quit\nread README.md\n", shop, environ)
    assert (done.code, done.out) == (0, "you> /quit\n")


def test_an_empty_input_is_no_error(shop: Path, environ: dict[str, str]) -> None:
    assert piped("", shop, environ) == Done(0, "you> \n", "")


def test_help_and_unknown_commands_are_answered(shop: Path, environ: dict[str, str]) -> None:
    done = piped("/help\n/helq\n/theme\n", shop, environ)
    assert "/rollback" in done.out
    assert "no command /helq; did you mean /help?" in done.out
    assert "no themes in line mode" in done.out


def test_questions_are_numbered_and_the_next_lines_answer_them(shop: Path, environ: dict[str, str]) -> None:
    done = piped("ask me red or blue and ask me cats or dogs\n2\nboth\n", shop, environ)
    assert "[Question 1 of 2]\nred or blue\n  1  red\n  2  blue\nanswer (1-2, or words)> 2\n" in done.out
    assert "[Question 2 of 2]" in done.out
    assert "answered: blue" in done.out
    assert "answered: both" in done.out


def test_a_permission_is_refused_and_the_file_stays(shop: Path, environ: dict[str, str]) -> None:
    before = (shop / "README.md").read_bytes()
    done = piped("replace things with bytes in README.md\nnot sure\nn\n", shop, environ)
    assert "  | 3 -Sells things.\n  | 3 +Sells bytes.\n" in done.out
    assert "that is no answer" in done.out
    assert "denied" in done.out
    assert (shop / "README.md").read_bytes() == before


def test_the_end_of_the_input_is_no_consent(shop: Path, environ: dict[str, str]) -> None:
    """Cases c/41: a question that nobody answers is never a yes."""
    before = (shop / "README.md").read_bytes()
    done = piped("replace things with bytes in README.md\n", shop, environ)
    assert "[end of input: no answer]" in done.out
    assert (shop / "README.md").read_bytes() == before


def test_rollback_asks_with_no_as_the_default_and_yes_restores(shop: Path, environ: dict[str, str]) -> None:
    edit = "replace things with bytes in README.md\ny\n"
    done = piped(f"{edit}/rollback\n/rollback 1\n\n", shop, environ)
    assert "/rollback N goes back to before #N" in done.out
    assert "restore  README.md" in done.out
    assert "  1  no: nothing changes\n  2  files only\n  3  files and conversation" in done.out
    assert "Nothing was changed." in done.out
    assert "bytes" in (shop / "README.md").read_text()
    done = piped("/rollback 1\ny\n", shop, environ)
    assert "Back to #1: 1 restored" in done.out
    assert (shop / "README.md").read_text() == "# shop\n\nSells things.\n"
    assert git(shop, "status", "--porcelain") == ""


def test_the_exit_code_is_that_of_the_last_turn(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([say("Fine.")], lenient=True) as server:
        words = ["--plain", "--base-url", server.url, "--model", "m"]
        assert run(words, shop, environ, text="one\n").code == 0
        done = run(words, shop, environ, text="two\n")
    assert done.code == 1
    assert "[error: " in done.out


def test_hostile_text_of_model_files_names_and_tools_has_no_live_byte(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases g/112, g/113, g/116: not one escape sequence leaves through a pipe."""
    (shop / "x[b].md").write_text(f"{HOSTILE}\n")
    script = [
        calls(
            Call("read_file", {"path": "x[b].md"}),
            Call(HOSTILE, {"path": HOSTILE}),
            Call("terminal", {"command": "cat 'x[b].md' ; echo [/x]"}),
            Call("clarify", {"question": HOSTILE, "choices": [HOSTILE, "no [red]"]}),
            Call("terminal", {"command": f"echo '{HOSTILE}' > made"}),
        ),
        say(f"{HOSTILE} [/x] **said**\n"),
    ]
    with ScriptedServer(script) as server:
        words = ["--plain", "--base-url", server.url, "--model", "m", "--permission", "ask"]
        done = run(words, shop, environ, text=f"go {HOSTILE}\n1\n")
    assert done.code == 0
    assert not LIVE & set(done.out + done.err)
    assert "[/x] **said**" in done.out
    assert "⟨U+202E⟩" in done.out


def test_a_flood_of_output_is_not_copied_out(shop: Path, environ: dict[str, str]) -> None:
    done = piped("run seq 1 100000\n", shop, environ, "--permission", "all")
    tool, _, _ = done.out.partition("seq 1 100000`:")
    assert "lines before" in done.out
    assert "    | 100000\n" in done.out
    assert len(tool.splitlines()) < 30


def test_a_shell_line_of_the_users_own_is_run_and_can_be_told_the_model(
    shop: Path, environ: dict[str, str]
) -> None:
    with ScriptedServer([say("Seen.")]) as server:
        words = ["--plain", "--base-url", server.url, "--model", "m"]
        done = run(words, shop, environ, text="!echo own\n!!echo for the model\nwell?\n")
        assert "for the model" in str(server.requests[-1]["messages"])
        assert "echo own" not in str(server.requests[-1]["messages"])
    assert "\nown\n[exit code 0]\n" in done.out


def test_whoever_reads_may_go_away(shop: Path, environ: dict[str, str]) -> None:
    words = ["bash", "-c", f"yes 'read README.md' | head -200 | {COMMAND} {' '.join(PLAIN)} | head -1"]
    done = subprocess.run(
        words, cwd=shop, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "you> read README.md\n"
    assert "Traceback" not in done.stderr


def test_without_plain_a_pipe_is_told_what_to_do(shop: Path, environ: dict[str, str]) -> None:
    done = run(["--provider", "rehearsal"], shop, environ, text="read README.md\n")
    assert done.code == 2
    assert (
        done.err
        == "hermes-tui: this is no terminal: use hermes-tui -p PROMPT, or --plain for a line a prompt\n"
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_what_runs_and_itself(
    number: signal.Signals, shop: Path, environ: dict[str, str]
) -> None:
    mark = f"61.{os.getpid()}{number:d}"
    words = [str(COMMAND), *PLAIN, f"run sleep {mark}"]
    with subprocess.Popen(
        words, cwd=shop, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        wait(lambda: len(processes_with(mark)) > 1)
        child.send_signal(number)
        assert child.wait(10) == 128 + number
    wait(lambda: processes_with(mark) == [])


def test_sigint_stops_the_turn_and_the_next_line_is_a_new_one(shop: Path, environ: dict[str, str]) -> None:
    """Issue 3: an interrupt works in line mode; the receipt says what it left."""
    mark = f"62.{os.getpid()}"
    words = [str(COMMAND), *PLAIN]
    with subprocess.Popen(
        words, cwd=shop, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        child.stdin.write(f"run sleep {mark}\nread README.md\n".encode())
        child.stdin.flush()
        wait(lambda: len(processes_with(mark)) > 0)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
    text = out.decode()
    assert "Interrupted by you after" in text
    assert "1 cancelled" in text
    assert text.index("Interrupted") < text.index("you> read README.md")
    assert "read_file README.md ... ok" in text
    assert child.returncode == 0


def wait(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        time.sleep(0.02)


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_draw_gets_lines_and_no_escape(
    term: str, shop: Path, environ: dict[str, str]
) -> None:
    words = [str(COMMAND), "--provider", "rehearsal"]
    with Terminal(words, shop, environ={**environ, "TERM": term}) as terminal:
        terminal.wait("you>")
        terminal.send("ask me red or blue\n")
        terminal.wait("answer (1-2, or words)>")
        deadline = time.monotonic() + 0.6  # what comes too early is no answer
        while time.monotonic() < deadline:
            terminal.read()
        terminal.send("2\n")
        terminal.wait("answered: blue")
        terminal.wait(lambda screen: screen.rstrip().endswith("you>"))
        terminal.send("run sleep 60\n")
        terminal.wait("running")
        terminal.press("ctrl+c")
        terminal.wait("Interrupted by you")
        terminal.wait(lambda screen: screen.rstrip().endswith("you>"))
        terminal.press("ctrl+d")
        assert terminal.ended() == 0
        assert b"\x1b" not in terminal.bytes


def test_help_names_no_key_that_a_pipe_does_not_have(shop: Path, environ: dict[str, str]) -> None:
    said = piped("/help\n", shop, environ).out
    assert "\nCtrl-C  stop what runs (again: at once), else leave\n" in said
    assert [key for key in ("F1", "Ctrl-T", "Ctrl+T", "Shift+Tab", "Tab ", "panel") if key in said] == []
