"""A scripted model tries some three hundred ways to act, or to see, without permission: none succeeds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.hostile.traps import KEY, SECRET, Field, field
from tests.hostile.tries import tries
from tests.product.support import run
from tests.support.server import ScriptedServer, calls, say

AT_ONCE = 25
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")
"""What must never come out: control characters of both kinds, and what turns text round."""


@pytest.fixture
def place(tmp_path: Path) -> Field:
    return field(tmp_path)


@pytest.mark.parametrize("mode", ["ask", "edits"])
def test_nothing_that_a_hostile_model_tries_happens(mode: str, place: Field) -> None:
    """Cases l/178, l/179, l/181, l/185, l/187."""
    wanted = list(tries(place))
    steps = [calls(*wanted[i : i + AT_ONCE]) for i in range(0, len(wanted), AT_ONCE)]
    before = place.guarded()
    with ScriptedServer([*steps, say("Done.")], lenient=True) as server:
        words = ["-p", "go", "--base-url", server.url, "--output", "stream-json", "--permission", mode]
        done = run(words, place.project, place.environ)
        server.assert_every_call_answered()
        sent = json.dumps(server.requests)
    ended = {line["id"]: line for line in done.lines if line["type"] == "call_finished"}
    assert len(ended) == len(wanted)
    assert [name for name, line in ended.items() if line["status"] == "ok"] == []
    assert place.guarded() == before
    assert [text for text in (SECRET, KEY, "ORDERS-OF") if text in sent + done.out + done.err] == []
    assert CONTROLS.search(done.out.encode() + done.err.encode()) is None
