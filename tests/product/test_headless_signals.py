"""Ctrl-C at every moment of a headless run: exit 130, and the last line is always turn_finished."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.product.test_headless import processes_with
from tests.support.replies import Reply, error, hang
from tests.support.server import Call, ScriptedServer, calls
from tests.support.terminal import COMMAND

MARK: Final = "sleep 97.3125"
THREE: Final = calls(*[Call("terminal", {"command": MARK})] * 3)
READ: Final = calls(Call("read_file", {"path": "README.md"}))
BUSY: Final = error(503, "overloaded", headers={"retry-after": "15"})


def until(child: subprocess.Popen[bytes], sign: str) -> list[dict[str, Any]]:
    """Return the events up to the first line that holds `sign`."""
    assert child.stdout is not None
    seen: list[dict[str, Any]] = []
    for line in child.stdout:
        seen.append(json.loads(line))
        if sign in line.decode():
            return seen
    raise AssertionError(f"ended without {sign!r}: {seen}")


@pytest.mark.parametrize(
    ("script", "requests", "sign", "statuses"),
    [
        ([hang("Partial answer")], 1, '"text_delta"', []),
        ([hang()], 1, '"turn_started"', []),
        ([THREE], 1, '"call_started"', ["cancelled", "not_started", "not_started"]),
        ([READ, hang()], 2, '"batch_finished"', ["ok"]),
        ([BUSY], 1, '"notice"', []),
    ],
    ids=["streaming", "no answer yet", "in a batch", "between batches", "between two tries"],
)
def test_an_interrupt_ends_the_run_at_any_moment(
    script: list[Reply],
    requests: int,
    sign: str,
    statuses: list[str],
    shop: Path,
    environ: dict[str, str],
) -> None:
    with ScriptedServer(script) as server:
        words = [str(COMMAND), "-p", "go", "--base-url", server.url, "--model", "m", "--schedule", "serial"]
        words += ["--permission", "all", "--output", "stream-json"]
        child = subprocess.Popen(words, cwd=shop, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            seen = until(child, sign)
            server.wait_for_requests(requests)
            child.send_signal(signal.SIGINT)
            rest, errors = child.communicate(timeout=20)
        finally:
            child.kill()
    lines = [*seen, *map(json.loads, rest.splitlines())]
    assert [line["type"] for line in lines if line["type"] == "turn_finished"] == ["turn_finished"]
    assert (lines[-1]["type"], lines[-1]["reason"], child.returncode) == ("turn_finished", "interrupted", 130)
    assert sorted(line["status"] for line in lines if line["type"] == "call_finished") == statuses
    assert b"Traceback" not in errors
    assert processes_with(MARK.split()[1]) == []
