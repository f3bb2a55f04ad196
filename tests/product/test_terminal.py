"""Work in a real pseudo-terminal, at two sizes: chat, a batch, Ctrl-C, questions, /rollback, /quit."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.product.test_headless import processes_with
from tests.support.terminal import COMMAND, Terminal

SIZES = [(100, 30), (80, 24)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def terminal(request: pytest.FixtureRequest, shop: Path, environ: dict[str, str]) -> Iterator[Terminal]:
    columns, rows = request.param
    words = [str(COMMAND), "--provider", "rehearsal"]
    with Terminal(words, shop, columns, rows, environ) as opened:
        opened.wait("❯")
        yield opened


def test_the_prompt_is_usable_and_a_batch_shows_as_side_by_side(terminal: Terminal) -> None:
    terminal.line("compare README.md CHANGELOG.md pyproject.toml")
    terminal.wait("side by side")
    screen = terminal.wait(lambda text: text.count("README.md") >= 2)
    assert "Traceback" not in screen


def test_ctrl_c_stops_three_commands_and_leaves_no_process(terminal: Terminal) -> None:
    mark = f"60.{os.getpid()}{terminal.screen.columns}"
    terminal.line(f"run sleep {mark} and sleep {mark} and sleep {mark}")
    deadline = time.monotonic() + 15
    while len(processes_with(mark)) < 3:
        terminal.read()
        assert time.monotonic() < deadline, terminal.text()
    terminal.press("ctrl+c")
    terminal.wait("Interrupted")
    terminal.wait(lambda _: processes_with(mark) == [])
    terminal.line("read pyproject.toml")
    terminal.wait(lambda text: "read_file" in text or "shop" in text)


def test_two_questions_come_one_after_the_other(terminal: Terminal) -> None:
    terminal.line("ask me red or blue and ask me cats or dogs")
    terminal.wait(lambda text: "Question 1 of 2" in text and "Esc" in text.partition("╰")[2])
    assert "dogs" not in dialog(terminal)
    answer(terminal, "1", gone="blue")
    terminal.wait(lambda text: "Question 2 of 2" in text and "dogs" in dialog(terminal))
    answer(terminal, "2", gone="cats")
    terminal.wait(lambda text: "Question" not in text)


def dialog(terminal: Terminal) -> str:
    """Return what the open dialog shows."""
    _, _, shown = terminal.text().partition("Question")
    return shown.partition("╰")[0]


def answer(terminal: Terminal, key: str, gone: str) -> None:
    """Press the key until the dialog takes it: it ignores keys for its first half second."""
    deadline = time.monotonic() + 10
    while gone in dialog(terminal):
        assert time.monotonic() < deadline, terminal.text()
        terminal.press(key, "enter")
        terminal.read(0.3)


ONCE = "y  once"
"""What only a question for permission shows."""


def allow(terminal: Terminal) -> None:
    """Say yes once; the dialog ignores keys for its first half second."""
    terminal.wait(ONCE)
    deadline = time.monotonic() + 10
    while ONCE in terminal.text():
        assert time.monotonic() < deadline, terminal.text()
        terminal.press("y")
        settled = time.monotonic() + 0.8
        while ONCE in terminal.text() and time.monotonic() < settled:
            terminal.read()


def test_an_edit_is_rolled_back_byte_for_byte(terminal: Terminal, shop: Path) -> None:
    before = (shop / "README.md").read_bytes()
    terminal.line("replace things with bytes in README.md")
    allow(terminal)
    terminal.wait(lambda _: (shop / "README.md").read_bytes() != before)
    terminal.wait(lambda text: "#1" in text)
    terminal.line("/rollback")
    terminal.wait(lambda text: "Checkpoints" in text and "README.md  restore" in text)
    terminal.press("escape")
    terminal.wait(lambda text: "Checkpoints" not in text)
    terminal.line("/rollback 1")
    terminal.wait("files only")
    terminal.press("1")
    terminal.wait(lambda _: (shop / "README.md").read_bytes() == before)
    assert before == b"# shop\n\nSells things.\n"


def test_quit_returns_the_terminal_as_it_was(terminal: Terminal) -> None:
    terminal.line("/quit")
    assert terminal.ended() == 0
    tail = bytes(terminal.bytes[-400:])
    assert b"\x1b[?1049l" in tail
    assert b"\x1b[?25h" in tail
    for mode in (b"1000", b"1003", b"1006", b"2004"):
        on, off = terminal.bytes.rfind(b"\x1b[?" + mode + b"h"), terminal.bytes.rfind(b"\x1b[?" + mode + b"l")
        assert off >= on, mode


def test_three_ctrl_c_always_leave(terminal: Terminal) -> None:
    terminal.line("run sleep 60")
    terminal.wait("sleep 60")
    terminal.press("ctrl+c", "ctrl+c", "ctrl+c")
    assert terminal.ended() in (0, 130)


def test_it_ends_when_its_terminal_has_gone_without_a_signal(shop: Path, environ: dict[str, str]) -> None:
    """In a session of its own it gets no SIGHUP."""
    mark = f"--schedule=serial --max-parallel={os.getpid()}"
    words = ["bash", "-c", f"exec 3<&0; setsid {COMMAND} --provider rehearsal {mark} <&3 & wait"]
    with Terminal(words, shop, environ=environ) as opened:
        opened.wait("❯")
        assert len(processes_with(mark.split()[1])) >= 1
    deadline = time.monotonic() + 10
    while processes_with(mark.split()[1]):
        assert time.monotonic() < deadline, "still running"
        os.sched_yield()


LATER = rb"\|\s+(openai|git|gitdb|mcp|prompt_toolkit|pydantic|httpx)\s*\r?\n"
"""Lines of `-X importtime` that name a library which the first frame can do without."""


def test_heavy_libraries_are_not_imported_before_the_first_frame(shop: Path, environ: dict[str, str]) -> None:
    words = [sys.executable, "-X", "importtime", "-m", "hermes_tui", "--provider", "rehearsal"]
    with Terminal(words, shop, environ=environ) as opened:
        opened.wait(lambda _: b"F1 help" in opened.bytes)
        start, _, _ = bytes(opened.bytes).partition(b"F1 help")
    assert re.search(rb"\|\s+textual\.app\s", start) is not None
    assert re.findall(LATER, start) == []
