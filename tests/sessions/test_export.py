"""An export has all that was said, in a form that others can read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_tui.engine import events as ev
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.messages import Message
from hermes_tui.frontends.replay.read import events_of
from tests.sessions.kit import Desk, call


def spoken(home: Path) -> Desk:
    """A session with a call, thinking and hostile text."""
    desk = Desk(home)
    desk.begin("fix ```the``` loader \x1b[31m\n~~~~")
    desk.recorder.event(ev.ThinkingDelta(text="hm"))
    desk.recorder.event(ev.TextDelta(text="I will "))
    desk.recorder.event(ev.TextDelta(text="read."))
    desk.answer("I will read.", call("c1", path="a.py"), reasoning="hm")
    desk.plan("c1")
    desk.recorder.event(ev.CheckpointMade(number=3, label="before read", files=2))
    desk.start("c1")
    desk.finish("c1", "````python\nx = 1\n````")
    desk.recorder.event(ev.BatchFinished(batch=1, seconds=0.5, serial_seconds=0.5))
    desk.recorder.message(Message("tool", "````python\nx = 1\n````", call_id="c1"))
    desk.answer("Done \ud800.")
    desk.end()
    desk.current.flush()
    return desk


def test_markdown_has_every_message_and_no_fence_ends_early(tmp_path: Path) -> None:
    desk = spoken(tmp_path)
    text = desk.current.store.export(desk.current.id[:8], "markdown")
    desk.close()
    assert text.startswith("# fix ```the``` loader\n")
    assert "\x1b" not in text
    assert '- called `read`\n\n```json\n{"path": "a.py"}\n```\n' in text
    assert "### Result of read\n\n`````\n````python\nx = 1\n````\n`````\n" in text
    assert text.rstrip().endswith("Done \ufffd.")


def test_json_has_the_messages_as_they_are(tmp_path: Path) -> None:
    desk = spoken(tmp_path)
    whole = json.loads(desk.current.store.export(desk.current.id, "json"))
    desk.close()
    assert whole["session"]["id"] == desk.current.id
    assert [message["role"] for message in whole["messages"]] == ["user", "assistant", "tool", "assistant"]
    (made,) = whole["messages"][1]["calls"]
    assert (made["id"], made["name"], made["arguments"]) == ("c1", "read", '{"path": "a.py"}')
    assert whole["messages"][3]["content"] == "Done \ud800."


def test_stream_json_can_be_played_again(tmp_path: Path) -> None:
    desk = spoken(tmp_path)
    text = desk.current.store.export(desk.current.id, "stream-json")
    desk.close()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["type"] for line in lines] == [
        "turn_started",
        "thinking_delta",
        "text_delta",
        "message_done",
        "batch_planned",
        "checkpoint_made",
        "call_started",
        "call_finished",
        "batch_finished",
        "text_delta",
        "message_done",
        "turn_finished",
    ]
    assert lines[2]["text"] == "I will read."
    times = [line["time"] for line in lines]
    assert times == sorted(times)
    assert all("row" not in line and line["agent"] is None for line in lines)
    played = list(events_of("\n".join(text.splitlines()[:9]).encode()))
    assert [event.type for event in played] == [line["type"] for line in lines[:9]]


def test_an_unknown_format_is_named_with_those_there_are(tmp_path: Path) -> None:
    desk = spoken(tmp_path)
    with pytest.raises(UsageError, match="no export format 'pdf'; there are markdown, json, stream-json"):
        desk.current.store.export(desk.current.id, "pdf")
    desk.close()
