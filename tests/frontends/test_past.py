"""A stored session on the screen: what was shown then, with its calls folded."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.engine import events as ev
from hermes_tui.engine.messages import Message
from hermes_tui.frontends.tui import past
from hermes_tui.frontends.tui.widgets.transcript import (
    AnswerEntry,
    BatchEntry,
    CallEntry,
    NoteEntry,
    ThinkingEntry,
    UserEntry,
)
from tests.sessions.kit import Desk, call, until

DIFF = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n"


def test_everything_that_was_shown_is_shown_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.recorder.event(ev.Notice(level="warning", text="no project here"))
    desk.begin("fix half \ud800 a pair")
    desk.recorder.event(ev.ThinkingDelta(text="hm, "))
    until(lambda: b"hm, " in desk.current.lines())
    desk.recorder.event(ev.ThinkingDelta(text="so"))
    desk.answer("I **read**.", call("c1", path="src/a.py"))
    desk.plan("c1", batch=4)
    desk.recorder.event(ev.CheckpointMade(number=3, label="before", files=1))
    desk.start("c1", 4)
    desk.finish("c1", DIFF, 4)
    desk.recorder.event(ev.BatchFinished(batch=4, seconds=0.5, serial_seconds=0.5))
    desk.recorder.message(Message("tool", DIFF, call_id="c1"))
    desk.recorder.event(ev.TurnFinished(reason="limit", error="stopped after 1 batches"))
    desk.current.flush()
    found = past.entries(desk.current.lines(), Path("/project"))
    desk.close()
    row = CallEntry("c1", "read", "src/a.py", "ok", "1 line", DIFF, DIFF)
    assert found == [
        NoteEntry("no project here", "warning"),
        UserEntry("fix half \ud800 a pair"),
        ThinkingEntry("hm, so"),
        AnswerEntry("I **read**."),
        BatchEntry(4, "1 call · 0.5 s · ⚑ #3", (row,)),
        NoteEntry("stopped after 1 batches", "warning"),
    ]
    assert past.prompts(found) == ["fix half \ud800 a pair"]


def test_a_turn_that_a_crash_ended_says_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.begin("tell me")
    desk.recorder.event(ev.TextDelta(text="Once upon"))
    until(lambda: b"Once" in desk.current.lines())
    desk.vanish()
    later = Desk(tmp_path)
    later.current.go_on(True)
    found = past.entries(later.current.lines(), Path("/project"))
    later.close()
    assert found == [
        UserEntry("tell me"),
        AnswerEntry("Once upon"),
        NoteEntry("the answer broke off here", "warning"),
        NoteEntry("interrupted: the program ended in the middle of this turn"),
    ]


def test_a_compacted_fork_shows_what_was_said_and_no_summary(tmp_path: Path) -> None:
    """Cases h/146."""
    desk = Desk(tmp_path)
    desk.talk("one", "1")
    desk.recorder.replaced([Message("user", "SUMMARY", kind="summary")])
    desk.talk("two", "2")
    taken = desk.current.fork()
    found = past.entries(desk.current.lines(), Path("/project"))
    desk.close()
    assert [message.content for message in taken.messages] == ["SUMMARY", "two", "2"]
    assert found == [UserEntry("one"), AnswerEntry("1"), UserEntry("two"), AnswerEntry("2")]


def test_the_newest_turns_are_shown_first_and_whole(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for number in range(400):
        desk.talk(f"question {number}", f"answer {number}")
    desk.current.flush()
    lines = desk.current.lines()
    desk.close()
    start = past.newest(lines)
    newest, before = (past.entries(part, Path("/")) for part in (lines[start:], lines[:start]))
    assert before + newest == past.entries(lines, Path("/"))
    assert isinstance(newest[0], UserEntry)
    assert 150 <= len(newest) <= 250
    assert past.newest(b"") == 0
