"""Which provider answers: the one that was named, the one that can be reached, else the rehearsal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hermes_tui.config.settings import Settings
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.protocols import Provider
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.local import LocalServer
from hermes_tui.providers.models import known_context
from hermes_tui.providers.openai import OpenAIProvider
from hermes_tui.providers.rehearsal import RehearsalProvider


@dataclass(frozen=True, slots=True)
class Choice:
    """A provider, and where it asks."""

    provider: Provider
    where: Endpoint | None = None
    """None: the rehearsal, which asks nobody."""
    context: int | None = None
    """Tokens its context holds; None: not known."""

    @property
    def rehearsing(self) -> bool:
        """Whether no model answers."""
        return self.where is None

    @property
    def label(self) -> str:
        """A model's name, or what stands for one on the screen."""
        if self.where is None:
            return "rehearsal (no model)"
        return self.provider.model or "the endpoint's first model"

    def prepare(self) -> None:
        """Get ready in the background for a faster first answer."""
        if isinstance(self.provider, OpenAIProvider):
            self.provider.prepare()

    def models(self) -> list[str]:
        """Return what the endpoint lists; asks it. Empty for the rehearsal."""
        if isinstance(self.provider, OpenAIProvider):
            return [info.id for info in self.provider.list_models()]
        return []

    def with_model(self, name: str) -> Choice:
        """Return the same endpoint with another model; `UsageError` for the rehearsal."""
        if self.where is None:
            raise UsageError("the rehearsal has no models; set OPENAI_API_KEY or start with --base-url")
        return endpoint(replace(self.where, model=name))


def choose(settings: Settings, environ: Mapping[str, str]) -> Choice | None:
    """Return the provider that the settings name, or None when they name none.

    Raises `UsageError` when the named one cannot work (its key is missing).
    """
    if settings.provider == "rehearsal":
        return rehearsal()
    if settings.provider not in (None, "openai"):
        return configured(settings, str(settings.provider), environ)
    if settings.provider is None and not (settings.api_key or settings.base_url):
        return None
    if not settings.api_key and not settings.base_url:
        raise UsageError("no key: set OPENAI_API_KEY, or name an endpoint that needs none with --base-url")
    return endpoint(Endpoint(settings.base_url, settings.api_key, settings.model))


def configured(settings: Settings, name: str, environ: Mapping[str, str]) -> Choice:
    """Return the endpoint of a `[providers.NAME]` table."""
    entry = settings.providers[name]
    key = environ.get(entry.env_key, "") if entry.env_key else ""
    if entry.env_key and not key:
        raise UsageError(f"provider {name}: set {entry.env_key}, the variable that holds its key")
    model = settings.model or entry.model
    where = Endpoint(entry.base_url, key, model, entry.headers, entry.idle_timeout)
    return endpoint(where, entry.context or None)


def endpoint(where: Endpoint, context: int | None = None) -> Choice:
    """Return an endpoint as a choice."""
    return Choice(OpenAIProvider(where), where, context or known_context(where.model))


def served(server: LocalServer) -> Choice:
    """Return a model server of this machine as a choice."""
    return endpoint(Endpoint(server.base_url, "", server.model))


def rehearsal() -> Choice:
    """Return the stand-in that needs no model."""
    return Choice(RehearsalProvider())
