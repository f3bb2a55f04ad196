"""Makes room in the model's context, in three steps: old results short, a summary, and what always works.

Step 1 needs no model. Step 2 asks it, at most twice. Step 3 leaves the oldest out and shortens the rest
until it fits. Cuts stand at turn boundaries; only a turn that alone is too long is cut between two of its
batches, and keeps its prompt. Asks through the session's own provider and shows nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hermes_tui.engine.context import Meter, weight
from hermes_tui.engine.digest import standing_for, summary_request
from hermes_tui.engine.errors import BrokenAnswer, ContextTooLong, ProviderError
from hermes_tui.engine.history import boundaries, seams
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message
from hermes_tui.engine.protocols import Provider, Sink
from hermes_tui.engine.shorten import Keep, shortened
from hermes_tui.engine.validity import repaired

KEPT_TURNS: Final = 2
"""Turns that stay as they are, if there is room for them."""
KEPT_BATCHES: Final = 2
"""Batches of the running turn whose results stay whole."""
OLD: Final = 1_500
"""Characters that an old result or an old call's text keeps."""
SQUEEZE: Final = (20_000, 8_000, 3_000, 1_000, 300, 100)
"""Characters that everything is shortened to, one after another, until it fits."""
TRIES: Final = 2
"""How often a summary is asked for."""
SUMMARY_SHARE: Final = 0.6
"""The part of the context that the text to be summed up may fill."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """What came of it."""

    messages: list[Message]
    how: str
    """In words: what was done to the conversation."""
    warning: str = ""
    """Why there is no summary although one was asked for."""
    changed: bool = True
    """False: there was nothing to make shorter."""


@dataclass(frozen=True, slots=True)
class Job:
    """One compaction."""

    messages: Sequence[Message]
    fixed: int
    """Tokens of system text and tools, as we estimate."""
    goal: int
    """Tokens that a request may have afterwards."""
    limit: int | None
    """Tokens the context holds; None: not known."""
    carried: str
    """What must not be lost, as text."""
    focus: str = ""
    """What the user wishes the summary to keep."""
    by_hand: bool = False
    """The user asked for a summary: shorter results are not enough."""


class Compactor:
    """Makes conversations shorter. Belongs to the engine thread."""

    def __init__(self, provider: Provider, meter: Meter, keep: Keep) -> None:
        self._provider = provider
        self._meter = meter
        self._keep = keep

    def run(self, job: Job, sink: Sink, token: Token) -> Compacted:
        """Return the conversation made to fit. Raises `Interrupted`, with nothing changed."""
        messages = self._with_short_results(repaired(job.messages))
        if not job.by_hand and self._fits(messages, job):
            return Compacted(messages, "old results were shortened")
        cut = self._cut(messages, job)
        if cut == 0:
            return self._squeezed(messages, job, "long texts were shortened")
        running = _running_prompt(messages, cut)
        summary, warning = self._summary(messages[:cut], job, sink, token)
        first = standing_for(messages[:cut], summary, job.carried, running)
        what = "became a summary" if summary else "were left out"
        return self._squeezed([first, *messages[cut:]], job, f"{cut} messages {what}", warning)

    # -- 1: shorter results -------------------------------------------------------------------------------

    def _with_short_results(self, messages: Sequence[Message]) -> list[Message]:
        """Return the messages with old results and old calls' texts short; the newest batches stay whole."""
        batches = [position for position, message in enumerate(messages) if message.calls]
        whole_from = batches[-KEPT_BATCHES] if len(batches) >= KEPT_BATCHES else 0
        return [
            shortened(message, OLD, self._keep)
            if position < whole_from and (message.role == "tool" or message.calls)
            else message
            for position, message in enumerate(messages)
        ]

    # -- 2: a summary -------------------------------------------------------------------------------------

    def _cut(self, messages: Sequence[Message], job: Job) -> int:
        """Return where the part that is kept begins; 0 when there is nothing before it."""
        room = max(0, job.goal - self._meter.scaled(job.fixed)) // 2
        turns = boundaries(messages)
        for start in turns[-KEPT_TURNS:]:
            if start and self._meter.scaled(weight(messages[start:])) <= room:
                return start
        if job.by_hand:
            return turns[-1] if turns and turns[-1] else len(messages)
        inside = [seam for seam in seams(messages) if seam > (turns[-1] if turns else 0) + 1]
        if not inside:
            return turns[-1] if turns else 0
        fitting = (seam for seam in inside if self._meter.scaled(weight(messages[seam:])) <= room)
        return next(fitting, inside[-1])

    def _summary(self, messages: Sequence[Message], job: Job, sink: Sink, token: Token) -> tuple[str, str]:
        """Return the model's summary, or nothing and why."""
        room = self._meter.room(int(job.limit * SUMMARY_SHARE) if job.limit else job.goal)
        why = ""
        for _ in range(TRIES):
            request = summary_request(messages, job.focus, room)
            try:
                answer = self._provider.answer(request, sink, token)
            except (ContextTooLong, BrokenAnswer) as error:
                why = str(error)
            except ProviderError as error:
                return "", str(error)  # the provider has tried again where that helps
            else:
                self._meter.add(answer)
                if answer.message.content.strip():
                    return answer.message.content, ""
                why = "the model gave an empty summary"
            token.raise_if_set()
            room = min(room, len(request.messages[0].content)) // 2
        return "", why

    # -- 3: what always works -----------------------------------------------------------------------------

    def _squeezed(self, messages: list[Message], job: Job, how: str, warning: str = "") -> Compacted:
        """Return the messages shortened, and if need be fewer, until they fit as far as they can."""
        before = list(job.messages)
        for size in SQUEEZE:
            if self._fits(messages, job):
                break
            messages = [shortened(message, size, self._keep) for message in messages]
        while not self._fits(messages, job) and (shorter := _without_oldest(messages)) is not None:
            messages = shorter
        return Compacted(messages, how, warning, messages != before)

    def _fits(self, messages: Sequence[Message], job: Job) -> bool:
        return self._meter.scaled(job.fixed + weight(messages)) <= job.goal


def _running_prompt(messages: Sequence[Message], cut: int) -> str:
    """Return the prompt of the turn that a cut goes through; empty when it goes through none."""
    turns = boundaries(messages)
    if cut >= len(messages) or cut in turns:
        return ""
    start = max((turn for turn in turns if turn < cut), default=0)
    return next((m.content for m in messages[start:cut] if m.role == "user" and not m.kind), "")


def _without_oldest(messages: list[Message]) -> list[Message] | None:
    """Return the messages without the oldest batch or answer; None when only the last step is left."""
    places = [seam for seam in seams(messages) if seam > 0]
    droppable = [seam for seam in places[:-1] if messages[seam].role == "assistant"]
    if not droppable:
        return None
    start = droppable[0]
    end = next(seam for seam in places if seam > start)
    return messages[:start] + messages[end:]
