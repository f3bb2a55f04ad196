"""Runs one batch as the product does: the real registry, planner, executor, disk and commands.

Only who is asked stands in for a person: permissions allow everything, and a question is always answered
by the same words for the same call.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hermes_tui.engine.dispatch import Dispatcher
from hermes_tui.engine.events import BatchFinished, CallFinished, CallStarted, Event, QuestionAsked
from hermes_tui.engine.execute import Batch
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import Judged, judge
from hermes_tui.engine.messages import ToolCall
from hermes_tui.engine.outbox import Outbox
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.plan import Plan, plan
from hermes_tui.engine.questions import Closing
from hermes_tui.engine.shared import Shared
from hermes_tui.engine.state import Inherited, Reads, StateSource, Texts, Todos
from hermes_tui.engine.turn import Turn
from hermes_tui.files.kept import KeptTexts
from hermes_tui.files.reads import ReadLedger
from hermes_tui.files.replace import SafeDisk
from hermes_tui.processes import environment
from hermes_tui.tools.registry import Registry, discover
from hermes_tui.tools.todo import TodoList
from tests.engine.around import NoGit, Person, Script
from tests.equivalence.batches import Case
from tests.equivalence.tree import Sandbox, Snapshot

TOOLBOX = Registry(discover())

Planner = Callable[[Sequence[Judged], str, Path], Plan]
"""What decides a batch: `engine.plan.plan`, or a broken one."""


@dataclass(frozen=True)
class Ran:
    """What a run left: all that has to be equal."""

    results: tuple[tuple[str, str], ...]
    """For each call its status and its content."""
    tree: Snapshot
    todos: tuple[str, ...]
    reads: dict[str, str | None]
    """What the session knows of each file."""


@dataclass
class World:
    """A sandbox in which cases run one after another."""

    sandbox: Sandbox
    overlapped: bool = field(default=False, init=False)
    """Whether two calls of the last run were under way at once."""

    _standing: tuple[str, ...] | None = field(default=None, init=False)
    """The tree that stands there untouched."""

    def judged(self, case: Case) -> list[Judged]:
        """Build the case's tree, and return what each call of it would touch."""
        self._build(case)
        calls = [ToolCall(f"c{number}", *call) for number, call in enumerate(case.calls, 1)]
        return judge(calls, TOOLBOX, self.sandbox.project)

    def serial(self, case: Case) -> Ran:
        """Run a case one call after another."""
        return self.run(case, plan(self.judged(case), "serial", self.sandbox.project))

    def run(self, case: Case, plan: Plan) -> Ran:
        """Build the case's tree anew, run its calls by a plan, and return what came of it."""
        self._build(case)
        self._standing = None
        options = Options(folder=self.sandbox.project)
        outbox = Outbox()
        shared = Shared(options, outbox)
        reads, todos = ReadLedger(), TodoList()
        inherited = environment.Inherited(environment.for_commands(self.sandbox.environment))
        texts = KeptTexts(self.sandbox.project.parent / "texts", str)
        parts = Parts(
            provider=Script(),
            toolbox=TOOLBOX,
            permissions=Person(),
            checkpoints=NoGit(),
            disk=SafeDisk(),
            system=str,
            state=StateSource({Reads: reads, Todos: todos, Inherited: inherited, Texts: texts}),
        )
        listener = Listener(shared, outbox)
        batch = Batch(plan, 1, Dispatcher(parts, options, shared, Turn), shared, options, Token())
        outcomes = {
            call.judged.call.id: (outcome.status, outcome.content)
            for call, outcome in zip(plan.calls, batch.run(), strict=True)
        }
        self.overlapped = overlapped(listener.events_to_the_end())
        tree = self.sandbox.snapshot()
        return Ran(
            tuple(outcomes[call_id] for call_id in sorted(outcomes)),
            tree,
            tuple(map(str, todos.items())),
            {name: reads.hash(self.sandbox.root / name) for name in tree if not name.startswith("..")},
        )

    def _build(self, case: Case) -> None:
        if self._standing != case.tweaks:
            self.sandbox.build(case.tweaks)
            self._standing = case.tweaks


class Listener:
    """Drains the events in a thread of its own, and answers what is asked."""

    def __init__(self, shared: Shared, outbox: Outbox) -> None:
        self._shared = shared
        self._outbox = outbox
        self._events: list[Event] = []
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        outbox.listen(lambda: self._bell.put(None))
        self._thread.start()

    def events_to_the_end(self) -> list[Event]:
        """Return everything that was told, once the batch has finished."""
        self._thread.join()
        return self._events

    def _serve(self) -> None:
        while not any(isinstance(event, BatchFinished) for event in self._events[-1:]):
            self._bell.get()
            news = self._outbox.drain()
            self._events += news
            for event in news:
                if isinstance(event, QuestionAsked):
                    self._shared.desk.answer(event.id, Closing("answered", f"the answer to {event.call}"))


def overlapped(events: Sequence[Event]) -> bool:
    """Whether a call started while another one was under way."""
    running: set[str] = set()
    for event in events:
        if isinstance(event, CallStarted):
            if running:
                return True
            running.add(event.id)
        elif isinstance(event, CallFinished):
            running.discard(event.id)
    return False
