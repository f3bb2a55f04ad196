"""What all agents of one session share: the way out, the slots, the desk, the table of held footprints."""

from __future__ import annotations

import copy
import itertools
import queue

from hermes_tui.engine.allowance import Allowance, Limits
from hermes_tui.engine.context import Meter
from hermes_tui.engine.foreign import Foreign
from hermes_tui.engine.held import Held, Holder
from hermes_tui.engine.outbox import Out
from hermes_tui.engine.parts import Options
from hermes_tui.engine.questions import Desk
from hermes_tui.engine.running import Running
from hermes_tui.engine.slots import Slots


class Shared:
    """Created once a session; each member is thread-safe."""

    def __init__(self, options: Options, outbox: Out) -> None:
        self.agent: str | None = None
        """None for the session's own agent, else the id of the call whose sub-agent sees this."""
        self.within: Holder | None = None
        """What that call holds; its own calls may touch it."""
        self.outbox = outbox
        self.meter = Meter()
        """What the session uses and costs, its sub-agents included."""
        self.held = Held()
        self.slots = Slots(options.max_parallel)
        self.desk = Desk(outbox, unattended=options.unattended is not None)
        self.allowance = Allowance(Limits(), lambda: None, lambda: False)
        """What is left of the turn that runs; outside one, all."""
        self.foreign = Foreign()
        """What the model has read in this turn that others wrote."""
        self.running = Running()
        """The batches that run, sub-agents' included."""
        self.notes: queue.SimpleQueue[str] = queue.SimpleQueue()
        """What the model shall learn at the next chance: abandoned calls that ended."""
        self.batches = itertools.count(options.batches + 1)
        """Numbers batches."""

    def for_agent(self, agent: str, outbox: Out, within: Holder | None) -> Shared:
        """Return what the calls of one call share with its session: everything but their way out."""
        its = copy.copy(self)
        its.within = within
        its.agent = agent
        its.outbox = outbox
        return its

    def take_notes(self) -> list[str]:
        """Return the notes that wait; they are for the session's own agent."""
        notes: list[str] = []
        while self.agent is None and not self.notes.empty():
            notes.append(self.notes.get())
        return notes
