"""Line mode at a real pseudo-terminal: typing, completing, answering, stopping, leaving."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.replies import hang
from tests.support.server import Call, ScriptedServer, calls, say
from tests.support.terminal import COMMAND, Terminal

SETTLED = 0.6
"""Seconds after which a question takes keys."""


def opened(shop: Path, environ: dict[str, str], *more: str) -> Terminal:
    return Terminal([str(COMMAND), "--plain", "--provider", "rehearsal", *more], shop, environ=environ)


@pytest.fixture
def terminal(shop: Path, environ: dict[str, str]) -> Iterator[Terminal]:
    with opened(shop, environ) as terminal:
        prompted(terminal)
        let_pass(terminal, SETTLED)
        yield terminal


def prompted(terminal: Terminal) -> None:
    """Wait until a line is wanted."""
    terminal.wait(lambda screen: screen.rstrip().endswith("you>"))


def let_pass(terminal: Terminal, seconds: float) -> None:
    """Let time pass that the program counts: what comes too early is no answer."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        terminal.read()


def answer(terminal: Terminal, text: str) -> None:
    """Answer a question: keys of its first half second do not count."""
    let_pass(terminal, SETTLED)
    terminal.send(text)
    terminal.wait(lambda screen: screen.rstrip().endswith(f"> {text}"))
    terminal.press("enter")


def test_a_turn_is_told_above_the_prompt_and_nothing_is_a_full_screen(terminal: Terminal) -> None:
    terminal.line("compare README.md CHANGELOG.md")
    terminal.wait("[batch 1: 2 side by side; all only read, no path shared]")
    prompted(terminal)
    assert "  read_file README.md ... ok" in terminal.text()
    assert b"\x1b[?1049h" not in terminal.bytes
    assert b"\x1b[?1000h" not in terminal.bytes
    assert b"\x1b[6n" not in terminal.bytes


def test_a_question_and_a_permission_are_answered(terminal: Terminal, shop: Path) -> None:
    terminal.line("ask me red or blue")
    terminal.wait("answer (1-2, or words)>")
    answer(terminal, "2")
    terminal.wait("answered: blue")
    prompted(terminal)
    terminal.line("replace things with bytes in README.md")
    terminal.wait("allow (y/s/a/n/e)>")
    answer(terminal, "e not today")
    terminal.wait("denied")
    assert "things" in (shop / "README.md").read_text()
    prompted(terminal)
    terminal.line("replace things with bytes in README.md")
    terminal.wait(lambda screen: screen.rstrip().endswith("allow (y/s/a/n/e)>"))
    answer(terminal, "y")
    terminal.wait("[checkpoint #1: before patch README.md]")
    prompted(terminal)
    terminal.line("/rollback 1")
    terminal.wait("number (Enter: 1)>")
    answer(terminal, "yes")
    terminal.wait("Back to #1: 1 restored")
    assert (shop / "README.md").read_text() == "# shop\n\nSells things.\n"


def test_ctrl_c_stops_a_command_and_the_next_prompt_works(terminal: Terminal) -> None:
    terminal.line("run sleep 60")
    terminal.wait("terminal sleep 60 ... running")
    terminal.press("ctrl+c")
    terminal.wait("[Interrupted by you after", 2.0)
    terminal.wait("1 cancelled")
    prompted(terminal)
    terminal.line("read README.md")
    terminal.wait("read_file README.md ... ok")


def test_ctrl_c_at_a_question_is_no_answer(shop: Path, environ: dict[str, str]) -> None:
    """Cases c/37, c/38, c/41."""
    ask = calls(Call("clarify", {"question": "Which one?", "choices": ["red", "blue"]}), Call("todo", {}))
    with ScriptedServer([ask, say("Second answer.")]) as server:
        words = [str(COMMAND), "--plain", "--base-url", server.url, "--model", "m"]
        with Terminal(words, shop, environ=environ) as terminal:
            prompted(terminal)
            terminal.line("go")
            terminal.wait("answer (1-2, or words)>")
            terminal.press("ctrl+c")
            terminal.wait("Interrupted by you")
            prompted(terminal)
            terminal.line("once more")
            terminal.wait("Second answer.")
            server.assert_every_call_answered()
            assert "no answer" in str(server.requests[-1])


