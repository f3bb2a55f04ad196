"""Bad input: one clear line each, the exit code of the contract, no traceback, nothing lost."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.product.support import run
from tests.support.nobody import prefix
from tests.support.server import ScriptedServer
from tests.support.terminal import COMMAND


def one_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line]
    assert len(lines) == 1, text
    return lines[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--no-such-flag"], "--no-such-flag"),
        (["-p", "hi", "--schedule", "quick", "--provider", "rehearsal"], "--schedule"),
        (["-p", "hi", "--max-parallel", "none", "--provider", "rehearsal"], "--max-parallel"),
        (["-p", "hi", "--provider", "nobody"], "nobody"),
        (["-p", " ", "--provider", "rehearsal"], "-p needs a prompt"),
        (["-C", "no/such/folder", "-p", "hi", "--provider", "rehearsal"], "no/such/folder"),
        (["-C", "pyproject.toml", "-p", "hi", "--provider", "rehearsal"], "is a file"),
        (["--output", "json"], "--output goes with -p"),
        (["plan", "missing.json"], "missing.json"),
        (["plan"], "FILE"),
        (["checkpoints", "restore"], "restore"),
        ([], "no terminal"),
    ],
)
def test_a_bad_command_line_is_one_line_and_exit_2(
    shop: Path, environ: dict[str, str], arguments: list[str], said: str
) -> None:
    done = run(arguments, shop, environ)
    assert done.code == 2, done
    assert said in done.err
    assert len(done.err.strip().splitlines()) <= 6
    assert done.out == ""


def test_an_invalid_config_names_file_key_and_line(shop: Path, environ: dict[str, str]) -> None:
    file = Path(environ["HERMES_TUI_HOME"]) / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('model = "x"\nshedule = "graph"\n')
    done = run(["-p", "hi", "--provider", "rehearsal"], shop, environ)
    assert done.code == 2
    assert f"{file}, line 2: unknown key 'shedule'" in one_line(done.err)


def test_a_folder_that_cannot_be_read(shop: Path, environ: dict[str, str], tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    home = Path(environ["HOME"])
    shutil.chown(home, 65534, 65534)
    done = run(["-C", str(closed), "-p", "hi", "--provider", "rehearsal"], Path("/"), environ, prefix())
    assert done.code == 2
    assert "cannot be read" in one_line(done.err)


def test_no_provider_at_all_is_no_rehearsal(shop: Path, environ: dict[str, str]) -> None:
    done = run(["-p", "hi"], shop, environ)
    assert done.code == 2
    assert "--provider rehearsal" in done.err


def test_no_server_is_one_line_and_exit_1(shop: Path, environ: dict[str, str]) -> None:
    done = run(["-p", "hi", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"], shop, environ)
    assert done.code == 1
    assert "127.0.0.1:9" in done.err.strip().splitlines()[-1]
    assert done.out == ""


def test_a_wrong_key_is_one_line_that_says_what_to_do(shop: Path, environ: dict[str, str]) -> None:
    """Cases l/181 too: the key stands in no output and in no file."""
    key = "sk-TESTKEY123"
    with ScriptedServer([], key="sk-the-right-one") as server:
        done = run(
            ["-p", "hi", "--model", "m", "--base-url", server.url],
            shop,
            {**environ, "OPENAI_API_KEY": key},
        )
    assert done.code == 1
    assert "OPENAI_API_KEY" in done.err.strip().splitlines()[-1]
    home = Path(environ["HERMES_TUI_HOME"])
    written = b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())
    assert key not in done.out + done.err
    assert key.encode() not in written


def test_without_git_the_program_works_and_says_once_that_rollback_is_off(
    shop: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "sh", "cat", "env"):
        (tools / name).symlink_to(str(shutil.which(name)))
    bare = {**environ, "PATH": f"{tools}:{COMMAND.parent}"}
    words = [
        "-p",
        "write one.txt: a and write two.txt: b",
        "--provider",
        "rehearsal",
        "--permission",
        "edits",
    ]
    done = run([*words, "--output", "stream-json"], shop, bare)
    assert done.code == 0
    assert ((shop / "one.txt").exists(), (shop / "two.txt").exists()) == (True, True)
    notices = [line["text"] for line in done.lines if line["type"] == "notice"]
    assert len([text for text in notices if "rollback is off" in text]) == 1
    listed = run(["checkpoints", "list"], shop, bare)
    assert listed.code == 1
    assert "rollback is off" in listed.err


def test_the_plan_of_a_batch_file(shop: Path, environ: dict[str, str]) -> None:
    batch = [
        {"name": "read_file", "arguments": {"path": "README.md"}},
        {"name": "read_file", "raw": '{"path": '},
    ]
    done = run(["plan", "-"], shop, environ, text=json.dumps(batch))
    plan = json.loads(done.out)
    assert done.code == 0
    assert list(plan) == ["schedule", "parallel", "reason", "calls"]
    assert plan["reason"] == "serial: arguments of #2 are not JSON"
    empty = json.loads(run(["plan", "-"], shop, environ, text="[]").out)
    assert (empty["calls"], empty["parallel"], bool(empty["reason"])) == ([], False, True)


@pytest.mark.parametrize(
    "text", ["", "{", "{}", '[{"arguments": {}}]', '[{"name": "x", "arguments": []}]', "[1]"]
)
def test_what_is_no_batch_is_refused(shop: Path, environ: dict[str, str], text: str) -> None:
    done = run(["plan", "-"], shop, environ, text=text)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.strip().splitlines()) <= 6


@pytest.mark.parametrize(("command", "code"), [("git status", 0), ("rm x", 1), ("cat a > b", 1)])
def test_classify_says_whether_a_command_only_reads(
    shop: Path, environ: dict[str, str], command: str, code: int
) -> None:
    done = run(["classify", command], shop, environ)
    assert done.code == code
    verdict = json.loads(done.out)
    assert list(verdict) == ["read_only", "reason", "rule", "word", "span", "reads", "writes"]
    assert verdict["read_only"] is (code == 0)
