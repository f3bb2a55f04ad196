"""Whatever comes in, the parsers answer or refuse in words: no crash, no hang.

The budget is small here; HERMES_FUZZ=20000 makes it large.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes_tui.config.load import load
from hermes_tui.engine.errors import BadArguments, ConfigError, ToolError
from hermes_tui.engine.footprint import Access, Subject
from hermes_tui.frontends.replay.read import events_of
from hermes_tui.mcp.mend import mend
from hermes_tui.mcp.schema import exposed_name
from hermes_tui.permissions.rules import parse_rule
from hermes_tui.providers.faults import Place
from hermes_tui.providers.read_answer import AnswerReader, StreamFault
from hermes_tui.text import escaped, exact, harmless
from hermes_tui.tools.patch.grammar import parsed
from hermes_tui.tools.patch.hunks import applied

BUDGET = int(os.environ.get("HERMES_FUZZ", "60"))
FUZZ = settings(max_examples=BUDGET, deadline=None)
pytestmark = pytest.mark.timeout(120 if BUDGET <= 500 else 1800)  # a large budget takes its minutes
TEXT = st.text(st.characters(), max_size=200)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def streamed(payloads: list[Any], cut: int) -> list[bytes]:
    """Return the bytes of a stream of events, cut anywhere."""
    body = b"".join(b"data: " + json.dumps(payload).encode() + b"\n\n" for payload in payloads)
    return [body[:cut], body[cut:]]


DELTA = st.fixed_dictionaries({}, optional={"content": JSON, "reasoning_content": JSON, "role": JSON,
                                            "tool_calls": JSON | st.lists(st.fixed_dictionaries(
                                                {}, optional={"index": JSON, "id": JSON, "function": JSON})),
                                            "function_call": JSON})  # fmt: skip
CHUNK = JSON | st.fixed_dictionaries(
    {}, optional={"choices": JSON | st.lists(st.fixed_dictionaries({}, optional={
        "delta": DELTA, "finish_reason": JSON, "message": JSON, "index": JSON})),
                  "usage": JSON, "error": JSON, "id": JSON, "model": JSON}
)  # fmt: skip


@FUZZ
@given(st.lists(CHUNK, max_size=6), st.integers(0, 200), st.binary(max_size=60))
def test_any_stream_is_an_answer_or_a_fault(payloads: list[Any], cut: int, noise: bytes) -> None:
    """The event decoder and what assembles text and calls."""
    reader = AnswerReader(Place("http://127.0.0.1:9/v1"))
    with suppress(StreamFault):
        for data in (*streamed(payloads, cut), noise):
            list(reader.feed(data))
        list(reader.end())
        assert all(call.id for call in reader.answer(()).message.calls)
    assert isinstance(reader.content, str)


LINES = st.lists(
    st.sampled_from(["*** Add File: a", "*** Update File: a", "*** Delete File: a", "*** Move to: b",
                     "*** Move File: a -> b",
                     "@@", "@@ -1,2 +3 @@ def", "+x", "-x", " x", "",
                     "*** End of File", "*** End Patch", "*** Begin Patch"]) | TEXT,
    max_size=14,
)  # fmt: skip


@FUZZ
@given(LINES, TEXT)
def test_any_patch_is_operations_or_a_refusal(lines: list[str], text: str) -> None:
    with suppress(BadArguments, ToolError):
        for operation in parsed("\n".join(["*** Begin Patch", *lines, "*** End Patch"])):
            for before in (text, "x\n" * 5, ""):
                with suppress(BadArguments, ToolError):
                    applied(before, operation.hunks)


@FUZZ
@given(
    st.text("*?\\[](){}~/.ab \n$|+^", max_size=30) | TEXT,
    TEXT,
    st.sampled_from(["path", "command", "url", "mcp"]),
)
def test_any_rule_matches_or_not(pattern: str, text: str, kind: str) -> None:
    """Permission patterns: whatever they hold, they mean text."""
    try:
        rule = parse_rule(f"tool({pattern})")
    except ConfigError:
        return
    matches = rule.matches("tool", Subject(kind, text, Access.RUN), Path("/p"), Path("/h"))
    assert isinstance(matches, bool)
    assert not rule.matches("other", Subject(kind, text, Access.RUN), Path("/p"), Path("/h"))


@pytest.mark.parametrize("pattern", ["*" * 30 + "b", "**/" * 12 + "b", "?*" * 14 + "b", "a*" * 20 + "b"])
@pytest.mark.parametrize("kind", ["path", "command", "url"])
def test_no_pattern_takes_for_ever(pattern: str, kind: str) -> None:
    """A rule is matched for every call: its time must not explode."""
    rule = parse_rule(f"tool({pattern})")
    text = "/p/" + "a" * 200 if kind == "path" else "a" * 200
    assert not rule.matches("tool", Subject(kind, text + "c", Access.RUN), Path("/p"), Path("/h"))


SETTINGS = st.text("[]{}='\"\n.,# abc019_", max_size=99) | st.sampled_from(
    ["[" * 5000, "a = " + "[" * 5000,
     "permission = 'no'",
     "[permissions]\nallow = 1", "[mcp.x]\ncommand = []",
     "a.b.c = 1", "keys = []"]
)  # fmt: skip


@FUZZ
@given(SETTINGS)
def test_any_config_is_settings_or_one_error(text: str) -> None:
    file = Path(os.environ.get("TMPDIR", "/tmp"), f"hermes-fuzz-{os.getpid()}.toml")
    file.write_text(text)
    said = ""
    try:
        load({}, {}, file, file)
    except ConfigError as error:
        said = str(error)
    finally:
        file.unlink()
    assert len(said.splitlines()) <= 2


@FUZZ
@given(JSON, TEXT)
@example(value={}, name="\udd00")
def test_any_list_of_mcp_tools_is_mended_or_left_out(value: Any, name: str) -> None:
    result = {"tools": [{"name": name, "inputSchema": value}, value]}
    mend(result, [])
    assert all(tool["inputSchema"]["type"] == "object" for tool in result["tools"])
    assert exposed_name(name, name)


@FUZZ
@given(st.lists(JSON | st.fixed_dictionaries({"type": st.sampled_from(
    ["turn_started", "batch_planned", "message_done", "call_finished", "question_asked", "notice"])},
    optional={"time": JSON, "plan": JSON, "message": JSON, "level": JSON, "text": JSON, "agent": JSON})),
    st.binary(max_size=80))  # fmt: skip
def test_any_recording_is_events_and_notices(values: list[Any], noise: bytes) -> None:
    body = b"\n".join([*(json.dumps(value).encode() for value in values), noise])
    assert all(event.type for event in events_of(body))


@FUZZ
@given(st.text("\x1b\x9b[]0;m\x07\r\b\u202e\ud800a\n", max_size=80) | TEXT)
def test_no_text_stays_live(text: str) -> None:
    for made in (harmless(text), exact(text), escaped(json.dumps(text, ensure_ascii=False))):
        assert not {"\x1b", "\x9b", "\x07", "\r", "\b", "\u202e", "\ud800", "\x7f"} & set(made)
    assert json.loads(escaped(json.dumps(text, ensure_ascii=False))) == text
