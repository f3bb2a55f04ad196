"""What the full screen is driven by in its tests: a real outbox fed with events, and a note of what it asked.

Not a mock of our parts: the screen's true input is the event stream, and this speaks it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.commands import screen
from hermes_tui.commands.registry import Command, Commands
from hermes_tui.commands.ui import UI
from hermes_tui.engine import events as ev
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.outbox import Outbox
from hermes_tui.engine.state import BackgroundInfo
from hermes_tui.files.kept import KeptTexts
from hermes_tui.tools.todo import TodoList


@dataclass
class StandInAgent:
    """Takes what a front end asks, and notes it."""

    events: Outbox = field(default_factory=Outbox)
    busy: bool = False
    queued: list[str] = field(default_factory=list)
    schedule: str = "batch"
    late: bool = False
    """Answers come too late."""
    asked: list[tuple[Any, ...]] = field(default_factory=list)
    """("submit", text), ("interrupt", call id, force), ("answer", id, how, answer, scope)."""

    def submit(self, text: str) -> None:
        self.asked.append(("submit", text))
        if self.busy:
            self.queued.append(text)

    def steer(self, text: str) -> None:
        self.asked.append(("steer", text))

    def unqueue(self) -> str | None:
        return self.queued.pop() if self.queued else None

    def interrupt(self, call_id: str | None = None, force: bool = False) -> bool:
        self.asked.append(("interrupt", call_id, force))
        return self.busy

    def again(self, call: ToolCall) -> None:
        self.asked.append(("again", call.name, call.arguments))

    def answer(self, question_id: str, how: str, answer: str = "", scope: str | None = None) -> bool:
        self.asked.append(("answer", question_id, how, answer, scope))
        if self.late:
            return False
        self.events.put(ev.QuestionAnswered(id=question_id, how=how, answer=answer, scope=scope))
        return True

    def do(self, function: Callable[[], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function())
        return future


@dataclass
class StandInSettings:
    theme: str = "hermes-dark"
    vi_keys: bool = False
    while_working: str = "queue"
    reduced_motion: bool = False
    notify: str = "bell"
    window_title: bool = True
    keys: dict[str, str] = field(default_factory=dict)


@dataclass
class StandInPermissions:
    mode: str = "ask"

    def cycle(self) -> str:
        modes = ["plan", "ask", "edits", "all"]
        self.mode = modes[(modes.index(self.mode) + 1) % 4]
        return self.mode


@dataclass
class StandInHistory:
    texts: list[str] = field(default_factory=list)

    def items(self) -> list[str]:
        return list(self.texts)

    def add(self, text: str) -> None:
        self.texts.append(text)

    def recall(self, texts: Sequence[str]) -> None:
        self.texts += texts


@dataclass
class StandInBackground:
    running: list[BackgroundInfo] = field(default_factory=list)

    def list(self) -> Sequence[BackgroundInfo]:
        return self.running


class StandIn:
    """The assembled program, as far as the screen looks at it."""

    def __init__(self, folder: Path, theme: str = "hermes-dark") -> None:
        self.agent = StandInAgent()
        self.settings = StandInSettings(theme)
        self.themes: Mapping[str, Mapping[str, Any]] = {}
        self.permissions = StandInPermissions()
        self.history = StandInHistory()
        self.commands = Commands([Command(*row) for row in _commands()])
        self.checkpoints: Any = None
        self.background = StandInBackground()
        self.todos = TodoList()
        self.session: Any = None
        self.folder = folder
        self.project: Path | None = folder
        self.provider_label = "rehearsal (no model)"
        self.rehearsing = True
        self.theme = theme
        self.closed = 0
        self.environment = dict(os.environ)
        self.kept = KeptTexts(folder / "kept", lambda: "s1")
        self.told: list[str] = []
        """What the model shall learn."""

    def tell_model(self, text: str) -> None:
        self.told.append(text)

    def past(self) -> bytes:
        return b""

    def branch(self) -> str:
        return "main ±2"

    def close(self) -> None:
        self.closed += 1


def _commands() -> Sequence[tuple[str, str, str, Callable[[Any, UI, str], Any]]]:
    async def say(hermes: Any, ui: UI, argument: str) -> None:
        ui.say(f"said {argument}")

    async def sure(hermes: Any, ui: UI, argument: str) -> None:
        body = "restore src/a.py\n[/foo] list[int] [@click=app.quit]x[/]"
        ui.say("yes" if await ui.confirm("Restore [#3]?", body, "restore") else "no")

    async def rollback(hermes: Any, ui: UI, argument: str) -> None:
        if argument:
            ui.say(f"rolled back to {argument}")
        else:
            await ui.browse_checkpoints()

    async def clear(hermes: Any, ui: UI, argument: str) -> None:
        ui.clear()

    async def quit(hermes: Any, ui: UI, argument: str) -> None:
        ui.quit()

    return [
        ("say", "Say something", "", say),
        ("theme", "Show or set the colours", "", screen.theme),
        ("sure", "Ask whether", "", sure),
        ("rollback", "List the checkpoints, or go back to one", "", rollback),
        ("clear", "Start a new conversation", "", clear),
        ("quit", "Leave", "", quit),
    ]


Step = tuple[str, str, dict[str, Any] | str]
"""Call id, tool, arguments."""


def plan(
    steps: Sequence[Step], parallel: bool, reason: str, after: dict[int, str] | None = None
) -> dict[str, Any]:
    """Return a plan as the engine sends it; `after` has the reason of each call that waits."""
    after = after or {}
    return {
        "schedule": "batch",
        "parallel": parallel,
        "reason": reason,
        "calls": [
            {
                "index": index,
                "id": call_id,
                "name": name,
                "level": "safe",
                "reads": [],
                "writes": [],
                "after": [index - 1] if index in after else [],
                "reason": after.get(index, "starts at once: it only reads"),
            }
            for index, (call_id, name, _) in enumerate(steps)
        ],
    }


class Turn:
    """Puts the events of one turn into an outbox, in the engine's order and with its own clock if given."""

    def __init__(self, agent: StandInAgent) -> None:
        self._agent = agent
        self._batch = 0
        self._steps: dict[str, Step] = {}

    def put(self, *events: ev.Event) -> None:
        for event in events:
            self._agent.events.put(event)

    def start(self, prompt: str = "do it") -> None:
        self._agent.busy = True
        self.put(ev.TurnStarted(prompt=prompt, session="s1", model="m"))

    def text(self, text: str) -> None:
        self.put(ev.TextDelta(text=text))

    def batch(
        self,
        steps: Sequence[Step],
        parallel: bool,
        reason: str,
        after: dict[int, str] | None = None,
        item: Mapping[str, Any] | None = None,
    ) -> None:
        """`item`: what each call of the plan says besides."""
        self._batch += 1
        self._steps = {step[0]: step for step in steps}
        calls = [{"id": i, "name": n, "arguments": a} for i, n, a in steps]
        message = {"role": "assistant", "content": "", "calls": calls, "reasoning": ""}
        self.put(ev.MessageDone(message=message))
        planned = plan(steps, parallel, reason, after)
        for call in planned["calls"]:
            call.update(item or {})
        self.put(ev.BatchPlanned(batch=self._batch, plan=planned))

    def began(self, *call_ids: str) -> None:
        for call_id in call_ids:
            _, name, arguments = self._steps[call_id]
            self.put(ev.CallStarted(batch=self._batch, id=call_id, name=name, arguments=arguments))

    def output(self, call_id: str, text: str) -> None:
        self.put(ev.CallOutput(batch=self._batch, id=call_id, text=text))

    def ended(self, call_id: str, status: str = "ok", content: str = "", display: str = "") -> None:
        self.put(
            ev.CallFinished(
                batch=self._batch, id=call_id, status=status, content=content, display=display, seconds=0.1
            )
        )

    def batch_ended(self, seconds: float = 0.1, serial: float = 0.1) -> None:
        self.put(ev.BatchFinished(batch=self._batch, seconds=seconds, serial_seconds=serial))

    def end(self, reason: str = "done", error: str | None = None) -> None:
        self._agent.busy = False
        self.put(ev.TurnFinished(reason=reason, error=error))


def question(number: int, kind: str = "clarify", **fields: Any) -> ev.QuestionAsked:
    """Return a question as the engine asks it."""
    values: dict[str, Any] = {
        "text": f"Question {number}?",
        "choices": ["one", "two"] if kind == "clarify" else ["once", "session", "always", "no"],
        "multiple": False,
        "preview": "" if kind == "clarify" else "git commit -m wip",
        "position": number,
        "total": number,
        **fields,
    }
    return ev.QuestionAsked(id=f"q{number}", kind=kind, call=f"c{number}", **values)


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Poll until the condition holds; for conditions outside an event loop."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        time.sleep(0.01)
