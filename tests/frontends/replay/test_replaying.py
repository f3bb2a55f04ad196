"""A recording read, paced and played: damaged lines, times, questions, an end that is missing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine import events as ev
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.outbox import Outbox
from hermes_tui.frontends.host import Opening
from hermes_tui.frontends.jsonline import json_line
from hermes_tui.frontends.record import Recording
from hermes_tui.frontends.replay.player import Player, completed
from hermes_tui.frontends.replay.program import Replay
from hermes_tui.frontends.replay.read import event_of, events_of, read
from hermes_tui.frontends.tui.app import HermesApp
from tests.frontends.scene import screen_text
from tests.frontends.standin import StandInSettings, plan, question

STEPS: list[tuple[str, str, dict[str, Any] | str]] = [
    ("c1", "terminal", {"command": "sleep 2"}),
    ("c2", "terminal", {"command": "sleep 1.5"}),
]


def session() -> list[ev.Event]:
    """A turn with a batch of two calls that took 2.0 s, recorded long ago."""
    calls = [{"id": i, "name": n, "arguments": a} for i, n, a in STEPS]
    started: list[ev.Event] = [
        ev.CallStarted(batch=1, id=i, name=n, arguments=a, time=1000.1) for i, n, a in STEPS
    ]

    def ended(call: str, at: float) -> ev.Event:
        return ev.CallFinished(
            batch=1, id=call, status="ok", content="", display="0 lines", seconds=at - 1000.1, time=at
        )

    return [
        ev.TurnStarted(prompt="wait", session="s", model="m", time=1000.0),
        ev.MessageDone(message={"role": "assistant", "content": "", "calls": calls}, time=1000.05),
        ev.BatchPlanned(batch=1, plan=plan(STEPS, True, "all only read"), time=1000.08),
        *started,
        ended("c2", 1001.6),
        ended("c1", 1002.1),
        ev.BatchFinished(batch=1, seconds=2.0, serial_seconds=3.5, time=1002.1),
        ev.TurnFinished(reason="done", error=None, time=1002.2),
    ]


def test_every_event_comes_back_as_it_was_recorded(tmp_path: Path) -> None:
    events = [*session(), question(1, "permission", marks=[(0, 3)], time=1003.0)]
    events[0] = ev.TurnStarted(prompt="half a pair: \ud800, 语言", session="s", model="m", time=1000.0)
    file = tmp_path / "r.jsonl"
    file.write_bytes(b"".join(json_line(event.as_dict()).encode() + b"\n" for event in events))
    assert read(file) == events


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"3",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"time": 1}',
        b'{"type": "no_such_event"}',
        b'{"type": "text_delta"}',
        b'{"type": "text_delta", "text": 3}',
        b'{"type": "turn_finished", "reason": ["done"], "error": null}',
        b'{"type": "batch_planned", "batch": 1, "plan": {}}',
        b'{"type": "batch_planned", "batch": 1, "plan": {"schedule": "batch", "parallel": true, '
        b'"reason": "", "calls": [{}]}}',
        b'{"type": "message_done", "message": {"calls": [{}]}}',
    ],
)
def test_a_damaged_line_says_why_in_one_line_and_breaks_nothing(line: bytes) -> None:
    why = event_of(line)
    assert isinstance(why, str)
    assert why.isprintable()
    good = json_line(ev.TextDelta(text="hi", time=5.0).as_dict()).encode()
    notice, event = events_of(line + b"\n\n" + good)
    assert isinstance(notice, ev.Notice)
    assert notice.text.startswith("line 1 is left out: ")
    assert event == ev.TextDelta(text="hi", time=5.0)


def test_of_many_damaged_lines_the_rest_is_counted() -> None:
    texts = [event.text for event in events_of(b"x\n" * 100) if isinstance(event, ev.Notice)]
    assert len(texts) == 21
    assert texts[-1] == "80 more lines are left out"


def test_a_field_of_a_newer_version_costs_nothing() -> None:
    line = json.dumps({**ev.TextDelta(text="hi").as_dict(), "colour": "red"}).encode()
    assert event_of(line) == ev.TextDelta(text="hi")


def test_a_turn_that_the_recording_does_not_end_is_ended() -> None:
    *_, last = completed(session()[:4])
    assert last == ev.TurnFinished(
        reason="error", error="the recording ends before the turn does", time=1000.1
    )


def test_an_answered_question_is_said_with_its_answer() -> None:
    asked = question(1, text="Which one?")
    for how, answer, scope, said in (
        ("answered", "red", None, "Which one? — answered: red"),
        ("answered", "yes", "session", "Which one? — answered: yes, session"),
        ("cancelled", "", None, "Which one? — cancelled"),
    ):
        *_, notice = completed([asked, ev.QuestionAnswered(id="q1", how=how, answer=answer, scope=scope)])
        assert isinstance(notice, ev.Notice)
        assert notice.text == said


def test_the_pace_is_that_of_the_recording_times_the_speed() -> None:
    player = Player(session(), 100.0)
    assert [event.type for event in player.paced()] == [event.type for event in session()]
    assert player.now() == 1002.2


def test_the_rest_comes_at_once_when_it_is_wanted() -> None:
    far = [ev.TurnStarted(prompt="x", session="s", model="m", time=0.0), ev.TextDelta(text="y", time=9e9)]
    player = Player(far, 1.0)
    given = player.paced()
    next(given)
    assert player.rush()
    assert [event.type for event in given] == ["text_delta", "turn_finished"]


def test_a_full_disk_ends_the_recording_and_not_the_run() -> None:
    outbox = Outbox()
    Recording(Path("/dev/full")).follow(outbox)
    outbox.put(ev.TextDelta(text="a"))
    assert [event.type for event in outbox.drain()] == ["text_delta"]
    (notice,) = outbox.drain()
    assert isinstance(notice, ev.Notice)
    assert notice.text.startswith("/dev/full: the recording ends here: No space left")
    outbox.put(ev.TextDelta(text="b"))
    assert [event.type for event in outbox.drain()] == ["text_delta"]


def test_a_recording_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    with pytest.raises(UsageError, match="holds something already"):
        Recording(file)
    assert file.read_text() == "mine"


def test_the_runs_panel_shows_the_times_of_the_recording(tmp_path: Path) -> None:
    replay = Replay(session(), 0.0, tmp_path, StandInSettings())

    def begin() -> Replay:
        replay.start()
        return replay

    async def look() -> str:
        opening = Opening(tmp_path, "hermes-dark", begin, replay.player.now)
        app = HermesApp(opening, None, guards=(0.0, 0.0))
        async with app.run_test(size=(120, 30)) as pilot:
            for _ in range(400):
                await pilot.pause(0.02)
                if "the replay is over" in screen_text(app):
                    break
            return screen_text(app)

    screen = asyncio.run(look())
    assert "2.0 s instead of 3.5 s" in screen
    assert "1.5 s" in screen
    assert "the replay is over" in screen
