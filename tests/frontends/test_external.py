"""Ctrl+G: the user's own editor. Whatever becomes of it, the text is not lost."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hermes_tui.engine.errors import UsageError
from hermes_tui.frontends.external import edit, editor
from tests.support.terminal import Terminal

SCREEN = [sys.executable, "-m", "tests.frontends.run_standin"]
ROOT = Path(__file__).parents[2]


def script(folder: Path, body: str) -> str:
    file = folder / "my editor"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return f"'{file}' --wait"


def with_editor(folder: Path, body: str) -> dict[str, str]:
    return {**os.environ, "VISUAL": script(folder, body), "EDITOR": "false"}


def test_the_text_comes_back_as_the_editor_left_it(tmp_path: Path) -> None:
    environ = with_editor(
        tmp_path, 'printf "%s\\nsecond" "$(cat "$2")" > "$2.new"; mv "$2.new" "$2"; echo >> "$2"'
    )
    assert edit("first 漢字", environ) == "first 漢字\nsecond"


def test_visual_beats_editor_and_a_missing_one_is_named(tmp_path: Path) -> None:
    assert editor({"VISUAL": "", "EDITOR": "sh -c", "PATH": "/bin:/usr/bin"}) == ["sh", "-c"]
    with pytest.raises(UsageError, match="there is no program nothing-like-it"):
        editor({"VISUAL": "nothing-like-it -w", "PATH": "/bin"})
    with pytest.raises(UsageError, match="set VISUAL or EDITOR"):
        editor({"PATH": str(tmp_path)})


def test_an_editor_that_fails_changes_nothing_and_what_was_written_is_kept(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"exit code 3; the text is as it was$"):
        edit("draft", with_editor(tmp_path, "exit 3"))
    with pytest.raises(UsageError, match="what you wrote is in") as failed:
        edit("draft", with_editor(tmp_path, 'echo more > "$2"; exit 1'))
    kept = Path(str(failed.value).rpartition(" in ")[2])
    assert kept.read_text() == "more\n"
    assert kept.stat().st_mode & 0o077 == 0
    kept.unlink()
    with pytest.raises(UsageError, match="left no file"):
        edit("draft", with_editor(tmp_path, 'rm "$2"'))


def test_the_editor_has_the_terminal_and_the_prompt_gets_the_text(tmp_path: Path) -> None:
    body = 'stty -a < /dev/tty | grep -q " icanon" && echo cooked; read line < /dev/tty; echo "$line" >> "$2"'
    environ = {**with_editor(tmp_path, body), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    with Terminal(SCREEN, ROOT, environ=environ) as opened:
        opened.wait("F1 help")
        opened.send("begun ")
        opened.wait("begun")
        opened.send("\x07")
        opened.wait("cooked")
        opened.send("by hand\r")
        opened.wait(lambda text: "F1 help" in text and "by hand" in text and "begun" in text)
        opened.send("!")
        opened.wait("by hand!")


def test_a_failing_editor_leaves_the_draft_in_the_prompt(tmp_path: Path) -> None:
    environ = {**with_editor(tmp_path, "exit 7"), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    with Terminal(SCREEN, ROOT, environ=environ) as opened:
        opened.wait("F1 help")
        opened.send("my draft")
        opened.wait("my draft")
        opened.send("\x07")
        opened.wait(lambda text: " as it" in text and "my draft" in text)
