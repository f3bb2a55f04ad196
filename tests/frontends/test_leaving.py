"""Every way out of a real pseudo-terminal leaves it as it was (cases g/127), and what the start imports."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
from pathlib import Path

import pytest

from tests.frontends.standin import wait_for
from tests.support.terminal import Terminal

ROOT = Path(__file__).parents[2]
LATER = ("openai", "git", "mcp", "prompt_toolkit", "pydantic", "httpx")
"""Libraries that the first frame can do without."""


def start(tmp_path: Path, fault: str = "", columns: int = 100) -> Terminal:
    environ = {**os.environ, "MARK": str(tmp_path / "mark"), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "tests.frontends.run_standin", *([fault] if fault else [])]
    return Terminal(command, ROOT, columns=columns, environ=environ)


def end(terminal: Terminal, number: signal.Signals) -> None:
    """Send a signal to the program."""
    assert terminal.child.pid is not None
    os.kill(terminal.child.pid, number)


def modes_left_on(output: bytes) -> set[str]:
    """Return the private modes that were switched on and not off again."""
    on: set[str] = set()
    for numbers, switch in re.findall(r"\x1b\[\?([\d;]+)([hl])", output.decode("utf-8", "replace")):
        for number in numbers.split(";"):
            (on.add if switch == "h" else on.discard)(number)
    return on - {"7", "25"}  # wrapping and the cursor are on in a terminal at rest


def at_rest(terminal: Terminal) -> None:
    """Assert that modes, screen, keys and cursor are as they were."""
    assert modes_left_on(bytes(terminal.bytes)) == set()
    tail = bytes(terminal.bytes)
    assert tail.rfind(b"\x1b[?25h") > tail.rfind(b"\x1b[?25l")
    assert tail.rfind(b"\x1b[?7h") > tail.rfind(b"\x1b[?7l")
    assert tail.count(b"\x1b[<u") >= len(re.findall(rb"\x1b\[>\d+u", tail))


@pytest.mark.parametrize("way", ["/quit\r", "\x04", "\x03\x03", "\x03\x03\x03"])
def test_the_user_leaves_and_the_terminal_is_as_it_was(tmp_path: Path, way: str) -> None:
    with start(tmp_path) as terminal:
        before = termios.tcgetattr(terminal.child.child_fd)
        terminal.wait("Ask, or / for commands")
        terminal.send(way)
        assert terminal.ended() == 0
        at_rest(terminal)
        assert termios.tcgetattr(terminal.child.child_fd)[:4] == before[:4]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal(tmp_path: Path, number: signal.Signals) -> None:
    with start(tmp_path) as terminal:
        terminal.wait("Ask, or / for commands")
        end(terminal, number)
        assert terminal.ended() == 128 + number
        at_rest(terminal)


def test_a_signal_restores_the_terminal_of_a_stuck_screen(tmp_path: Path) -> None:
    with start(tmp_path, "stuck") as terminal:
        wait_for((tmp_path / "mark").exists)
        end(terminal, signal.SIGTERM)
        assert terminal.ended() == 128 + signal.SIGTERM
        at_rest(terminal)


def test_an_error_of_our_own_is_a_few_readable_lines_without_secrets(tmp_path: Path) -> None:
    """Cases g/127, l/181."""
    with start(tmp_path, "crash") as terminal:
        assert terminal.ended() == 1
        at_rest(terminal)
        said = " ".join(terminal.bytes.decode("utf-8", "replace").split())
        assert "broken after reading 13 characters" in said
        assert "run_standin.py" in said
        assert "What you typed is in the history." in said
        assert "sk-TESTKEY123" not in said


@pytest.mark.parametrize("columns", [100, 80])
def test_the_prompt_is_usable_in_a_real_terminal(tmp_path: Path, columns: int) -> None:
    with start(tmp_path, columns=columns) as terminal:
        terminal.wait("Ask, or / for commands")
        terminal.line("/say hello there")
        terminal.wait("said hello there")
        terminal.send("one")
        terminal.press("ctrl+j")
        terminal.send("漢字")
        terminal.wait(lambda screen: "❯ one" in screen and "漢字" in screen.replace(" ", ""))


def test_the_first_frame_loads_no_library_that_it_does_not_need(tmp_path: Path) -> None:
    with start(tmp_path, "imports") as terminal:
        terminal.ended()
    loaded = set((tmp_path / "mark").read_text().split())
    assert "textual.app" in loaded
    assert loaded.isdisjoint(LATER)
