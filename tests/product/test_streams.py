"""Standard streams that are closed, or whose reader goes away: never a traceback, never a lost turn."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.terminal import COMMAND

READ = ("-p", "read pyproject.toml", "--provider", "rehearsal")


def shell(line: str, words: Sequence[str], folder: Path, environ: dict[str, str]) -> tuple[int, str, str]:
    """Run the command as `"$@"` of a shell line; return exit code, stdout and stderr."""
    done = subprocess.run(
        ["bash", "-c", line, "bash", str(COMMAND), *words],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [([], "no terminal"), (["-p", "-"], "-p needs a prompt"), (["plan", "-"], "not JSON")],
)
def test_a_closed_stdin_is_an_empty_one(
    shop: Path, environ: dict[str, str], words: list[str], said: str
) -> None:
    code, out, err = shell('"$@" <&-', words, shop, environ)
    assert (code, out, said in err) == (2, "", True), err


@pytest.mark.parametrize(
    "words", [READ, (*READ, "--output", "stream-json"), ("classify", "ls"), ("config", "show")]
)
def test_a_closed_stdout_is_no_traceback(shop: Path, environ: dict[str, str], words: tuple[str, ...]) -> None:
    assert shell('"$@" >&-', words, shop, environ)[0] == 0


def test_with_stderr_closed_the_narration_does_not_go_to_stdout(shop: Path, environ: dict[str, str]) -> None:
    code, out, _ = shell('"$@" 2>&-', (*READ, "--output", "json"), shop, environ)
    assert (code, json.loads(out)["reason"]) == (0, "done")
    assert shell('"$@" 2>&-', ("--no-such-flag",), shop, environ)[:2] == (2, "")


def test_a_turn_goes_on_when_nobody_reads_its_narration(shop: Path, environ: dict[str, str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(
            [str(COMMAND), *READ, "--output", "json"],
            cwd=shop,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=nobody,
            timeout=60,
            check=False,
        )
    assert (done.returncode, json.loads(done.stdout)["reason"]) == (0, "done")
