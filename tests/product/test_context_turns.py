"""Conversations that an interrupt or a crash left open go on, over a socket that refuses unpaired calls."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from hermes_tui.engine.validity import NO_RESULT
from tests.product.test_context import ask as ask_headless
from tests.product.test_context import configure, of
from tests.support.server import Call, ScriptedServer, calls, hang, say
from tests.support.terminal import COMMAND, Terminal


def test_after_an_interrupt_in_a_batch_every_call_has_its_result_before_the_next_prompt(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases a/10, c/46."""
    batch = calls(*(Call("terminal", {"command": f"sleep 6{n}"}, id=f"c{n}") for n in range(2)))
    with ScriptedServer([batch, say("Hello.")]) as server:
        configure(environ, server)
        with Terminal([str(COMMAND), "--schedule", "serial"], shop, 100, 30, environ) as terminal:
            terminal.wait("❯")
            terminal.line("go")
            terminal.wait("sleep 60")
            terminal.press("ctrl+c")
            terminal.wait("Interrupted")
            terminal.line("hi")
            terminal.wait("Hello.")
        server.assert_every_call_answered()
        assert server.requests[1]["messages"][-1] == {"role": "user", "content": "hi"}


def test_a_session_that_was_killed_in_the_middle_of_a_call_goes_on(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases a/10, h/137: kill -9 while a command runs."""
    batch = calls(Call("terminal", {"command": "touch started; sleep 5"}, id="c1"))
    with ScriptedServer([batch, say("Hello.")]) as server:
        configure(environ, server)
        words = [str(COMMAND), "-p", "go", "--permission", "all"]
        with subprocess.Popen(words, cwd=shop, env=environ, stderr=subprocess.DEVNULL) as killed:
            with Terminal(["true"], shop) as waiting:
                waiting.wait(lambda _: (shop / "started").exists())
            os.kill(killed.pid, signal.SIGKILL)
        done = ask_headless("hi", shop, environ, "--continue")
        (result,) = [m for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert (done.code, of(done, "turn_finished")[0]["reason"]) == (0, "done")
    assert result == {"role": "tool", "tool_call_id": "c1", "content": NO_RESULT}


def test_a_prompt_that_was_never_answered_is_still_there(shop: Path, environ: dict[str, str]) -> None:
    """Cases c/40: two prompts in a row are one message for the model."""
    with ScriptedServer([hang(), say("Hello.")]) as server:
        configure(environ, server)
        words = [str(COMMAND), "-p", "remember me"]
        with subprocess.Popen(words, cwd=shop, env=environ, stderr=subprocess.DEVNULL) as killed:
            server.wait_for_requests(1)
            os.kill(killed.pid, signal.SIGKILL)
        ask_headless("hi", shop, environ, "--continue")
        assert server.requests[1]["messages"][1:] == [{"role": "user", "content": "remember me\n\nhi"}]
