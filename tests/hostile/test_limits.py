"""What a turn may write bounds its commands too, as far as the look at the tree after them shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product.support import run
from tests.support.server import Call, ScriptedServer, calls, say

WRITES = {
    "new": "head -c 9000 /dev/zero > big",
    "many": "for n in 1 2 3 4 5 6 7 8 9; do head -c 1000 /dev/zero > f$n; done",
    "changed": "head -c 9000 /dev/zero >> README.md",
    "ignored": "head -c 9000 /dev/zero > big.log",
    "over the cap of a checkpoint": "truncate -s 11000000 huge",
}


@pytest.mark.parametrize("name", WRITES)
def test_a_command_that_writes_too_much_ends_the_turn(name: str, shop: Path, environ: dict[str, str]) -> None:
    (shop / ".gitignore").write_text("*.log\n")
    (shop / "README.md").write_text("# shop\n")
    home = Path(environ["HERMES_TUI_HOME"])
    home.mkdir()
    (home / "config.toml").write_text("[limits]\nturn_written = 5000\n")
    steps = [
        calls(Call("terminal", {"command": "head -c 900 /dev/zero > small; rm -f nothing"})),
        calls(Call("terminal", {"command": WRITES[name]})),
        calls(Call("terminal", {"command": "touch after"})),
        say("Done."),
    ]
    with ScriptedServer(steps) as server:
        words = ["-p", "go", "--base-url", server.url, "--permission", "all", "--output", "stream-json"]
        done = run(words, shop, environ)
    end = done.only("turn_finished")
    assert (done.code, end["reason"]) == (1, "limit")
    assert (
        "stopped: this turn wrote 5000 bytes; send a message to go on, or raise turn_written" in end["error"]
    )
    assert (shop / "small").exists()
    assert not (shop / "after").exists()
