"""What all agents of one session share: the way out, the slots, the desk, the table of held footprints."""

from __future__ import annotations

import itertools
import queue

from hermes_tui.engine.held import Held
from hermes_tui.engine.outbox import Outbox
from hermes_tui.engine.parts import Options
from hermes_tui.engine.questions import Desk
from hermes_tui.engine.slots import Slots


class Shared:
    """Created once a session; each member is thread-safe."""

    def __init__(self, options: Options) -> None:
        self.outbox = Outbox()
        self.held = Held()
        self.slots = Slots(options.max_parallel)
        self.desk = Desk(self.outbox, unattended=options.unattended is not None)
        self.notes: queue.SimpleQueue[str] = queue.SimpleQueue()
        """What the model shall learn at the next chance: abandoned calls that ended."""
        self.batches = itertools.count(1)
        """Numbers batches."""

    def take_notes(self) -> list[str]:
        """Return the notes that wait."""
        notes: list[str] = []
        while not self.notes.empty():
            notes.append(self.notes.get())
        return notes
