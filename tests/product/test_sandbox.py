"""[terminal] sandbox in the installed command: what a command cannot do, and that it never runs without."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.processes.sandbox import lacking
from tests.product.support import run
from tests.support.server import Call, ScriptedServer, calls, say

shut_in = pytest.mark.skipif(bool(lacking()), reason=lacking() or "-")


@pytest.fixture
def outside() -> Iterator[Path]:
    """A file outside the project, and not below /tmp, which a command has to itself."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        file = Path(folder) / "file"
        file.write_text("as it was")
        yield file


def settings(environ: Mapping[str, str], on: bool = True) -> None:
    folder = Path(environ["HERMES_TUI_HOME"])
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    (folder / "config.toml").write_text(f"[terminal]\nsandbox = {json.dumps(on)}\n")


def finished(shop: Path, environ: Mapping[str, str], *commands: str, **more: Any) -> list[tuple[str, str]]:
    """Let the model run commands; return how each ended."""
    batch = calls(*(Call("terminal", {"command": command, **more}) for command in commands))
    with ScriptedServer([batch, say("Done.")]) as server:
        words = ["-p", "go", "--base-url", server.url, "--output", "stream-json", "--permission", "all"]
        done = run(words, shop, environ)
    return [(line["status"], line["content"]) for line in done.lines if line["type"] == "call_finished"]


@shut_in
def test_a_command_writes_into_the_project_and_nowhere_else(
    shop: Path, environ: dict[str, str], outside: Path
) -> None:
    settings(environ)
    commands = (
        "echo mine > made.txt && cat README.md | head -1",
        f"echo changed > {outside}",
        "printf 'd=.gi; echo x > ${d}t/hooks/pre-commit' > run.sh && bash run.sh",
        f"touch {Path(environ['HOME'])}/made",
    )
    first, *others, home = finished(shop, environ, *commands)
    assert (first[0], first[1].splitlines()[0]) == ("ok", "# shop")
    assert (shop / "made.txt").read_text() == "mine\n"
    assert [status for status, _ in others] == ["failed"] * 2
    assert all("[commands are shut in here, by the user's setting: no network" in text for _, text in others)
    assert outside.read_text() == "as it was"
    assert not (shop / ".git/hooks/pre-commit").exists()
    assert home[0] in ("ok", "failed")  # in a home below /tmp it is written into the command's own /tmp
    assert not (Path(environ["HOME"]) / "made").exists()


@shut_in
def test_a_command_has_no_network(shop: Path, environ: dict[str, str]) -> None:
    settings(environ)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        ((status, text),) = finished(shop, environ, f"exec 3<>/dev/tcp/127.0.0.1/{port}")
        assert status == "failed"
        assert "refused" in text
        settings(environ, on=False)
        ((status, _),) = finished(shop, environ, f"exec 3<>/dev/tcp/127.0.0.1/{port}")
        assert status == "ok"


@shut_in
def test_one_in_the_background_is_shut_in_too(shop: Path, environ: dict[str, str], outside: Path) -> None:
    settings(environ)
    ((status, text),) = finished(shop, environ, f"echo changed > {outside}", background=True)
    assert (status, "p1 has ended already" in text) == ("failed", True)
    assert outside.read_text() == "as it was"


@shut_in
def test_the_plan_is_the_same_with_and_without(shop: Path, environ: dict[str, str]) -> None:
    batch = json.dumps(
        [{"name": "terminal", "arguments": {"command": line}} for line in ("cat README.md", "make")]
    )
    plans = []
    for on in (True, False):
        settings(environ, on)
        plans.append(run(["plan", "-"], shop, environ, text=batch).out)
    assert plans[0] == plans[1]


def without_bubblewrap(tmp_path: Path) -> str:
    """A PATH with the usual programs but that one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "git", "cat", "touch"):
        os.symlink(str(shutil.which(name)), folder / name)
    return str(folder)


def test_where_it_cannot_be_shut_in_nothing_is_run(
    shop: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    settings(environ)
    environ["PATH"] = without_bubblewrap(tmp_path)
    ((status, text),) = finished(shop, environ, "touch made.txt")
    why = "the user's setting [terminal] sandbox is on, and bubblewrap is not installed"
    assert (status, text) == ("failed", f"not run: {why}. Tell the user.")
    assert not (shop / "made.txt").exists()


def test_doctor_tells_whether_commands_are_shut_in(
    shop: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    def found() -> dict[str, Any]:
        findings = json.loads(run(["doctor", "--json"], shop, environ).out)
        return next(each for each in findings if each["name"] == "commands")

    settings(environ, on=False)
    assert found()["found"] == "not shut in; [terminal] sandbox = true does it"
    settings(environ)
    if not lacking():
        assert found()["found"] == "shut in by bubblewrap: no network, only the project is writable"
    environ["PATH"] = without_bubblewrap(tmp_path)
    refused = found()
    assert (refused["ok"], refused["found"]) == (
        False,
        "refused: they shall be shut in, and bubblewrap is not installed",
    )


def test_a_project_cannot_switch_it_off(shop: Path, environ: dict[str, str], outside: Path) -> None:
    settings(environ)
    (shop / ".hermes-tui").mkdir()
    (shop / ".hermes-tui" / "config.toml").write_text("[terminal]\nsandbox = false\n")
    done = run(["config", "show", "--trust"], shop, environ)
    assert "sandbox" in done.out
    assert "'sandbox': False" not in done.out
