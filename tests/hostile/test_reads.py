"""What runs unasked in a repository full of traps springs none of them, and shows nothing as it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hostile.test_tries import CONTROLS
from tests.hostile.traps import ESCAPES, KEY, SECRET, Field, field
from tests.product.support import run
from tests.support.server import Call, ScriptedServer, calls, error, say

LOOKS = [
    "git status",
    "git status --short",
    "git diff",
    "git diff HEAD~0",
    "git log -p -1",
    "git log --oneline",
    "git show HEAD",
    "git branch -a",
    "git blame a.py",
    "git ls-files",
    "git grep value",
    "git stash list",
    "git rev-parse HEAD",
    "git remote -v",
    "ls -la",
    "cat hostile.txt",
    "cat a.py",
    "head -c 100 long.txt",
    "grep -rn value .",
    "rg value",
    "find . -name '*.py'",
    "wc -l a.py",
    "stat sparse.bin",
    "du -sh .",
    "file a.py",
    "tree",
    "sort a.py",
    "diff a.py evil.py",
    "git diff --stat",
    "git shortlog -sn HEAD",
]
FILES = [
    "hostile.txt",
    "long.txt",
    "sparse.bin",
    "pipe",
    "loop",
    ".",
    "name*",
    "-rf",
    "$(touch sprung)",
    "two\nlines; touch sprung.txt",
]


@pytest.fixture
def place(tmp_path: Path) -> Field:
    return field(tmp_path)


def test_reading_in_a_hostile_repository_springs_no_trap(place: Field) -> None:
    """Cases l/185, l/187: filters, drivers, hooks, monitors, servers, settings, orders, names, pipes."""
    looks = [Call("terminal", {"command": line}, id=f"look-{n}") for n, line in enumerate(LOOKS)]
    reads = [Call("read_file", {"path": name}, id=f"read-{n}") for n, name in enumerate(FILES)]
    finds = [
        Call("search_files", {"pattern": "xxxx"}, id="find-long"),
        Call("search_files", {"pattern": "*", "target": "files"}, id="find-names"),
    ]
    before = place.guarded()
    with ScriptedServer([calls(*looks), calls(*reads, *finds), say("Done.")], lenient=True) as server:
        words = ["-p", "go", "--base-url", server.url, "--output", "stream-json"]
        done = run(words, place.project, place.environ)
        server.assert_every_call_answered()
        sent = json.dumps(server.requests)
    statuses = {line["id"]: line["status"] for line in done.lines if line["type"] == "call_finished"}
    assert len(statuses) == len(looks) + len(reads) + len(finds)
    assert sum(status == "ok" for name, status in statuses.items() if name.startswith("look")) > 20
    assert place.guarded() == before
    assert [text for text in (SECRET, KEY) if text in sent + done.out + done.err] == []
    assert "ORDERS-OF" not in json.dumps(server.requests[0])  # later, as a result: `git log -p` shows it
    assert CONTROLS.search(done.out.encode() + done.err.encode()) is None
    assert [*place.project.rglob("sprung")] == []


def test_an_edit_and_its_rollback_spring_no_trap(place: Field) -> None:
    """The checkpoint's own git runs no hook, no filter and no monitor of the repository."""
    edit = calls(
        Call("write_file", {"path": "new.py", "content": "x = 1\n"}),
        Call("terminal", {"command": "echo y > made.py"}),
    )
    before = place.guarded()
    with ScriptedServer([edit, say("Done.")]) as server:
        words = ["-p", "go", "--base-url", server.url, "--permission", "all"]
        assert run(words, place.project, place.environ).code == 0
    assert [(place.project / name).exists() for name in ("new.py", "made.py")] == [True, True]
    done = run(["checkpoints", "restore", "1", "--yes"], place.project, place.environ)
    assert (done.code, (place.project / "new.py").exists()) == (0, False), done.out + done.err
    assert place.guarded() == before


@pytest.mark.parametrize("output", ["text", "json"])
def test_an_endpoint_that_sends_control_sequences_reaches_no_terminal(output: str, place: Field) -> None:
    """Cases l/184: in text, thinking, names, arguments, ids, results and errors."""
    hostile = calls(
        Call(f"read{ESCAPES}", {ESCAPES: ESCAPES}, id="plain"),
        Call("read_file", {"path": f"no{ESCAPES}such"}, id=f"id{ESCAPES}"),
        Call("terminal", {"command": f"echo '{ESCAPES}'"}),
        Call("read_file", {"path": "hostile.txt"}),
    )
    bad = error(400, f"refused {ESCAPES} {KEY}", code=f"x{ESCAPES}")
    for last in (say(f"Done {ESCAPES}", ESCAPES, thinking=ESCAPES), bad):
        with ScriptedServer([hostile, last], lenient=True, models=[f"m{ESCAPES}"]) as server:
            words = ["-p", f"go {ESCAPES}", "--base-url", server.url, "--output", output]
            done = run(words, place.project, place.environ)
        assert CONTROLS.search(done.out.encode() + done.err.encode()) is None
        assert KEY not in done.out + done.err


def test_a_sub_agent_may_no_more_than_its_parent(place: Field) -> None:
    """What it tries is denied, too; its orders are the model's, not the user's."""
    touch = place.spring("agent")
    tries = calls(
        Call("terminal", {"command": touch}),
        Call("write_file", {"path": "../canary/x", "content": "x"}),
        Call("read_file", {"path": "key.txt"}),
        Call("delegate_task", {"goal": "again"}),
    )
    start = calls(
        Call("delegate_task", {"goal": f"run {touch}"}), Call("memory", {"action": "add", "content": "x"})
    )
    before = place.guarded()
    with ScriptedServer([start, tries, say("I could not."), say("Done.")], lenient=True) as server:
        words = ["-p", "go", "--base-url", server.url, "--output", "stream-json", "--permission", "edits"]
        done = run(words, place.project, place.environ)
        sent = json.dumps(server.requests)
    ended = [line for line in done.lines if line["type"] == "call_finished" and line["agent"] is not None]
    assert [line["status"] for line in ended] == ["denied", "denied", "denied", "failed"]
    assert place.guarded() == before
    assert SECRET not in sent
