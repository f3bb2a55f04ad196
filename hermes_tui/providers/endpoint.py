"""Which endpoint is asked, and what has been learnt of its habits. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

OPENAI_URL = "https://api.openai.com/v1"


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
