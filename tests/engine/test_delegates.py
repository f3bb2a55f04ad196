"""Sub-agents: at once, nested in the events, stopped with their parent, asking at the one desk."""

from __future__ import annotations

import threading
from pathlib import Path

from hermes_tui.engine.events import (
    BatchPlanned,
    CallFinished,
    CallOutput,
    CallStarted,
    TextDelta,
    TurnFinished,
    TurnStarted,
)
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message
from hermes_tui.engine.protocols import Answer, Request, Sink
from hermes_tui.tools.delegate_task import TOOL as DELEGATE
from tests.engine.around import Person, Say, calls
from tests.engine.kit import World, until, world
from tests.engine.tools import ordinary


class Family:
    """A model for a parent and its sub-agents: each conversation is answered by its first user message."""

    def __init__(self, lines: dict[str, list[Say]]) -> None:
        self.lines = lines
        self.requests: list[Request] = []
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        return "family"

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        with self._lock:
            self.requests.append(request)
            first = request.messages[0].content.partition("\n")[0]
            mine = self.lines[first]
            line: Say = mine.pop(0) if mine else "the end"
        if isinstance(line, Exception):
            raise line
        if callable(line):
            return line(request, sink, token)
        message = Message("assistant", line) if isinstance(line, str) else line
        sink.text(message.content or "…")
        return Answer(message, None)

    def close(self) -> None:
        """Nothing to let go of."""

    def of(self, goal: str) -> list[Request]:
        """The requests of one conversation."""
        return [r for r in self.requests if r.messages[0].content.startswith(goal)]


def family(
    tmp_path: Path, lines: dict[str, list[Say]], permissions: Person | None = None
) -> tuple[World, Family]:
    model = Family(lines)
    here = world(tmp_path, tools=[*ordinary(), DELEGATE], permissions=permissions or Person())
    here.agent.set_provider(model)
    return here, model


def delegated(*goals: str) -> Message:
    return calls(("delegate_task", {"tasks": [{"goal": goal} for goal in goals]}))


def test_each_task_is_worked_on_in_a_conversation_of_its_own_and_its_last_words_come_back(
    tmp_path: Path,
) -> None:
    here, model = family(
        tmp_path,
        {
            "go": [delegated("first", "second"), "both done"],
            "first": [calls(("write", {"path": "a.txt", "text": "A"})), "wrote a"],
            "second": [calls(("write", {"path": "b.txt", "text": "B"})), "wrote b"],
        },
    )
    assert here.turn().reason == "done"
    assert here.agent.messages[2].content == "Task 1 of 2: wrote a\n\nTask 2 of 2: wrote b"
    assert ((tmp_path / "a.txt").read_text(), (tmp_path / "b.txt").read_text()) == ("A", "B")
    assert [len(model.of(goal)) for goal in ("go", "first", "second")] == [2, 2, 2]
    here.agent.close()


def test_a_sub_agent_has_no_tool_that_asks_or_delegates_and_is_told_what_it_is(tmp_path: Path) -> None:
    here, model = family(tmp_path, {"go": [delegated("look"), "fine"], "look": ["seen"]})
    here.turn()
    offered = {tool.name for tool in model.of("look")[0].tools}
    assert "delegate_task" not in offered
    assert {tool.name for tool in model.of("go")[0].tools} == offered | {"delegate_task"}
    assert "You are a sub-agent" in model.of("look")[0].system
    here.agent.close()


def test_three_sub_agents_work_at_the_same_time(tmp_path: Path) -> None:
    together = threading.Barrier(3, timeout=20)

    def meet(request: Request, sink: Sink, token: Token) -> Answer:
        together.wait()
        return Answer(Message("assistant", "met"), None)

    here, _ = family(
        tmp_path, {"go": [delegated("a", "b", "c"), "fine"], "a": [meet], "b": [meet], "c": [meet]}
    )
    here.turn()
    assert here.result("c1").status == "ok"
    here.agent.close()


