"""Puts an external memory together from the settings: which provider, with which vectors, kept where.

Asks nobody and opens nothing: that is left to its first use.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hermes_tui.config.paths import private_folder
from hermes_tui.config.settings import Settings
from hermes_tui.engine.recall import ExternalMemory, MemoryPlace, MemoryProvider, NoMemory, OpenMemory
from hermes_tui.plugins import vectors
from hermes_tui.plugins.external import External
from hermes_tui.providers.choose import configured
from hermes_tui.providers.embeddings import Embedder
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.start import Start

SHIPPED: Final = "lancedb"


class Remembering:
    """Made once a run. `memory` is what the engine and the tools get."""

    def __init__(
        self,
        start: Start,
        settings: Settings,
        brought: Mapping[str, OpenMemory],
        notice: Callable[[str, str], None],
        answering: Callable[[], Endpoint | None],
    ) -> None:
        """`brought`: the memory providers of plugins; `answering`: the endpoint that answers now, if any."""
        self._start = start
        self._settings = settings
        self._answering = answering
        self._notice = notice
        self._known: dict[str, OpenMemory] = {SHIPPED: vectors.LanceMemory, **brought}
        asked = settings.memory
        self._embedder = Embedder(self._endpoint, asked.embedding_model, asked.timeout)
        self._external: External | None = None
        if not self.lacking():
            self._external = External(asked, self._open, notice, patient=start.headless)
        self.memory: ExternalMemory = self._external or NoMemory()

    @property
    def name(self) -> str:
        """Which provider is configured; empty: none."""
        return self._settings.memory.provider

    @property
    def trouble(self) -> str:
        """Why it does not work at the moment; empty when it does, or was not used yet."""
        return self._external.trouble if self._external is not None else self.lacking() or ""

    def lacking(self) -> str | None:
        """Return why there is no external memory, or None."""
        name = self.name
        if not name:
            return "off: set provider in [memory] of config.toml"
        if name not in self._known:
            return f"no memory provider {name!r}; there are {', '.join(self._known)}"
        if name == SHIPPED and not self._settings.memory.embedding_model:
            return "set embedding_model in [memory] of config.toml"
        return vectors.lacking() if name == SHIPPED else None

    def begin(self) -> None:
        """Tell, by notice, of one that is configured and cannot work."""
        if self.name and (why := self.lacking()):
            self._notice("warning", f"external memory is off: {why}")

    def close(self) -> None:
        """Wait a little for what is still to be kept, then let go."""
        if self._external is not None:
            self._external.close()
            self._embedder.close()

    @property
    def folder(self) -> Path:
        """Where the provider keeps what belongs to this project."""
        project = str(self._start.project or self._start.folder)
        key = hashlib.sha256(project.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return self._start.places.memory / "external" / self.name / key

    def _open(self) -> MemoryProvider:
        """Open the provider in its own folder for this project."""
        place = MemoryPlace(
            private_folder(self.folder), self._embedder, self._settings.memory.embedding_model
        )
        return self._known[self.name](place)

    def _endpoint(self) -> Endpoint | None:
        """Return the endpoint that makes vectors."""
        named = self._settings.memory.embedding_provider
        if not named:
            return self._answering()
        choice = configured(self._settings, named, self._start.environ)
        choice.provider.close()
        return choice.where
