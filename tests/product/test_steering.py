"""Messages while the model works, in a real pseudo-terminal with the real engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.server import Call, ScriptedServer, calls, hang, say
from tests.support.terminal import COMMAND, Terminal


def opened(server: ScriptedServer, shop: Path, environ: dict[str, str]) -> Terminal:
    words = [str(COMMAND), "--base-url", server.url, "--model", "m", "--permission", "all",
             "--schedule", "serial"]  # fmt: skip
    return Terminal(words, shop, environ=environ)


def contents(server: ScriptedServer, role: str) -> list[Any]:
    return [message["content"] for message in server.requests[-1]["messages"] if message["role"] == role]


def test_a_message_reaches_the_model_at_the_batch_boundary_and_what_had_not_started_says_so(
    shop: Path, environ: dict[str, str]
) -> None:
    batch = calls(Call("terminal", {"command": "sleep 3"}), Call("terminal", {"command": "touch never"}))
    with ScriptedServer([batch, say("As you wish.")]) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("go")
        terminal.wait("sleep 3")
        terminal.send("do not touch it")
        terminal.wait("do not touch it")
        terminal.send("\x13")
        terminal.wait("↪ do not touch it")
        terminal.wait("As you wish.", 30)
        assert contents(server, "user")[-1] == "do not touch it"
        assert "the user sent a new message first" in contents(server, "tool")[1]
        assert "❯ do not touch it" in terminal.text()
    assert not (shop / "never").exists()


def test_an_interrupt_keeps_the_queue_and_sends_nothing_by_itself(
    shop: Path, environ: dict[str, str]
) -> None:
    script = [hang("Thinking about it"), say("Second answer.")]
    with ScriptedServer(script) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("go")
        terminal.wait("Thinking about it")
        terminal.line("and then this")
        terminal.wait("⋯ and then this")
        terminal.press("escape")
        terminal.wait("held back: Enter sends")
        assert len(server.requests) == 1
        terminal.press("enter")
        terminal.wait("Second answer.")
        assert contents(server, "user")[-1] == "and then this"


def test_the_output_of_the_users_command_goes_with_the_next_message(
    shop: Path, environ: dict[str, str]
) -> None:
    with ScriptedServer([say("I see.")]) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("!!echo marked output")
        terminal.wait("☑ output of")
        terminal.line("what is that?")
        terminal.wait("I see.")
        told = "\n".join(contents(server, "user"))
        assert "The user ran a command himself (exit code 0):\n$ echo marked output\nmarked output" in told
        assert told.endswith("what is that?")
