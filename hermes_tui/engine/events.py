"""What the engine tells a front end. Plain data; also the lines of stream-json (design.md 3.4).

Order: turn_started first, turn_finished last. A plan before its calls. For each call
started < output < finished, and nothing after finished; exactly one finished for each call, also for
one that never started (then without started). All finished before batch_finished. Exactly one
question_answered for each question_asked. Time never goes back: the outbox stamps it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final

COMPACT: Final = "/compact"
"""How the prompt of a turn begins that only compacts the conversation, because the user asked for it."""


@dataclass(slots=True, kw_only=True)
class Event:
    """What every event carries."""

    type: ClassVar[str] = ""
    time: float = 0.0
    """Unix seconds, set by the outbox."""
    agent: str | None = None
    """None for the session's own agent, else the call id of the sub-agent's task."""

    def as_dict(self) -> dict[str, Any]:
        """Return the event as it stands in stream-json, `type` first."""
        return {"type": self.type, **{f.name: getattr(self, f.name) for f in fields(self)}}


@dataclass(slots=True, kw_only=True)
class TurnStarted(Event):
    """The user's prompt was taken."""

    type: ClassVar[str] = "turn_started"
    prompt: str
    session: str
    model: str


@dataclass(slots=True, kw_only=True)
class TextDelta(Event):
    """A piece of the answer."""

    type: ClassVar[str] = "text_delta"
    text: str


@dataclass(slots=True, kw_only=True)
class ThinkingDelta(Event):
    """A piece of the model's thinking."""

    type: ClassVar[str] = "thinking_delta"
    text: str


@dataclass(slots=True, kw_only=True)
class MessageDone(Event):
    """One answer of the model is complete: `{"role", "content", "calls", "reasoning"}`."""

    type: ClassVar[str] = "message_done"
    message: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class BatchPlanned(Event):
    """A batch was planned; `plan` is what `hermes-tui plan` prints, each call also with its `id`."""

    type: ClassVar[str] = "batch_planned"
    batch: int
    plan: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class CallWaiting(Event):
    """A call waits for something other than its plan: a question, a slot, an abandoned call."""

    type: ClassVar[str] = "call_waiting"
    batch: int
    id: str
    why: str


@dataclass(slots=True, kw_only=True)
class CallStarted(Event):
    """The call runs. `arguments` is an object, or the raw string when it did not parse."""

    type: ClassVar[str] = "call_started"
    batch: int
    id: str
    name: str
    arguments: dict[str, Any] | str


@dataclass(slots=True, kw_only=True)
class CallOutput(Event):
    """Live output: newest 16 kB, at most one event a call in 33 ms, what was dropped is said."""

    type: ClassVar[str] = "call_output"
    batch: int
    id: str
    text: str


@dataclass(slots=True, kw_only=True)
class CallFinished(Event):
    """The call has its outcome. `content` is for the model, `display` for the reader."""

    type: ClassVar[str] = "call_finished"
    batch: int
    id: str
    status: str
    content: str
    display: str
    seconds: float


@dataclass(slots=True, kw_only=True)
class QuestionAsked(Event):
    """Somebody has to answer before the call goes on.

    `kind` is `clarify` or `permission`. A permission question's `choices` are
    once, session, always, no; its `text` says what is asked in one line, `preview` is exactly what
    will run or the diff, `marks` the spans of the preview that made it ask, `details` the reasons, a
    line each, `pattern` what "always" would store.
    """

    type: ClassVar[str] = "question_asked"
    id: str
    kind: str
    call: str
    text: str
    choices: list[str]
    multiple: bool
    preview: str
    position: int
    total: int
    marks: list[tuple[int, int]] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    pattern: str = ""


@dataclass(slots=True, kw_only=True)
class QuestionAnswered(Event):
    """The question is closed. `how` is answered, cancelled or refused; `scope` None for a clarify."""

    type: ClassVar[str] = "question_answered"
    id: str
    how: str
    answer: str
    scope: str | None


@dataclass(slots=True, kw_only=True)
class CheckpointMade(Event):
    """The state before the next effect is safe under `number`.

    `files` is how many paths its calls name, `seconds` what saving took, `not_covered` what it cannot bring
    back and no checkpoint before it said ("big.log (2.1 GB, …)").
    """

    type: ClassVar[str] = "checkpoint_made"
    number: int
    label: str
    files: int
    seconds: float = 0.0
    not_covered: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Heartbeat(Event):
    """Every 5 s while calls run: their ids."""

    type: ClassVar[str] = "heartbeat"
    running: list[str]


@dataclass(slots=True, kw_only=True)
class ContextChanged(Event):
    """How full the model's context is; `limit` and `cost` are None when unknown."""

    type: ClassVar[str] = "context_changed"
    tokens: int
    limit: int | None
    cost: float | None
    compacted: bool


STEERED = "steered"
"""The level of a notice whose text is a message of the user's that the running turn has just been given."""


@dataclass(slots=True, kw_only=True)
class Notice(Event):
    """One line for the user. `level` is info, warning, error or `STEERED`."""

    type: ClassVar[str] = "notice"
    level: str
    text: str


@dataclass(slots=True, kw_only=True)
class BatchFinished(Event):
    """All calls of the batch have ended; `serial_seconds` is what one after another would have taken."""

    type: ClassVar[str] = "batch_finished"
    batch: int
    seconds: float
    serial_seconds: float


@dataclass(slots=True, kw_only=True)
class TurnFinished(Event):
    """Always the last. `reason` is done, interrupted, limit or error; `error` is None or one line."""

    type: ClassVar[str] = "turn_finished"
    reason: str
    error: str | None
