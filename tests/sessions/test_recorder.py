"""What is shown is kept first; what streams is kept once a second; a cut or a compaction loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

from hermes_tui.engine import events as ev
from hermes_tui.engine.messages import Message
from hermes_tui.engine.outbox import Outbox
from tests.sessions.kit import Desk, call, rows, until


def kept(desk: Desk) -> list[str]:
    """The kinds of the events that are in the file now."""
    return [kind for (kind,) in rows(desk.path, "SELECT type FROM events ORDER BY number")]


def texts(desk: Desk) -> list[str]:
    """What was said, as stored now."""
    return [
        content.decode() for (content,) in rows(desk.path, "SELECT content FROM messages ORDER BY number")
    ]


def test_what_a_front_end_sees_is_in_the_file_already(tmp_path: Path) -> None:
    """Each event that tells something is looked for in the file at the moment it can be seen."""
    desk = Desk(tmp_path)
    outbox = Outbox(desk.recorder.event)
    seen: list[tuple[str, bool]] = []

    def look() -> None:
        for event in outbox.drain():
            seen.append((event.type, event.type in kept(desk)))

    outbox.listen(look)
    outbox.put(ev.TurnStarted(prompt="go", session="s", model="m"))
    desk.recorder.message(Message("user", "go"))
    desk.recorder.message(Message("assistant", "calling", (call("1"),)))
    outbox.put(ev.MessageDone(message={"content": "calling"}))
    assert texts(desk) == ["go", "calling"]
    outbox.put(ev.CallStarted(batch=1, id="1", name="read", arguments={}))
    outbox.put(ev.CallFinished(batch=1, id="1", status="ok", content="x", display="", seconds=0.0))
    desk.recorder.message(Message("tool", "x", call_id="1"))
    outbox.put(ev.TurnFinished(reason="done", error=None))
    assert seen == [
        (kind, True)
        for kind in ("turn_started", "message_done", "call_started", "call_finished", "turn_finished")
    ]
    assert texts(desk) == ["go", "calling", "x"]
    desk.close()


def test_a_prompt_is_stored_before_anybody_answers(tmp_path: Path) -> None:
    """Cases c/40."""
    desk = Desk(tmp_path)
    desk.begin("do it")
    until(lambda: texts(desk) == ["do it"], 1.0)
    desk.close()


def test_streamed_text_is_kept_within_a_second_and_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin("tell me")
    desk.recorder.event(ev.ThinkingDelta(text="hm"))
    for piece in ("Once ", "upon "):
        desk.recorder.event(ev.TextDelta(text=piece))
    until(lambda: "text_delta" in kept(desk), 1.0)
    body = json.loads(rows(desk.path, "SELECT body FROM events WHERE type = 'text_delta'")[0][0])
    assert body["text"] == "Once upon "
    desk.recorder.event(ev.TextDelta(text="a time."))
    desk.answer("Once upon a time.")
    desk.end()
    desk.close()
    assert kept(desk) == ["turn_started", "thinking_delta", "message_done", "turn_finished"]


def test_live_output_and_heartbeats_are_not_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin("go")
    desk.recorder.event(ev.CallOutput(batch=1, id="1", text="x" * 100_000))
    desk.recorder.event(ev.Heartbeat(running=["1"]))
    desk.end()
    desk.close()
    assert kept(desk) == ["turn_started", "turn_finished"]


def test_notices_from_before_the_first_prompt_belong_to_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.recorder.event(ev.Notice(level="info", text="no project here"))
    desk.current.flush()
    assert not desk.path.exists()
    desk.talk("hi", "ho")
    desk.close()
    assert kept(desk) == ["notice", "turn_started", "message_done", "turn_finished"]


def test_what_a_rollback_cut_stays_readable(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    desk.talk("two", "2")
    desk.recorder.cut(2)
    desk.talk("three", "3")
    desk.close()
    later = Desk(tmp_path)
    assert [m.content for m in later.current.go_on(True).messages] == ["one", "1", "three", "3"]
    text = later.current.store.export(desk.current.id, "markdown")
    assert "## You (no longer sent to the model)\n\ntwo" in text
    later.close()


def test_what_a_summary_stands_for_stays_readable_and_the_summary_is_no_prompt(tmp_path: Path) -> None:
    """Cases h/146: also in a fork of it."""
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    desk.talk("two", "2")
    summary = Message("user", "SUMMARY of one", kind="summary")
    desk.recorder.replaced([summary, Message("user", "two"), Message("assistant", "2")])
    desk.current.fork()
    desk.talk("three", "3")
    desk.close()
    later = Desk(tmp_path)
    messages = later.current.go_on(True).messages
    assert messages[0] == summary
    assert [m.content for m in messages[1:]] == ["two", "2", "three", "3"]
    said = json.loads(later.current.store.export(desk.current.id, "json"))["messages"]
    assert [m["content"] for m in said] == ["one", "1", "two", "2", "three", "3"]
    assert b"SUMMARY" not in later.current.lines()
    later.close()


def test_the_todo_list_comes_back(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    desk.recorder.state({"todos": [{"id": "1", "content": "x\ud800", "status": "pending"}]})
    desk.close()
    later = Desk(tmp_path)
    assert later.current.go_on(True).state["todos"][0]["content"] == "x\ud800"
    later.close()
