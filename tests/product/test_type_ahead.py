"""Type before the first frame, in a real pseudo-terminal: nothing is lost, nothing is out of order."""

from __future__ import annotations

from pathlib import Path

from tests.support.terminal import COMMAND, Terminal

WORDS = [str(COMMAND), "--provider", "rehearsal"]


def test_a_line_sent_before_the_first_frame_is_run(shop: Path, environ: dict[str, str]) -> None:
    with Terminal(WORDS, shop, environ=environ) as opened:
        opened.send("read pyproject.toml\r")  # the terminal is not raw yet: it makes a line feed of it
        opened.wait("✓ read_file")
        opened.line("read README.md")
        opened.wait(lambda text: text.count("✓ read_file") > 1 or "Sells things" in text)


def test_what_is_written_without_enter_waits_in_the_prompt(shop: Path, environ: dict[str, str]) -> None:
    with Terminal(WORDS, shop, environ=environ) as opened:
        for piece in ("read ", "README.md", " and ", "pyproject.toml"):
            opened.send(piece)
            opened.read(0.15)
        opened.wait("❯ read README.md and pyproject.toml")
        opened.press("enter")
        opened.wait("✓ read_file")


def test_several_lines_become_one_draft_as_a_paste_does(shop: Path, environ: dict[str, str]) -> None:
    """Cases g/119."""
    with Terminal(WORDS, shop, environ=environ) as opened:
        opened.send("read README.md\rread pyproject.toml\r")
        screen = opened.wait(lambda text: "❯ read README.md" in text and "   read pyproject.toml" in text)
        assert "read_file" not in screen