def test_its_calls_are_shown_below_the_call_that_started_it_and_its_words_are_not_the_answer(
    tmp_path: Path,
) -> None:
    here, _ = family(
        tmp_path,
        {"go": [delegated("look"), "the answer"], "look": [calls(("noop", {})), "only for the parent"]},
    )
    here.turn()
    assert [(event.agent, event.batch) for event in here.of(BatchPlanned)] == [(None, 1), ("c1", 2)]
    assert [event.agent for event in here.of(CallStarted)] == [None, "c1"]
    assert "".join(event.text for event in here.of(TextDelta)) == "…the answer"
    assert (len(here.of(TurnStarted)), len(here.of(TurnFinished))) == (1, 1)
    here.agent.close()


def test_its_changes_are_in_the_checkpoint_of_the_call_that_started_it(tmp_path: Path) -> None:
    here, _ = family(
        tmp_path,
        {
            "go": [delegated("first"), "fine"],
            "first": [
                calls(("write", {"path": "a", "text": "A"})),
                calls(("write", {"path": "b", "text": "B"})),
                "done",
            ],
        },
    )
    here.turn()
    assert here.journal.log == [
        "open 1: before delegate_task",
        "intent 1: a",
        "done 1: a",
        "intent 1: b",
        "done 1: b",
        "close 1",
    ]
    here.agent.close()


def test_its_permission_question_comes_to_the_one_desk_and_names_it(tmp_path: Path) -> None:
    here, _ = family(
        tmp_path,
        {"go": [delegated("first"), "fine"], "first": [calls(("write", {"path": "a", "text": "A"})), "done"]},
        Person(ask=["write"]),
    )
    here.agent.submit("go")
    question = here.question()
    assert (question.agent, question.kind) == ("c1", "permission")
    assert here.agent.answer(question.id, "answered", scope="once")
    here.wait(TurnFinished)
    assert (tmp_path / "a").read_text() == "A"
    here.agent.close()


def test_an_interrupt_ends_the_sub_agents_with_their_parent_and_tells_what_they_did(tmp_path: Path) -> None:
    here, _ = family(
        tmp_path,
        {
            "go": [delegated("quick", "slow")],
            "quick": ["I am done"],
            "slow": [calls(("sleep", {"seconds": 60})), "never"],
        },
    )
    here.agent.submit("go")
    until(lambda: any(event.agent and event.name == "sleep" for event in here.of(CallStarted)))
    until(lambda: "[1] done" in "".join(event.text for event in here.of(CallOutput) if event.agent is None))
    here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    ended = {(event.agent, event.status) for event in here.of(CallFinished)}
    assert ended == {("c1", "cancelled"), (None, "cancelled")}
    parent = next(event for event in here.of(CallFinished) if event.agent is None)
    assert parent.content == "[1] done: I am done\n\n[2] interrupted\n[interrupted]"
    here.agent.close()


def test_one_call_of_a_sub_agent_can_be_stopped_alone(tmp_path: Path) -> None:
    here, _ = family(
        tmp_path,
        {
            "go": [delegated("slow"), "fine"],
            "slow": [calls(("noop", {}), ("sleep", {"seconds": 60})), "went on"],
        },
    )
    here.agent.submit("go")
    until(lambda: any(event.agent and event.name == "sleep" for event in here.of(CallStarted)))
    assert here.agent.interrupt("c2")
    assert here.wait(TurnFinished).reason == "done"
    assert here.agent.messages[2].content == "went on"
    here.agent.close()


def test_a_sub_agent_that_fails_says_so_and_its_sibling_goes_on(tmp_path: Path) -> None:
    here, _ = family(
        tmp_path,
        {"go": [delegated("bad", "good"), "fine"], "bad": [RuntimeError("no model")], "good": ["all good"]},
    )
    here.turn()
    assert here.agent.messages[2].content == (
        "Task 1 of 2: not done: error (the provider failed: RuntimeError: no model)\n\nTask 2 of 2: all good"
    )
    here.agent.close()


def test_more_than_three_tasks_are_refused_with_what_to_do(tmp_path: Path) -> None:
    here, _ = family(tmp_path, {"go": [delegated("a", "b", "c", "d"), "fine"]})
    here.turn()
    assert here.result("c1").status == "failed"
    assert "4 tasks; 3 at once, the rest afterwards" in here.result("c1").content
    here.agent.close()
