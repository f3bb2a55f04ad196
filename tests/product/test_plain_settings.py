"""Line mode keeps to the settings: vi's keys, and what a message does while the model works."""

from __future__ import annotations

from pathlib import Path

from tests.product.test_plain_terminal import opened, prompted
from tests.support.server import Call, ScriptedServer, calls, say
from tests.support.terminal import COMMAND, Terminal


def test_while_working_steer_gives_the_message_to_the_running_turn(
    shop: Path, environ: dict[str, str]
) -> None:
    environ = environ | {"HERMES_TUI_WHILE_WORKING": "steer"}
    batch = calls(Call("terminal", {"command": "sleep 3"}), Call("terminal", {"command": "touch never"}))
    with ScriptedServer([batch, say("As you wish.")]) as server:
        words = [str(COMMAND), "--plain", "--base-url", server.url, "--model", "m", "--permission", "all",
                 "--schedule", "serial"]  # fmt: skip
        with Terminal(words, shop, environ=environ) as terminal:
            prompted(terminal)
            terminal.line("go")
            terminal.wait("terminal sleep 3 ... running")
            terminal.line("do not touch it")
            terminal.wait("[at its next step: do not touch it]")
            terminal.wait("[the model has it: do not touch it]", 30)
            terminal.wait("As you wish.", 30)
            users = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "user"]
            assert users[-1] == "do not touch it"
    assert not (shop / "never").exists()


def test_vi_keys_edit_the_line_and_escape_still_reaches_the_ladder(
    shop: Path, environ: dict[str, str]
) -> None:
    with opened(shop, environ | {"HERMES_TUI_VI_KEYS": "true"}) as terminal:
        prompted(terminal)
        terminal.send("xread README.mdx")
        terminal.wait("you> xread README.mdx")
        terminal.press("escape")
        terminal.wait("you: xread README.mdx")
        terminal.send("x0x")
        terminal.wait("you: read README.md")
        terminal.press("enter")
        terminal.wait("read_file README.md ... ok")
        prompted(terminal)
        terminal.press("escape")
        terminal.wait("Esc again: checkpoints")


def test_without_the_setting_escape_is_the_ladders_at_once(shop: Path, environ: dict[str, str]) -> None:
    with opened(shop, environ) as terminal:
        prompted(terminal)
        terminal.send("a draft")
        terminal.wait("you> a draft")
        terminal.press("escape")
        terminal.wait("Esc again: checkpoints")


def test_help_names_the_keys_of_line_mode_and_none_of_the_full_screen(
    shop: Path, environ: dict[str, str]
) -> None:
    with opened(shop, environ) as terminal:
        prompted(terminal)
        terminal.line("/help")
        terminal.wait("search the history")
        shown = terminal.text()
        assert "Ctrl-G" in shown
        assert [key for key in ("F1", "Ctrl-T", "Ctrl+T", "panel", "Ctrl-P") if key in shown] == []
