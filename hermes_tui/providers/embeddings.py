"""Makes vectors of texts at an endpoint, for an external memory. Asks once and waits a little: no retries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hermes_tui.engine.errors import ProviderError
from hermes_tui.engine.interrupt import Token
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.openai import OpenAIProvider


class Embedder:
    """Implements `engine.recall.Embed`. For one thread; `close` for any.

    It has a connection of its own: that of the provider goes with the provider, this one may outlive it for
    what is still to be kept.
    """

    def __init__(self, where: Callable[[], Endpoint | None], model: str, timeout: float) -> None:
        """`where`: the endpoint that is in force now; None: nobody can be asked."""
        self._where = where
        self._model = model
        self._timeout = timeout
        self._asked: Endpoint | None = None
        self._provider: OpenAIProvider | None = None
        self._token = Token()

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text; `ProviderError` says what to do."""
        if not self._model:
            raise ProviderError("set embedding_model in [memory] of config.toml")
        return self._ready().embed(texts, self._token)

    def close(self) -> None:
        """Stop what runs, let go of the connection."""
        self._token.force("closed")
        if self._provider is not None:
            self._provider.close()

    def _ready(self) -> OpenAIProvider:
        """Return the provider for the endpoint in force."""
        where = self._where()
        if where is None:
            raise ProviderError(
                "who answers makes no vectors; name an endpoint in [memory] embedding_provider"
            )
        if self._provider is None or where != self._asked:
            if self._provider is not None:
                self._provider.close()
            self._asked = where
            self._provider = OpenAIProvider(replace(where, model=self._model, idle_timeout=self._timeout))
        return self._provider
