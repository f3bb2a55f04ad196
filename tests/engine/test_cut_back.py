"""The conversation cut back to before a prompt, and what a person is told before nothing brings it back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.history import prompt_of
from hermes_tui.engine.messages import Message, ToolCall
from tests.engine.around import Journal, NoGit, Person, calls
from tests.engine.kit import world

WRITE = calls(("write", {"path": "a", "text": "x"}))


def asks(call_id: str) -> Message:
    return Message("assistant", "", (ToolCall(call_id, "write", "{}"),))


def test_the_prompt_of_a_call_is_the_one_its_turn_began_with() -> None:
    messages = [
        Message("user", "first"),
        asks("c1"),
        Message("tool", "done", call_id="c1"),
        Message("user", "branch changed", kind="note"),
        Message("user", "second"),
        asks("c2"),
        Message("tool", "done", call_id="c2"),
        Message("user", "rather so", kind="steer"),
        asks("c3"),
    ]
    assert [prompt_of(messages, call) for call in ("c1", "c2", "c3", "c4")] == [0, 4, 4, None]


def test_a_prompt_that_was_summed_up_is_not_found() -> None:
    summary = Message("user", "what was said", kind="summary")
    assert prompt_of([Message("user", "first"), summary, asks("c1")], "c1") is None


def test_cutting_back_drops_the_turn_and_what_came_after_it_and_nothing_before(tmp_path: Path) -> None:
    here = world(tmp_path, "hello", WRITE, "written", "later")
    for prompt in ("hi", "write it", "and?"):
        here.turn(prompt)
    (call,) = here.journal.calls
    assert here.agent.prompt_of(call) == "write it"
    gone = here.agent.do(lambda: here.agent.cut_back(call)).result(10)
    assert [message.role for message in gone] == [
        "user", "assistant", "tool", "assistant", "user", "assistant"
    ]  # fmt: skip
    assert [message.content for message in here.agent.messages] == ["hi", "hello"]
    assert here.agent.prompt_of(call) is None
    assert here.agent.do(lambda: here.agent.cut_back(call)).result(10) == []
    here.turn("again")
    assert [m.content for m in here.model.requests[-1].messages] == ["hi", "hello", "again"]


LOST = "build/ is ignored and 1.2 GB: /rollback will not bring it back"


class Leaky(Journal):
    """Checkpoints that cannot bring everything back."""

    def uncovered(self, footprint: Footprint) -> Sequence[str]:
        return (LOST,)


def test_a_question_says_what_nothing_brings_back(tmp_path: Path) -> None:
    here = world(tmp_path, WRITE, permissions=Person(ask=["write"]), checkpoints=Leaky())
    here.agent.submit("go")
    question = here.question()
    assert question.details == ["write has an effect", LOST]
    here.agent.interrupt()


def test_a_headless_denial_says_it_too(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        WRITE,
        permissions=Person(ask=["write"]),
        checkpoints=NoGit(),
        unattended=lambda mode: "run with --permission all",
    )
    here.turn()
    assert here.result("c1").content == (
        "denied: write has an effect; rollback is off here; run with --permission all"
    )
