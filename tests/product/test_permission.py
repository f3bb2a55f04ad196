"""Answers to "may this run?" and how long they hold, in a real pseudo-terminal."""

from __future__ import annotations

import time
from pathlib import Path

from tests.product.support import git
from tests.support.terminal import COMMAND, Terminal


def opened(shop: Path, environ: dict[str, str]) -> Terminal:
    """Start the program in the shop with some files that git does not know yet."""
    for name in ("one.txt", "two.txt", "three.txt"):
        (shop / name).write_text(name)
    terminal = Terminal([str(COMMAND), "--provider", "rehearsal"], shop, environ=environ)
    terminal.wait("rehearsal")
    return terminal


def answer(terminal: Terminal, key: str) -> None:
    """Press the key until the dialog takes it: it ignores keys for its first half second."""
    deadline = time.monotonic() + 10
    while "this session" in terminal.text():
        assert time.monotonic() < deadline, terminal.text()
        terminal.press(key)
        settled = time.monotonic() + 0.8
        while "this session" in terminal.text() and time.monotonic() < settled:
            terminal.read()


def added(shop: Path) -> list[str]:
    """Return what was added to git's index."""
    return git(shop, "diff", "--cached", "--name-only").split()


def runs_unasked(terminal: Terminal, shop: Path, name: str) -> None:
    """Let it add one more file, and see that nothing is asked."""

    def ended(screen: str) -> bool:
        assert "this session" not in screen
        return name in added(shop) and f"git add {name}: [exit code 0" in screen

    terminal.line(f"run git add {name}")
    terminal.wait(ended)


def test_yes_for_this_session_holds_for_the_like_and_ends_with_the_session(
    shop: Path, environ: dict[str, str]
) -> None:
    with opened(shop, environ) as terminal:
        terminal.line("run git add one.txt")
        terminal.wait("this session")
        assert added(shop) == []
        answer(terminal, "s")
        terminal.wait(lambda _: added(shop) == ["one.txt"])
        runs_unasked(terminal, shop, "two.txt")
        terminal.line("/quit")
        assert terminal.ended() == 0
    with opened(shop, environ) as terminal:
        terminal.line("run git add three.txt")
        terminal.wait("this session")
        assert "three.txt" not in added(shop)


def test_always_shows_its_pattern_before_and_holds_after_a_restart_but_for_no_other_part_of_a_line(
    shop: Path, environ: dict[str, str]
) -> None:
    with opened(shop, environ) as terminal:
        terminal.line("run git add one.txt")
        terminal.wait("always for terminal(git add *)")
        answer(terminal, "a")
        terminal.wait(lambda _: added(shop) == ["one.txt"])
        terminal.line("/quit")
        assert terminal.ended() == 0
    with opened(shop, environ) as terminal:
        runs_unasked(terminal, shop, "two.txt")
        terminal.line("run git add three.txt; rm README.md")
        screen = terminal.wait("always for terminal(rm README.md)")
        assert "git add three.txt; rm README.md" in screen
        answer(terminal, "n")
        terminal.wait("denied")
        assert (shop / "README.md").exists()
        assert added(shop) == ["one.txt", "two.txt"]