def test_ctrl_c_while_the_model_streams_keeps_what_it_said(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([hang("Partial answer that stays.\nAnd"), say("Second.")]) as server:
        words = [str(COMMAND), "--plain", "--base-url", server.url, "--model", "m"]
        with Terminal(words, shop, environ=environ) as terminal:
            prompted(terminal)
            terminal.line("go")
            terminal.wait("Partial answer that stays.")
            terminal.press("ctrl+c")
            terminal.wait("Interrupted by you")
            prompted(terminal)
            terminal.line("again")
            terminal.wait("Second.")


def test_ctrl_c_clears_the_line_and_twice_when_idle_leaves(terminal: Terminal) -> None:
    terminal.send("a draft")
    terminal.wait("you> a draft")
    terminal.press("ctrl+c")
    terminal.wait("cleared")
    prompted(terminal)
    terminal.press("up")
    terminal.wait(lambda screen: screen.rstrip().endswith("you> a draft"))
    terminal.press("ctrl+c")
    prompted(terminal)
    let_pass(terminal, 2.1)
    terminal.press("ctrl+c")
    terminal.wait("Ctrl-C again: leave")
    terminal.press("ctrl+c")
    assert terminal.ended() == 0


def test_three_ctrl_c_always_leave(terminal: Terminal) -> None:
    terminal.line("run sleep 60")
    terminal.wait("running")
    terminal.press("ctrl+c", "ctrl+c", "ctrl+c")
    assert terminal.ended() == 0


def test_ctrl_d_on_an_empty_line_leaves_and_the_terminal_is_as_it_was(terminal: Terminal) -> None:
    terminal.press("ctrl+d")
    assert terminal.ended() == 0
    on, off = terminal.bytes.rfind(b"\x1b[?2004h"), terminal.bytes.rfind(b"\x1b[?2004l")
    assert off > on
    assert terminal.bytes.rfind(b"\x1b[?25h") > terminal.bytes.rfind(b"\x1b[?25l")


def test_what_is_typed_while_a_turn_runs_waits_and_an_interrupt_keeps_it(terminal: Terminal) -> None:
    terminal.line("run sleep 60")
    terminal.wait("running")
    terminal.send("read CHANGELOG.md")
    terminal.wait("next> read CHANGELOG.md")
    terminal.press("enter")
    terminal.wait("[queued: read CHANGELOG.md]")
    terminal.press("ctrl+c")
    terminal.wait("[1 message waits; Enter on an empty line sends]")
    prompted(terminal)
    assert "read_file" not in terminal.text()
    terminal.press("enter")
    terminal.wait("read_file CHANGELOG.md ... ok")


def test_a_waiting_message_comes_back_with_the_up_arrow(terminal: Terminal) -> None:
    terminal.line("run sleep 60")
    terminal.wait("running")
    terminal.line("read CHANGELOG.md")
    terminal.wait("[queued: read CHANGELOG.md]")
    terminal.press("up")
    terminal.wait(lambda screen: screen.rstrip().endswith("next> read CHANGELOG.md"))


def test_a_question_does_not_take_what_is_being_typed(shop: Path, environ: dict[str, str]) -> None:
    """Cases c/42: the draft is there again afterwards."""
    with opened(shop, environ) as terminal:
        prompted(terminal)
        terminal.line("run sleep 2 and ask me red or blue")
        terminal.wait("running")
        terminal.send("my next thought")
        terminal.wait("next> my next thought")
        terminal.wait("answer (1-2, or words)>")
        answer(terminal, "1")
        terminal.wait("answered: red")
        terminal.wait(lambda screen: screen.rstrip().endswith("you> my next thought"))


def test_tab_completes_commands_arguments_and_files(terminal: Terminal) -> None:
    terminal.send("/sched\t")
    terminal.wait(lambda screen: screen.rstrip().endswith("you> /schedule"))
    terminal.send("gr\t")
    terminal.wait(lambda screen: screen.rstrip().endswith("you> /schedule graph"))
    terminal.press("enter")
    terminal.wait("schedule: graph")
    prompted(terminal)
    terminal.send("look at @pyproj\t")
    terminal.wait("you> look at @pyproject.toml")


def test_a_long_paste_stands_as_a_placeholder_and_arrives_whole(shop: Path, environ: dict[str, str]) -> None:
    text = "".join(f"line {n}\n" for n in range(20_000))
    with ScriptedServer([say("Got it.")]) as server:
        words = [str(COMMAND), "--plain", "--base-url", server.url, "--model", "m"]
        with Terminal(words, shop, environ=environ) as terminal:
            prompted(terminal)
            terminal.send(f"\x1b[200~{text}\x1b[201~")
            terminal.wait("[pasted #1: 20001 lines")
            terminal.press("enter")
            terminal.wait("Got it.")
            assert server.requests[0]["messages"][-1]["content"].strip() == text.strip()


def test_shift_tab_goes_round_the_permission_modes(terminal: Terminal) -> None:
    terminal.press("shift+tab")
    terminal.wait("[permission: edits]")


def test_a_resize_keeps_the_draft_and_new_lines_fit(terminal: Terminal) -> None:
    terminal.send("a draft")
    terminal.wait("you> a draft")
    terminal.child.setwinsize(20, 60)
    terminal.screen.resize(20, 60)
    terminal.child.kill(signal.SIGWINCH)
    let_pass(terminal, 0.3)
    terminal.press("ctrl+c")
    terminal.line("/help")
    terminal.wait("search the history")


def test_no_color_leaves_no_colour(shop: Path, environ: dict[str, str]) -> None:
    with opened(shop, {**environ, "NO_COLOR": "1"}) as terminal:
        prompted(terminal)
        terminal.line("read README.md")
        terminal.wait("read_file README.md ... ok")
        prompted(terminal)
        terminal.line("/quit")
        assert terminal.ended() == 0
        assert re.findall(rb"\x1b\[[0-9;]*m", bytes(terminal.bytes).replace(b"\x1b[0m", b"")) == []


def test_what_was_typed_before_the_prompt_stood_there_is_sent(shop: Path, environ: dict[str, str]) -> None:
    with opened(shop, environ) as terminal:
        terminal.send("read README.md\rread CHANGELOG.md\r")
        terminal.wait("read_file README.md ... ok")
        terminal.wait("read_file CHANGELOG.md ... ok")


def test_the_history_is_that_of_all_front_ends(shop: Path, environ: dict[str, str]) -> None:
    with opened(shop, environ) as terminal:
        prompted(terminal)
        terminal.line("read README.md")
        terminal.wait("read_file README.md ... ok")
        prompted(terminal)
        terminal.line("/quit")
        assert terminal.ended() == 0
    with opened(shop, environ) as terminal:
        prompted(terminal)
        terminal.press("up")
        terminal.wait("you> /quit")
        terminal.press("up")
        terminal.wait("you> read README.md")


def test_hostile_text_moves_nothing_on_the_terminal(shop: Path, environ: dict[str, str]) -> None:
    """Cases g/112, g/113, g/116."""
    hostile = "a\x1b[2J\x1b[1;1Hb\x1b]0;owned\x07c\x1b]52;c;aGk=\x07d\x9b31me\u202ef"
    script = [calls(Call(hostile, {"path": hostile})), say(f"{hostile} [/x] said\n")]
    with ScriptedServer(script) as server:
        words = [str(COMMAND), "--plain", "--base-url", server.url, "--model", "m"]
        with Terminal(words, shop, environ=environ) as terminal:
            prompted(terminal)
            terminal.line("go [/x]")
            terminal.wait("[/x] said")
            assert b"owned\x07" not in terminal.bytes
            assert b"]52;" not in terminal.bytes
            assert b"\x1b[2J" not in terminal.bytes
            assert "\u202e" not in terminal.text()
