"""A plugin's model provider behind a guard: whatever it raises is one line for the user."""

from __future__ import annotations

from contextlib import suppress

from hermes_tui.engine.errors import HermesError, ProviderError, UsageError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import one_line
from hermes_tui.engine.protocols import Answer, MakeProvider, Provider, ProviderTable, Request, Sink


class Guarded:
    """Implements `engine.protocols.Provider` around one."""

    def __init__(self, name: str, provider: Provider) -> None:
        self._name = name
        self._provider = provider

    @property
    def model(self) -> str:
        """The model's name; empty when it says none."""
        try:
            return str(self._provider.model)
        except Exception:  # foreign code, asked for a word on the screen
            return ""

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        """Ask it."""
        try:
            return self._provider.answer(request, sink, token)
        except HermesError:
            raise
        except (Exception, SystemExit) as error:
            raise ProviderError(f"the provider {self._name} failed: {one_line(error)}") from error

    def close(self) -> None:
        """Let go of it, whatever it says."""
        with suppress(Exception):
            self._provider.close()


def guarded(make: MakeProvider) -> MakeProvider:
    """Return the same, but for what goes wrong: then it is a `UsageError`."""

    def made(table: ProviderTable) -> Provider:
        try:
            return Guarded(table.name, make(table))
        except HermesError:
            raise
        except (Exception, SystemExit) as error:
            raise UsageError(f"provider {table.name}: its plugin failed: {one_line(error)}") from None

    return made
