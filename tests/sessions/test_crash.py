"""kill -9 at any moment: the session goes on, and nothing that was shown is missing.

Runs of the real program against a scripted endpoint; HERMES_TEST_KILLS says how many (200 by hand).
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.sessions.store import SessionStore
from tests.product.support import environment, run
from tests.sessions.kit import check
from tests.support.server import Call, ScriptedServer, calls, hang, say
from tests.support.terminal import COMMAND

KILLS = int(os.environ.get("HERMES_TEST_KILLS", "20"))

MOST_EVENTS = 45
"""A whole turn of the script has about so many."""
SLOW = tuple(f"word{number} " for number in range(30))


def script() -> list[Any]:
    """What the model says in one turn: text in pieces, batches of reads and writes, a last word."""
    return [
        calls(
            Call("read_file", {"path": "a.txt"}), Call("read_file", {"path": "b.txt"}), text="I read both."
        ),
        calls(*(Call("terminal", {"command": f"sleep 0.0{number}; echo {number}"}) for number in range(4))),
        calls(Call("write_file", {"path": "c.txt", "content": "c"}), Call("terminal", {"command": "echo x"})),
        say(*SLOW, thinking="let me think"),
    ]


def killed(chance: random.Random, server: ScriptedServer, folder: Path, environ: dict[str, str]) -> list[Any]:
    """Run one turn and kill it a moment after some event, or when it ends; return the events it showed."""
    words = [str(COMMAND), "-p", "go on", "--base-url", server.url, "--permission", "all"]
    words += ["--output", "stream-json", "--continue"]
    process = subprocess.Popen(
        words, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    lines = list(itertools.islice(process.stdout, chance.randrange(1, MOST_EVENTS)))
    with suppress(subprocess.TimeoutExpired):
        process.wait(chance.uniform(0.0, 0.03))
    process.kill()
    lines += process.stdout.read().split(b"\n")
    process.wait()
    return [json.loads(line) for line in lines if line.rstrip().endswith(b"}")]


def shown(events: list[Any]) -> list[Any]:
    """Those that must not be lost."""
    kinds = ("turn_started", "message_done", "call_started", "call_finished", "batch_planned")
    return [
        {key: value for key, value in event.items() if key != "time"}
        for event in events
        if event["type"] in kinds
    ]


def test_kill_9_at_random_moments_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    """Each run continues what the one before left; the endpoint refuses every invalid request."""
    (tmp_path / "home").mkdir(mode=0o700)
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(f"{name}\n" * 50)
    environ = environment(tmp_path / "home", OPENAI_API_KEY="k")
    database = tmp_path / "home" / "hermes" / "data" / "sessions.db"
    with ScriptedServer([say("Hello.")]) as server:
        words = ["-p", "begin", "--base-url", server.url, "--output", "json"]
        session = json.loads(run(words, folder, environ).out)["session"]
        chance = random.Random(time.time_ns())
        seen: list[Any] = []
        for number in range(KILLS):
            server.replace(*script())
            seen += shown(killed(chance, server, folder, environ))
            assert check(database) == "ok", number
            stored = SessionStore(database, print).export(session, "stream-json")
            there = shown([json.loads(line) for line in stored.splitlines()])
            missing = [event for event in seen if event not in there]
            assert missing == [], (number, missing)
        server.replace(say("The end."))
        last = run([*words, "--continue"], folder, environ)
    assert (last.code, json.loads(last.out)["session"]) == (0, session)
    assert json.loads(last.out)["text"] == "The end."


def test_a_prompt_to_an_endpoint_that_hangs_is_in_the_session(tmp_path: Path) -> None:
    """Cases c/40: sent, never answered, killed, taken up again."""
    (tmp_path / "home").mkdir(mode=0o700)
    environ = environment(tmp_path / "home", OPENAI_API_KEY="k")
    folder = tmp_path / "project"
    folder.mkdir()
    with ScriptedServer([hang(), say("Here I am.")], lenient=True) as server:
        words = [str(COMMAND), "-p", "are you there", "--base-url", server.url]
        process = subprocess.Popen(words, cwd=folder, env=environ, stderr=subprocess.DEVNULL)
        server.wait_for_requests(1)
        process.kill()
        process.wait()
        done = run(["-p", "still there", "--base-url", server.url, "--continue"], folder, environ)
        assert done.out.strip() == "Here I am."
        said = [
            message["content"] for message in server.requests[-1]["messages"] if message["role"] == "user"
        ]
    assert any("are you there" in content for content in said)
    assert any("still there" in content for content in said)


@pytest.mark.parametrize("flag", [["--continue"], ["--resume", "abc"]])
def test_what_is_not_there_cannot_be_continued(tmp_path: Path, flag: list[str]) -> None:
    (tmp_path / "home").mkdir(mode=0o700)
    done = run(["-p", "hi", "--provider", "rehearsal", *flag], tmp_path, environment(tmp_path / "home"))
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
