"""The layers around a call, and their order."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.events import (
    CallStarted,
    TurnFinished,
)
from hermes_tui.engine.protocols import Call, Pending, Result, Verdict
from hermes_tui.engine.state import StateSource, Todo, Todos
from tests.engine.around import Journal, Person, calls
from tests.engine.kit import until, world
from tests.engine.tools import Plain, touches_nothing, write_body, writes


@dataclass
class Recorder:
    """A guard that notes what it sees."""

    log: list[str]
    name: str
    answer: str | None = None

    def check(self, call: Pending) -> str | None:
        self.log.append(f"{self.name}: {call.name}")
        return self.answer


class Broken:
    def check(self, call: Pending) -> str | None:
        raise KeyError("policy")


class Recording(Person):
    def __init__(self, log: list[str]) -> None:
        super().__init__()
        self._log = log

    def judge(self, call: Pending) -> Verdict:
        self._log.append(f"permission: {call.name}")
        return super().judge(call)


class TodoList:
    """A state object that notes who asks for it."""

    def __init__(self, log: list[str]) -> None:
        self._log = log

    def items(self) -> list[Todo]:
        self._log.append("state used")
        return [Todo("1", "write tests")]

    def write(self, todos: object, merge: bool) -> list[Todo]:
        return []


def with_state(arguments: Mapping[str, Any], call: Call) -> Result:
    found = call.state(Todos).items()
    return Result(found[0].content)


def test_the_layers_come_in_order_guards_permission_checkpoint_state_tool(tmp_path: Path) -> None:
    log: list[str] = []

    def body(arguments: Mapping[str, Any], call: Call) -> Result:
        log.append("tool")
        result = with_state(arguments, call)
        write_body(arguments, call)
        return result

    here = world(
        tmp_path,
        calls(("both", {"path": "a", "text": "x"})),
        tools=[Plain("both", writes, body)],
        guards=[Recorder(log, "outer"), Recorder(log, "inner")],
        permissions=Recording(log),
        checkpoints=Journal(log),
        state=StateSource({Todos: TodoList(log)}),
    )
    here.turn()
    assert log == [
        "outer: both",
        "inner: both",
        "permission: both",
        "open 1: before both a",
        "tool",
        "state used",
        "intent 1: a",
        "done 1: a",
        "close 1",
    ]
    assert here.result("c1").content == "write tests"
    assert (tmp_path / "a").read_text() == "x"


@pytest.mark.parametrize(
    ("guard", "why"),
    [
        (Recorder([], "strict", "not on Fridays"), "denied: not on Fridays"),
        (Broken(), "denied: a plugin's guard broke, and that counts as no: KeyError: 'policy'"),
    ],
)
def test_a_guard_that_says_no_or_breaks_denies_before_anything_else(
    guard: Any, why: str, tmp_path: Path
) -> None:
    log: list[str] = []
    here = world(
        tmp_path,
        calls(("write", {"path": "a", "text": "x"}), ("noop", {})),
        guards=[guard, Recorder(log, "behind")],
        permissions=Recording(log),
        checkpoints=Journal(log),
    )
    assert here.turn().reason == "done"
    assert here.statuses() == {"c1": "denied", "c2": "denied"}
    assert here.result("c1").content == why
    assert log == []
    assert here.of(CallStarted) == []
    assert not (tmp_path / "a").exists()


def test_an_interrupt_does_not_wait_for_a_slow_guard_and_its_call_never_starts(tmp_path: Path) -> None:
    checking, go_on, left = threading.Event(), threading.Event(), threading.Event()

    class Slow:
        def check(self, call: Pending) -> str | None:
            checking.set()
            go_on.wait(10)
            left.set()
            return None

    here = world(tmp_path, calls(*[("shell", {"path": "a", "text": "x"})] * 2), guards=[Slow()], grace=60)
    here.agent.submit("go")
    checking.wait(10)
    here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    assert here.statuses() == {"c1": "not_started", "c2": "not_started"}
    go_on.set()
    left.wait(10)
    until(lambda: not any(thread.name == "call c1" for thread in threading.enumerate()))
    assert here.of(CallStarted) == []
    assert here.types()[-1] == "turn_finished"
    assert not (tmp_path / "a").exists()


def test_a_tool_without_its_state_fails_and_says_so(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("todo", {})), tools=[Plain("todo", touches_nothing, with_state)])
    here.turn()
    assert here.result("c1").status == "failed"
    assert here.result("c1").content == "this session has no todos; do without this tool here."


def test_a_hidden_tool_fails_with_what_it_lacks(tmp_path: Path) -> None:
    tool = Plain("search", touches_nothing, with_state, lacks="no ripgrep; install it")
    here = world(tmp_path, calls(("search", {})), tools=[tool])
    here.turn()
    assert here.result("c1").content == "search cannot work here: no ripgrep; install it"
    assert "search" not in [schema.name for schema in here.model.requests[0].tools]


def test_a_forbidden_call_is_denied_with_how_to_allow_it(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("noop", {}), ("read", {"path": "a"})), permissions=Person(deny=["noop"]))
    (tmp_path / "a").write_text("a")
    here.turn()
    assert here.statuses() == {"c1": "denied", "c2": "ok"}
    assert here.result("c1").content == "denied: noop is forbidden; allow it with --permission all"


def test_permissions_that_break_run_nothing(tmp_path: Path) -> None:
    class Raising(Person):
        def judge(self, call: Pending) -> Verdict:
            raise OSError("the rules cannot be read")

    here = world(tmp_path, calls(("write", {"path": "a", "text": "x"})), permissions=Raising())
    assert here.turn().reason == "done"
    assert here.result("c1").status == "failed"
    assert not (tmp_path / "a").exists()
