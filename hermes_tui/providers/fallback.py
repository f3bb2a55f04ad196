"""A second endpoint that answers when the first cannot; only there because the user named one.

It is asked for the one request that failed; the next goes to the first again. Never after something of an
answer was shown, and not for a conversation that is too long: that is made shorter instead.
"""

from __future__ import annotations

from hermes_tui.engine.errors import BrokenAnswer, ContextTooLong, ProviderError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Answer, Provider, Request, Sink


class Fallback:
    """Implements `engine.protocols.Provider` with two."""

    def __init__(self, first: Provider, second: Provider, name: str) -> None:
        self.first = first
        """The one that is asked first."""
        self._second = second
        self._name = name
        """What the user calls the second."""

    @property
    def model(self) -> str:
        """The first one's model."""
        return self.first.model

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        """Ask the first, and the second when the first fails before it said anything."""
        try:
            return self.first.answer(request, sink, token)
        except (BrokenAnswer, ContextTooLong):
            raise
        except ProviderError as error:
            token.raise_if_set()
            sink.notice("warning", f"{error}; the fallback {self._name} answers this one")
            return self._second.answer(request, sink, token)

    def close(self) -> None:
        """Let go of both."""
        self.first.close()
        self._second.close()
