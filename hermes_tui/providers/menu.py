"""Who can be switched to in a session: the endpoint's models, the tables of config.toml, servers found here.

Holds the choice that is in force. Decides nothing by itself; the front ends show it, `/model` and
`/provider` change it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes_tui.config.settings import Settings
from hermes_tui.engine.errors import HermesError, UsageError
from hermes_tui.providers.choose import NONE, Brought, Choice, configured, rehearsal, served, with_fallback
from hermes_tui.providers.local import LocalServer
from hermes_tui.providers.models import ModelInfo


class Menu:
    """The choice in force, and the others."""

    def __init__(
        self, choice: Choice, settings: Settings, environ: Mapping[str, str], brought: Brought = NONE
    ) -> None:
        """`brought`: the providers of plugins."""
        self._settings = settings
        self._brought = brought
        self._environ = environ
        self._listed: dict[str, ModelInfo] = {}
        self.offers: Sequence[LocalServer] = ()
        """Model servers that answered on this machine."""
        self.choice = with_fallback(choice, settings, environ, brought)

    def models(self) -> list[str]:
        """Return what can follow `/model`. Asks the endpoint: not for the screen's thread.

        Raises `ProviderError` when it does not list its models and there is nothing else.
        """
        others = [*self._settings.providers, *(offer(server) for server in self.offers)]
        try:
            self._listed = {info.id: info for info in self.choice.list_models()}
        except HermesError:
            if not others:
                raise
        return list(dict.fromkeys([*self._listed, *others]))

    def providers(self) -> list[str]:
        """Return what can follow `/provider`."""
        return [*self._settings.providers, *(offer(server) for server in self.offers), "rehearsal"]

    def model(self, name: str) -> Choice:
        """Return the choice that a name of `models` means, or the endpoint's model of any other name."""
        if name in self._listed or not self._is_provider(name):
            info = self._listed.get(name)
            chosen = self.choice.with_model(name, info.context if info else None)
            return with_fallback(chosen, self._settings, self._environ, self._brought)
        return self.provider(name)

    def provider(self, name: str) -> Choice:
        """Return the choice that a provider's name means; `UsageError` when there is none, or no key."""
        if name == "rehearsal":
            return rehearsal()
        server = next((server for server in self.offers if offer(server) == name), None)
        if server is not None:
            return with_fallback(served(server), self._settings, self._environ, self._brought)
        if name not in self._settings.providers:
            raise UsageError(f"no provider {name!r}; there are {', '.join(self.providers())}")
        chosen = configured(self._settings, name, self._environ, brought=self._brought)
        return with_fallback(chosen, self._settings, self._environ, self._brought)

    def take(self, choice: Choice) -> Choice:
        """Put a choice in force; return the one before it."""
        before, self.choice = self.choice, choice
        self._listed = {}
        return before

    def _is_provider(self, name: str) -> bool:
        return name in self._settings.providers or any(offer(server) == name for server in self.offers)


def offer(server: LocalServer) -> str:
    """Return how a server on this machine is offered."""
    return f"{server.model} ({server.name})"
