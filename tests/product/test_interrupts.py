"""Ctrl-C at every moment, in a real pseudo-terminal against a scripted endpoint: the prompt works again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.replies import Reply, error, hang
from tests.support.server import Call, ScriptedServer, calls, say
from tests.support.terminal import COMMAND, Terminal

HOSTILE = "a[/x]\x1b[2J\x1b[1;1H\x1b[?1049l\x1b]0;owned\x07[@click=app.quit]b[/]"
TOUCH = calls(Call("terminal", {"command": "touch made; sleep 60"}))
ASK = calls(Call("clarify", {"question": "Which one?", "choices": ["red", "blue"]}), Call("todo", {}))


def opened(server: ScriptedServer, shop: Path, environ: dict[str, str]) -> Terminal:
    return Terminal([str(COMMAND), "--base-url", server.url, "--model", "m"], shop, environ=environ)


@pytest.mark.parametrize(
    ("first", "sign"),
    [
        (hang("Partial answer"), "Partial answer"),
        (hang(), "❯ go"),
        (TOUCH, "this session"),
        (ASK, "Which one?"),
        (error(503, "overloaded", headers={"retry-after": "15"}), "❯ go"),
    ],
    ids=["streaming", "no answer yet", "permission open", "question open", "between two tries"],
)
def test_ctrl_c_stops_the_turn_and_the_next_prompt_is_answered(
    first: Reply, sign: str, shop: Path, environ: dict[str, str]
) -> None:
    """Cases c/37, c/38, c/46: an interrupt is no answer and no consent, and nothing is stuck after it."""
    with ScriptedServer([first, say("Second answer.")]) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("go")
        server.wait_for_requests(1)
        terminal.wait(sign)
        terminal.press("ctrl+c")
        terminal.wait("Interrupted by you", 1.0)
        terminal.line("once more")
        terminal.wait("Second answer.")
        server.assert_every_call_answered()
        assert "no answer" in str(server.requests[-1]) or first is not ASK
    assert not (shop / "made").exists()


def test_hostile_text_of_model_and_tools_is_shown_and_never_obeyed(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases g/112, g/113, g/116."""
    (shop / "[red]x[b].md").write_text(f"{HOSTILE}\n")
    script = [
        calls(Call("read_file", {"path": "[red]x[b].md"}), Call(HOSTILE, {"path": HOSTILE})),
        say(f"{HOSTILE} said\n"),
    ]
    with ScriptedServer(script) as server, opened(server, shop, environ) as terminal:
        terminal.wait("❯")
        terminal.line("go [/x] [b]")
        screen = terminal.wait(" said")
        assert "go [/x] [b]" in screen
        assert "[red]x[b].md" in screen
        assert "[@click=app.quit]b[/] said" in screen
        assert screen.splitlines()[0].startswith(" hermes-tui")
        assert b"owned\x07" not in terminal.bytes
        assert b"\x1b[?1049l" not in terminal.bytes
        terminal.line("/quit")
        assert terminal.ended() == 0
