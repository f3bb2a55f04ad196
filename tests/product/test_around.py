"""Around the conversation, in a real pseudo-terminal: title, bell, first run, changed keys, settings."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.terminal import COMMAND, Terminal

WORDS = [str(COMMAND), "--provider", "rehearsal"]
PUSH, POP = b"\x1b[22;2t", b"\x1b[23;2t"
AWAY = "\x1b[O"
"""What a terminal says when it is no longer in front."""


def config(environ: dict[str, str], text: str) -> Path:
    file = Path(environ["HERMES_TUI_HOME"], "config.toml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_the_title_says_where_and_is_given_back_at_the_end(shop: Path, environ: dict[str, str]) -> None:
    with Terminal(WORDS, shop, environ=environ) as terminal:
        terminal.wait("rehearsal (no model)")
        terminal.line("run sleep 0.5")
        terminal.wait(lambda _: "◐ hermes-tui · ".encode() in terminal.bytes)
        terminal.press("ctrl+d")
        assert terminal.ended() == 0
    written = bytes(terminal.bytes)
    assert written.count(PUSH) == written.count(POP) == 1
    assert written.index(PUSH) < written.index(f"hermes-tui · {shop.name}".encode()) < written.index(POP)


def test_a_turn_that_ends_out_of_sight_rings_and_one_in_sight_does_not(
    shop: Path, environ: dict[str, str]
) -> None:
    config(environ, 'notify = "osc9"\nwindow_title = false\n')
    with Terminal(WORDS, shop, environ=environ) as terminal:
        terminal.wait("rehearsal (no model)")
        terminal.line("read README.md")
        terminal.wait("read_file")
        terminal.wait("Enter send")
        assert b"\x1b]9;" not in terminal.bytes
        terminal.line("run sleep 0.4")
        terminal.send(AWAY)
        terminal.wait(lambda _: b"\x1b]9;hermes-tui: done after" in terminal.bytes)
        assert PUSH not in terminal.bytes, "no title: the setting says so"


def test_the_first_run_explains_itself_and_the_second_is_short(shop: Path, environ: dict[str, str]) -> None:
    with Terminal(WORDS, shop, environ=environ) as terminal:
        terminal.wait("1, 2 or 3 writes one below")
        terminal.wait("no language model")
        terminal.press("3")
        terminal.wait(lambda text: "❯ run git status and ask me what to do next" in text)
        terminal.press("enter")
        terminal.wait(lambda text: "1, 2 or 3" not in text and "git status" in text)
        terminal.wait("Question")
        terminal.press("ctrl+c", "ctrl+c", "ctrl+c")
        terminal.ended()
    with Terminal(WORDS, shop, environ=environ) as terminal:
        terminal.wait("The rehearsal answers")
        assert "1, 2 or 3" not in terminal.text()


def test_changed_keys_act_and_a_wrong_one_is_told_before_anything_opens(
    shop: Path, environ: dict[str, str]
) -> None:
    file = config(environ, '# mine\n[keys]\nhelp = "f2"\nruns = "alt+r"\n')
    with Terminal(WORDS, shop, environ=environ) as terminal:
        terminal.wait("F2 help")
        terminal.send("\x1bOQ")
        terminal.wait("Alt+R")
    file.write_text('# mine\n[keys]\nhelp = "f2"\nrns = "alt+r"\n')
    for arguments in (["--plain"], ["-p", "hello"], ["config", "show"], []):
        done = subprocess.run(
            [*WORDS, *arguments],
            cwd=shop,
            env=environ,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        expected = f"hermes-tui: {file}, line 4: keys.rns: no such action; did you mean 'runs'?\n"
        if arguments:
            assert (done.returncode, done.stderr) == (2, expected)
        else:
            assert done.returncode == 2


def test_settings_are_changed_on_the_screen_and_saved_when_asked(shop: Path, environ: dict[str, str]) -> None:
    file = config(environ, "# mine\nvi_keys = false # not yet\n")
    with Terminal(WORDS, shop, environ=environ) as terminal:
        terminal.wait("rehearsal (no model)")
        terminal.line("/settings")
        terminal.wait(lambda text: "Settings" in text and "save to config.toml" in text)
        terminal.wait("vi_keys")
        terminal.press("down", "down", "down")
        terminal.wait("Whether the prompt has vi")
        terminal.press("enter")
        terminal.wait("changed here")
        assert file.read_text() == "# mine\nvi_keys = false # not yet\n"
        terminal.send("s")
        terminal.wait("vi_keys = on stands in")
    assert file.read_text() == "# mine\nvi_keys = true # not yet\n"


def test_a_long_answer_is_written_in_the_users_editor(shop: Path, environ: dict[str, str]) -> None:
    editor = shop.parent / "editor"
    editor.write_text("#!/bin/sh\nprintf 'green,\\nand why not' > \"$1\"\n")
    editor.chmod(0o755)
    with Terminal(WORDS, shop, environ={**environ, "EDITOR": str(editor), "VISUAL": ""}) as terminal:
        terminal.wait("rehearsal (no model)")
        terminal.line("ask me red or blue")
        terminal.wait(lambda text: "❯ 1" in text)
        terminal.send("\x07")
        terminal.wait(lambda text: "green," in text and "and why not" in text)
        terminal.press("enter")
        terminal.wait(lambda text: "Question" not in text and "green" in text)


def test_a_read_is_run_again_and_a_rollback_is_marked_among_the_runs(
    shop: Path, environ: dict[str, str]
) -> None:
    words = [*WORDS, "--permission", "edits"]
    with Terminal(words, shop, 120, 32, environ) as terminal:
        terminal.wait("rehearsal (no model)")
        terminal.line("read README.md")
        terminal.wait(lambda text: "Batch 1 · 1 call" in text and "Enter send" in text, 30)
        terminal.press("tab", "down")
        terminal.wait("run again")
        terminal.send("r")
        terminal.wait(lambda text: "Batch 2 · 1 call" in text and "/again read_file" in text, 30)
        terminal.press("escape")
        terminal.wait("Enter send")
        terminal.line("write new.txt: hello")
        terminal.wait(lambda text: "Batch 3" in text and "checkpoint #1" in text, 30)
        terminal.wait(lambda _: (shop / "new.txt").exists(), 30)
        terminal.line("/rollback 1")
        terminal.wait("files only", 30)
        terminal.send("1")
        terminal.wait("↶ back to #1", 30)
        assert not (shop / "new.txt").exists()
