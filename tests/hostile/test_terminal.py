"""The program itself in a pseudo-terminal, in the repository of traps; the model sends hostile bytes."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.hostile.traps import ESCAPES, KEY, SECRET, Field, field
from tests.support.server import Call, ScriptedServer, Step, calls, say
from tests.support.terminal import COMMAND, Terminal

BYTES = (
    f"{ESCAPES}\x1b]0;canary-title\x07\x1b]8;;http://canary.example\x1b\\good\x1b]8;;\x1b\\\x1b[4337G"
    "\x1bP4337q#0\x1b\\\x1b_Gcanary\x1b\\\x9b4337m\x9d52;c;aGk=\x9c\x1b[?4337h\u2066\x00\x7f\x85"
)
CANARY = re.compile(
    rb"\x1b\]52;|\x1b\][^\x07\x1b]*(?:canary-title|canary\.example)|\x1b\[[?]?4337|\x1bP4337|\x1b_Gcanary"
    rb"|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\x00|\x7f|\x08\x08"
)
"""What a terminal would obey of it; our own sequences are none of these."""
ACTS = ("a1", "a2", "a3", "a4", "a5")
FRONTS = {"tui": [], "plain": ["--plain"], "print": ["-p", "go on"]}


@pytest.fixture
def place(tmp_path: Path) -> Field:
    return field(tmp_path)


def steps(place: Field) -> list[Step]:
    """Looks that need no answer and show what is hostile, then acts that do, then words."""
    touch = place.spring("terminal")
    looks = calls(
        Call("read_file", {"path": "hostile.txt"}, id="r1"),
        Call("search_files", {"pattern": "*", "target": "files"}, id="r2"),
        Call("terminal", {"command": "cat hostile.txt; ls"}, id="r3"),
        Call(f"no{BYTES}such", {BYTES: BYTES}, id=f"r4{ESCAPES}"),
        Call("read_file", {"path": f"no{BYTES}such"}, id="r5"),
    )
    acts = calls(
        Call("terminal", {"command": f"ls {BYTES}; {touch}".replace("\0", "")}, id="a1"),
        Call("write_file", {"path": "../canary/x", "content": BYTES}, id="a2"),
        Call("write_file", {"path": ".git/hooks/pre-push", "content": touch}, id="a3"),
        Call("read_file", {"path": "key.txt"}, id="a4"),
        Call("execute_code", {"code": f"import os; os.system('{touch}') # {BYTES}"}, id="a5"),
        Call("clarify", {"question": f"Shall I {BYTES}?", "choices": [f"yes{BYTES}", "no"]}, id="a6"),
    )
    text = f"Look {BYTES}\n\n# {BYTES}\n\n`{BYTES}`\n\n```sh\n{BYTES}\n```\n\n| {BYTES} |\n|---|\n| b |\n\n"
    return [looks, acts, say(text, "all was tried", thinking=f"hm {BYTES}")]


ASKING = {
    "tui": {"say why not": ["n"], "type for another answer": ["escape"]},
    "plain": {r"allow \(.*\)> *\Z": ["n"], r"or words\)> *\Z": ["2"], r"\)> [n2]\Z": ["enter"]},
}
"""How a question looks on the screen, and the keys that refuse it."""


def refuse(terminal: Terminal, front: str) -> None:
    """Say no to every question until the model has said its last words; a key may come too early."""
    deadline = time.monotonic() + 50
    while "all was tried" not in terminal.text():
        assert time.monotonic() < deadline, terminal.text()
        for look, keys in ASKING[front].items():
            if re.search(look, terminal.text().rstrip()):
                terminal.press(*keys)
        settled = time.monotonic() + 0.5
        while time.monotonic() < settled:
            terminal.read()


@pytest.mark.parametrize("mode", ["ask", "edits"])
@pytest.mark.parametrize("front", FRONTS)
def test_no_canary_reaches_the_terminal_and_nothing_is_touched(front: str, mode: str, place: Field) -> None:
    """Cases l/184, l/185, l/187: whatever front end, in a terminal, every question answered with no."""
    before = place.guarded()
    with ScriptedServer(steps(place), lenient=True, models=[f"m{BYTES}"]) as server:
        words = [str(COMMAND), *FRONTS[front], "--base-url", server.url, "--permission", mode]
        with Terminal(words, place.project, environ=place.environ) as terminal:
            if front == "print":
                terminal.wait("all was tried", 40)
            else:
                terminal.wait(lambda screen: "❯ Ask" in screen or "you>" in screen)
                terminal.line("go on")
                refuse(terminal, front)
                terminal.line("/quit")
            assert terminal.ended() == 0
            written = bytes(terminal.bytes)
        server.assert_every_call_answered()
        sent = "".join(map(str, server.requests))
        answers = [m for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    refused = {m["tool_call_id"]: m["content"][:7] for m in answers if m["tool_call_id"] in ACTS}
    assert refused == dict.fromkeys(ACTS, "denied:")
    assert CANARY.search(BYTES.encode())
    assert CANARY.findall(written) == []
    assert place.guarded() == before
    assert [text for text in (SECRET, KEY) if text.encode() in written or text in sent] == []
    assert [*place.project.rglob("sprung")] == []
