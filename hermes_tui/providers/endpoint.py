"""Which endpoint is asked, and what has been learnt of its habits. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes_tui.engine.messages import Usage

OPENAI_URL = "https://api.openai.com/v1"
A_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What the user says a model costs, for a million tokens each."""

    input: float
    output: float
    cached: float | None = None
    """For input that the server had in its cache; None: as other input."""

    def of(self, usage: Usage | None) -> float | None:
        """Return what a request cost; None when the server did not count."""
        if usage is None:
            return None
        cached = self.input if self.cached is None else self.cached
        fresh = (usage.input - usage.cached) * self.input
        return (fresh + usage.cached * cached + usage.output * self.output) / A_MILLION


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One OpenAI-compatible endpoint, as the settings name it."""

    base_url: str = ""
    """With its `/v1`; empty: OpenAI's own."""
    key: str = field(default="", repr=False)
    """Empty: it needs none. Never shown."""
    model: str = ""
    """Empty: the first that it lists."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with every request."""
    idle_timeout: float = 120.0
    """Seconds without a byte from the server after which a try is given up."""
    price: Price | None = None
    """None: not known."""
    written_calls: bool | None = None
    """Whether calls that the model writes into its text count. None: until the server sends a real one."""
    images: bool = True
    """Whether pictures are sent; a server that refuses them is not sent any more either way."""
    context: int | None = None
    """Tokens that its model holds, as the user says; None: not known."""

    @property
    def url(self) -> str:
        """Where it answers."""
        return (self.base_url or OPENAI_URL).strip().rstrip("/")


@dataclass(slots=True)
class Habits:
    """What this endpoint's answers have taught; kept as long as the provider lives."""

    refused: set[str] = field(default_factory=set)
    """Optional request fields that it does not take."""
    reasoning_field: str = ""
    """The field in which it sent its thinking along with calls, and wants it back; empty: it does not."""
    taught: set[str] = field(default_factory=set)
    """Forms that it insists on (`faults.FORMS`)."""
    sends_calls: bool = False
    """Whether it has sent a call as one: then text is text."""
