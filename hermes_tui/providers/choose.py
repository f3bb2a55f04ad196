"""Which provider answers: the one that was named, the one that can be reached, else the rehearsal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hermes_tui.config.settings import ProviderEntry, Settings
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.protocols import MakeProvider, Provider, ProviderTable
from hermes_tui.providers.endpoint import Endpoint, Price
from hermes_tui.providers.fallback import Fallback
from hermes_tui.providers.local import LocalServer
from hermes_tui.providers.models import ModelInfo, known_context
from hermes_tui.providers.openai import OpenAIProvider
from hermes_tui.providers.rehearsal import RehearsalProvider


@dataclass(frozen=True, slots=True)
class Choice:
    """A provider, and where it asks."""

    provider: Provider
    where: Endpoint | None = None
    """None: the rehearsal, which asks nobody, or a plugin's provider."""
    context: int | None = None
    """Tokens its context holds; None: not known."""
    name: str = ""
    """Of its table in config.toml; empty: it has none."""

    @property
    def rehearsing(self) -> bool:
        """Whether no model answers."""
        return isinstance(self.provider, RehearsalProvider)

    @property
    def label(self) -> str:
        """A model's name, or what stands for one on the screen."""
        if self.rehearsing:
            return "rehearsal (no model)"
        if self.where is None:
            return self.provider.model or self.name
        return self.provider.model or "the endpoint's first model"

    def prepare(self) -> None:
        """Get ready in the background for a faster first answer."""
        if (asked := self._asked()) is not None:
            asked.prepare()

    def models(self) -> list[str]:
        """Return the names of what the endpoint lists; asks it. Empty for the rehearsal."""
        return [info.id for info in self.list_models()]

    def list_models(self) -> list[ModelInfo]:
        """Return what the endpoint lists, and what it says of each; asks it."""
        asked = self._asked()
        return asked.list_models() if asked is not None else []

    def with_model(self, model: str, context: int | None = None) -> Choice:
        """Return the same endpoint with another model; `UsageError` for the rehearsal.

        `context`: the tokens that it holds, as its endpoint says. Its price is not that of the old one.
        """
        if self.where is None and not self.rehearsing:
            raise UsageError(f"a plugin answers: set the model in [providers.{self.name}] of config.toml")
        if self.where is None:
            raise UsageError("the rehearsal has no models; set OPENAI_API_KEY or start with --base-url")
        same = model == self.where.model
        where = self.where if same else replace(self.where, model=model, price=None, context=context)
        return endpoint(where, self.name)

    def _asked(self) -> OpenAIProvider | None:
        """Return the endpoint itself, without its fallback."""
        first = self.provider.first if isinstance(self.provider, Fallback) else self.provider
        return first if isinstance(first, OpenAIProvider) else None


Brought = Mapping[str, MakeProvider]
"""The providers of plugins: name → how one is made of its table."""
NONE: Final[Brought] = {}


def choose(settings: Settings, environ: Mapping[str, str], brought: Brought = NONE) -> Choice | None:
    """Return the provider that the settings name, or None when they name none.

    Raises `UsageError` when the named one cannot work (its key is missing).
    """
    if settings.provider == "rehearsal":
        return rehearsal()
    if settings.provider not in (None, "openai"):
        return configured(settings, str(settings.provider), environ, settings.model, brought)
    if settings.provider is None and not (settings.api_key or settings.base_url):
        return None
    if not settings.api_key and not settings.base_url:
        raise UsageError("no key: set OPENAI_API_KEY, or name an endpoint that needs none with --base-url")
    return endpoint(Endpoint(settings.base_url, settings.api_key, settings.model))


def configured(
    settings: Settings, name: str, environ: Mapping[str, str], model: str = "", brought: Brought = NONE
) -> Choice:
    """Return the endpoint of a `[providers.NAME]` table, with another model if one is named.

    Raises `UsageError` for a name without a table, when its key is missing, or its plugin.
    """
    if name not in settings.providers:
        known = ", ".join(settings.providers) or "none"
        raise UsageError(f"no provider {name!r}; config.toml has [providers.NAME] for: {known}")
    entry = settings.providers[name]
    key = environ.get(entry.env_key, "") if entry.env_key else ""
    if entry.env_key and not key:
        raise UsageError(f"provider {name}: set {entry.env_key}, the variable that holds its key")
    if entry.plugin:
        table = ProviderTable(
            name, model or entry.model, entry.base_url, key, entry.headers, entry.idle_timeout
        )
        return Choice(_made(entry.plugin, table, brought), None, entry.context or None, name)
    chosen = endpoint(_where(entry, key), name)
    return chosen.with_model(model) if model else chosen


def _made(plugin: str, table: ProviderTable, brought: Brought) -> Provider:
    """Return the provider that a plugin brings."""
    if plugin not in brought:
        there = f"those that do bring {', '.join(brought)}" if brought else "none brings any"
        raise UsageError(f"provider {table.name}: no plugin brings {plugin!r}; {there}")
    return brought[plugin](table)


def with_fallback(
    choice: Choice, settings: Settings, environ: Mapping[str, str], brought: Brought = NONE
) -> Choice:
    """Return the choice with the fallback that the user asked for, if he did and it is another."""
    name = settings.fallback
    if not name or choice.rehearsing or name == choice.name:
        return choice
    second = configured(settings, name, environ, brought=brought)
    return replace(choice, provider=Fallback(choice.provider, second.provider, name))


def endpoint(where: Endpoint, name: str = "") -> Choice:
    """Return an endpoint as a choice."""
    return Choice(OpenAIProvider(where), where, where.context or known_context(where.model), name)


def served(server: LocalServer) -> Choice:
    """Return a model server of this machine as a choice."""
    return endpoint(Endpoint(server.base_url, "", server.model))


def rehearsal() -> Choice:
    """Return the stand-in that needs no model."""
    return Choice(RehearsalProvider())


def _where(entry: ProviderEntry, key: str) -> Endpoint:
    price = entry.price
    return Endpoint(
        base_url=entry.base_url,
        key=key,
        model=entry.model,
        headers=entry.headers,
        idle_timeout=entry.idle_timeout,
        price=Price(price.input, price.output, price.cached) if price is not None else None,
        written_calls=entry.written_calls,
        images=entry.images,
        context=entry.context or None,
    )
