"""A call run again by the user: shown like any other, and the model learns nothing of it."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.engine.events import CallStarted, TurnFinished
from hermes_tui.engine.messages import Message, ToolCall
from tests.engine.around import calls
from tests.engine.kit import world


def test_a_read_is_run_again_for_the_user_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    here = world(tmp_path, calls(("read", {"path": "a.txt"})), Message("assistant", "seen"))
    here.turn()
    before = list(here.agent.messages)
    (tmp_path / "a.txt").write_text("two")
    here.agent.again(ToolCall("c1-again-1", "read", '{"path": "a.txt"}'))
    assert here.wait(TurnFinished, 2).reason == "done"
    assert "two" in here.result("c1-again-1").content
    assert here.types()[-6:] == [
        "turn_started",
        "batch_planned",
        "call_started",
        "call_finished",
        "batch_finished",
        "turn_finished",
    ]
    assert list(here.agent.messages) == before


def test_what_may_change_something_is_not_run_again(tmp_path: Path) -> None:
    here = world(tmp_path)
    here.agent.again(ToolCall("x", "write", '{"path": "a.txt", "text": "x"}'))
    assert here.wait(TurnFinished).error == "write cannot be run again by a key: it may change something"
    assert here.of(CallStarted) == []
    assert not (tmp_path / "a.txt").exists()


def test_it_can_be_interrupted_like_any_turn(tmp_path: Path) -> None:
    here = world(tmp_path)
    here.agent.again(ToolCall("x", "sleep", "{}"))
    here.wait(CallStarted)
    assert here.agent.busy
    assert here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    assert here.statuses() == {"x": "cancelled"}
