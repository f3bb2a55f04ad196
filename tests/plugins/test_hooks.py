"""Hooks: the user's own commands around calls and turns, in real processes."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from hermes_tui.config.settings import HookSettings
from hermes_tui.engine.events import CallFinished, TurnFinished, TurnStarted
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Pending
from hermes_tui.plugins.hooks import Place, ShellHooks

CALL = Pending("c1", "terminal", {"command": "make 'x'"}, Footprint(Level.UNDECLARED))


def hooks(folder: Path, notices: list[str], **settings: object) -> ShellHooks:
    place = Place(folder, dict(os.environ), lambda level, text: notices.append(text))
    return ShellHooks(HookSettings(**settings), place)  # type: ignore[arg-type]  # the test's own settings


def until_holds(file: Path, lines: int) -> list[str]:
    deadline = time.monotonic() + 20
    while not file.exists() or len(file.read_text().splitlines()) < lines:
        assert time.monotonic() < deadline, "the hook never ran"
        time.sleep(0.01)
    return file.read_text().splitlines()


def test_a_hook_that_ends_well_lets_the_call_run_and_gets_it_as_json(tmp_path: Path) -> None:
    checker = hooks(tmp_path, [], before_call=("cat > seen.json",))
    assert checker.check(CALL) is None
    assert json.loads((tmp_path / "seen.json").read_text()) == {
        "type": "before_call",
        "id": "c1",
        "name": "terminal",
        "arguments": {"command": "make 'x'"},
    }


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo 'not on Fridays' >&2; exit 3", "says no: not on Fridays"),
        ("exit 1", "says no: exit 1"),
        ("no-such-program-here", "not found"),
        ("if", "says no: "),
        ("printf '\\033[31mred'; false", "says no: "),
    ],
)
def test_a_hook_that_fails_denies_the_call_with_what_it_says(tmp_path: Path, command: str, said: str) -> None:
    denial = hooks(tmp_path, [], before_call=("true", command)).check(CALL)
    assert denial is not None
    assert said in denial
    assert "\x1b" not in denial


def test_a_hook_that_does_not_answer_denies(tmp_path: Path) -> None:
    denial = hooks(tmp_path, [], before_call=("sleep 60",), timeout=0.2).check(CALL)
    assert denial == "the hook `sleep 60` says no: it did not end within 0.2 s"


def test_the_others_are_told_in_order_and_nothing_waits_for_them(tmp_path: Path) -> None:
    notices: list[str] = []
    told = hooks(
        tmp_path,
        notices,
        turn_start=("cat >> log; echo >> log",),
        after_call=("false",),
        turn_end=("cat >> log; echo >> log",),
    )
    told.event(TurnStarted(prompt="go", session="s", model="m"))
    told.event(TurnStarted(prompt="a sub-agent's", session="s", model="m", agent="c1"))
    told.event(CallFinished(batch=1, id="c1", status="ok", content="x", display="", seconds=0.1))
    told.event(TurnFinished(reason="done", error=None))
    lines = [json.loads(line) for line in until_holds(tmp_path / "log", 2)]
    assert [(line["type"], line.get("prompt")) for line in lines] == [
        ("turn_started", "go"),
        ("turn_finished", None),
    ]
    assert notices == ["the hook `false` failed: exit 1"]
    told.close()


def test_closing_ends_a_hook_that_runs(tmp_path: Path) -> None:
    told = hooks(tmp_path, [], turn_start=("echo $$ > pid; exec sleep 600",), timeout=600)
    told.event(TurnStarted(prompt="go", session="s", model="m"))
    pid = int(until_holds(tmp_path / "pid", 1)[0])
    told.close()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "the hook lives on"
        time.sleep(0.01)
