"""`hermes-tui -p`: one prompt without a screen, in a checkout of thousands of files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.product.support import Done, run
from tests.support.terminal import COMMAND

THREE = "compare README.md CHANGELOG.md pyproject.toml"
REHEARSAL = ("--provider", "rehearsal")


def stream(prompt: str, folder: Path, environ: dict[str, str], *more: str) -> Done:
    return run(["-p", prompt, *REHEARSAL, "--output", "stream-json", *more], folder, environ)


def test_three_files_are_read_side_by_side_and_compared(big: Path, environ: dict[str, str]) -> None:
    done = stream(THREE, big, environ)
    assert done.code == 0
    plan = done.only("batch_planned")["plan"]
    assert [call["name"] for call in plan["calls"]] == ["read_file"] * 3
    assert (plan["schedule"], plan["parallel"]) == ("batch", True)
    assert [call["reads"] for call in plan["calls"]] == [
        [str(big / name)] for name in ("README.md", "CHANGELOG.md", "pyproject.toml")
    ]
    finished = [line for line in done.lines if line["type"] == "call_finished"]
    assert [line["status"] for line in finished] == ["ok"] * 3
    last = [line for line in done.lines if line["type"] == "message_done"][-1]["message"]["content"]
    assert all(name in last for name in ("README.md", "CHANGELOG.md", "pyproject.toml"))
    assert done.lines[0]["type"] == "turn_started"
    assert (done.lines[-1]["type"], done.lines[-1]["reason"]) == ("turn_finished", "done")


def test_a_write_to_one_of_the_three_makes_the_batch_serial_and_names_the_file(
    big: Path, environ: dict[str, str]
) -> None:
    done = stream(f"{THREE} and write README.md: hello", big, environ, "--permission", "edits")
    plan = done.only("batch_planned")["plan"]
    assert plan["parallel"] is False
    assert "README.md" in plan["reason"]
    assert [call["after"] for call in plan["calls"]] == [[], [0], [1], [2]]
    assert (big / "README.md").read_text().strip() == "hello"


def test_a_write_to_a_fourth_file_leaves_it_side_by_side(big: Path, environ: dict[str, str]) -> None:
    done = stream(f"{THREE} and write NOTES.md: hello", big, environ, "--permission", "edits")
    plan = done.only("batch_planned")["plan"]
    assert plan["parallel"] is True
    assert [call["after"] for call in plan["calls"]] == [[], [], [], []]
    assert (big / "NOTES.md").read_text().strip() == "hello"
    assert done.only("checkpoint_made")["number"] == 1


def test_what_would_ask_is_denied_and_says_what_would_allow_it(shop: Path, environ: dict[str, str]) -> None:
    done = stream("write NOTES.md: hello", shop, environ)
    finished = done.only("call_finished")
    assert finished["status"] == "denied"
    assert "--permission" in finished["content"]
    assert not (shop / "NOTES.md").exists()
    assert done.code == 0


def test_a_question_with_nobody_there_is_no_consent(shop: Path, environ: dict[str, str]) -> None:
    done = stream("ask me red or blue?", shop, environ)
    assert "nobody is there to answer" in done.only("call_finished")["content"]
    assert done.only("question_answered")["how"] == "refused"


def test_text_output_is_the_last_message_and_nothing_else(shop: Path, environ: dict[str, str]) -> None:
    done = run(["-p", "read pyproject.toml", *REHEARSAL], shop, environ)
    assert done.code == 0
    assert done.out.endswith("\n")
    assert "batch 1" not in done.out
    assert "batch 1" in done.err


def test_json_output_is_one_object(shop: Path, environ: dict[str, str]) -> None:
    done = run(["-p", f"{THREE}", *REHEARSAL, "--output", "json"], shop, environ)
    body = json.loads(done.out)
    assert list(body) == ["session", "reason", "text", "error", "calls", "checkpoints", "usage", "seconds"]
    assert (body["reason"], body["error"], body["checkpoints"], body["usage"]) == ("done", None, [], None)
    assert [(call["name"], call["status"]) for call in body["calls"]] == [("read_file", "ok")] * 3
    assert all(set(call) == {"id", "name", "status", "seconds"} for call in body["calls"])


def test_a_prompt_from_stdin(shop: Path, environ: dict[str, str]) -> None:
    done = run(["-p", "-", *REHEARSAL], shop, environ, text="read pyproject.toml\n")
    assert (done.code, "shop" in done.out) == (0, True)


def processes_with(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found += [entry.name] if mark.encode() in (entry / "cmdline").read_bytes() else []
            except OSError:
                continue
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_with_130_and_leaves_no_process(
    shop: Path, environ: dict[str, str], number: signal.Signals
) -> None:
    mark = f"sleep 60.{os.getpid()}{int(number)}"
    words = [str(COMMAND), "-p", f"run {mark}", *REHEARSAL, "--output", "stream-json"]
    child = subprocess.Popen(words, cwd=shop, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert child.stdout is not None
        lines: list[bytes] = []
        while not lines or json.loads(lines[-1])["type"] != "call_started":
            lines.append(child.stdout.readline())
        deadline = time.monotonic() + 10
        while not processes_with(mark.split()[1]) and time.monotonic() < deadline:
            os.sched_yield()
        child.send_signal(number)
        rest, _ = child.communicate(timeout=20)
    finally:
        child.kill()
    last = json.loads(rest.splitlines()[-1])
    assert (last["type"], last["reason"], child.returncode) == ("turn_finished", "interrupted", 130)
    finished = [json.loads(line) for line in rest.splitlines() if json.loads(line)["type"] == "call_finished"]
    assert [line["status"] for line in finished] == ["cancelled"]
    assert processes_with(mark.split()[1]) == []
