"""How long and how often a request is tried again. Pure arithmetic; the waiting is done by the caller."""

from __future__ import annotations

import random
from dataclasses import dataclass

from hermes_tui.providers.faults import Fault, Kind

TRIES = 4
WAITING = 20.0
"""Seconds that one request may spend waiting between its tries, all together."""
FIRST = 0.5
"""Seconds before the second try; doubled for each one after it, a quarter up or down by chance."""


@dataclass(slots=True)
class Patience:
    """The tries of one request."""

    tries: int = 1
    """Counts the one that runs."""
    waited: float = 0.0

    def wait_for(self, fault: Fault) -> float | None:
        """Return the seconds to wait before the next try, and count it; None: give up."""
        if fault.kind is not Kind.TRANSIENT or self.tries >= min(TRIES, fault.tries):
            return None
        wait = fault.retry_after
        if wait is None:
            wait = FIRST * 2 ** (self.tries - 1) * random.uniform(0.75, 1.25)
        if self.waited + wait > WAITING:
            return None
        self.tries += 1
        self.waited += wait
        return wait
