"""How full the model's context is, and what the session has used and cost. Counts; compacts nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hermes_tui.engine.events import ContextChanged
from hermes_tui.engine.messages import Message, Usage
from hermes_tui.engine.protocols import Answer, Request

BYTES_A_TOKEN: Final = 4
IMAGE_TOKENS: Final = 1_000
"""About what a picture takes."""
SCALES: Final = (0.6, 3.0)
"""How far a server's count may move the estimate; one that counts less than that is not believed."""


def estimate(request: Request, answer: Message | None = None) -> int:
    """Return about how many tokens a request and its answer are, for servers that do not say."""
    size = len(request.system.encode("utf-8", "replace"))
    size += sum(
        len(tool.name) + len(tool.description) + len(json.dumps(dict(tool.parameters)))
        for tool in request.tools
    )
    return -(-size // BYTES_A_TOKEN) + weight([*request.messages, *([answer] if answer else [])])


def weight(messages: Iterable[Message]) -> int:
    """Return about how many tokens these messages are."""
    size = 0
    pictures = 0
    for message in messages:
        size += len(message.content.encode("utf-8", "replace")) + len(message.reasoning)
        size += sum(len(call.name) + len(call.arguments.encode("utf-8", "replace")) for call in message.calls)
        pictures += len(message.images)
    return -(-size // BYTES_A_TOKEN) + IMAGE_TOKENS * pictures


@dataclass(slots=True)
class Spent:
    """What was used and paid, of one turn, one model or the whole session."""

    requests: int = 0
    usage: Usage | None = None
    """All that servers counted; None while none did."""
    cost: float | None = 0.0
    """By the prices that the user gave; None as soon as one request's is not known."""
    uncounted: int = 0
    """Requests whose server did not count."""

    def add(self, answer: Answer) -> None:
        """Count one answer in."""
        self.requests += 1
        if answer.usage is None:
            self.uncounted += 1
        else:
            before, now = self.usage or Usage(0, 0), answer.usage
            self.usage = Usage(
                before.input + now.input, before.output + now.output, before.cached + now.cached
            )
        known = self.cost is not None and answer.cost is not None
        self.cost = (self.cost or 0.0) + (answer.cost or 0.0) if known else None


class Meter:
    """Counts tokens over a session. The thread of its agent counts, anybody reads."""

    def __init__(self, session: Meter | None = None) -> None:
        """`session`: for a sub-agent's, the one of its session, which counts what this one does as well."""
        self._above = session
        self._lock = threading.Lock()
        self.session = Spent()
        self.turn = Spent()
        """Of the turn that runs, else of the last one."""
        self.models: dict[str, Spent] = {}
        """By the name of who answered."""
        self._scale = 1.0
        """How many tokens the server counts for one that we estimate."""

    @property
    def usage(self) -> Usage | None:
        """All that servers have counted; None until one did."""
        return self.session.usage

    @property
    def cost(self) -> float | None:
        """What the session has cost; None when that is not known."""
        return self.session.cost if self.session.requests else None

    def begin_turn(self) -> None:
        """Count a turn of its own from here on."""
        self.turn = Spent()

    def expect(self, request: Request) -> int:
        """Return about how many tokens a request will be, by what the server counted before."""
        return self.scaled(estimate(request))

    def scaled(self, tokens: int) -> int:
        """Return an estimate as the server would count it."""
        return round(tokens * self._scale)

    def room(self, tokens: int) -> int:
        """Return how many characters of plain text about fill so many of the server's tokens."""
        return max(0, int(tokens / self._scale * BYTES_A_TOKEN))

    def count(self, request: Request, answer: Answer, limit: int | None) -> ContextChanged:
        """Note one answer, and return how full the context of `limit` tokens (None: not known) is now."""
        self.add(answer)
        used = answer.usage
        if used is None:
            return self.changed(self.scaled(estimate(request, answer.message)), limit)
        low, high = SCALES
        told = used.input / max(1, estimate(request))
        self._scale = min(high, told) if told >= low else 1.0
        return self.changed(used.input + used.output, limit)

    def add(self, answer: Answer) -> None:
        """Note what an answer used and cost, whatever it was for."""
        with self._lock:
            for spent in (self.session, self.turn, self.models.setdefault(answer.model, Spent())):
                spent.add(answer)
        if self._above is not None:
            self._above.add(answer)

    def changed(self, tokens: int, limit: int | None, compacted: bool = False) -> ContextChanged:
        """Return the event that says how full the context is."""
        return ContextChanged(tokens=tokens, limit=limit, cost=self.cost, compacted=compacted)
