"""The web as the tools see it: pages as text, and searching, by the user's settings."""

from __future__ import annotations

from collections.abc import Mapping

from hermes_tui.config.settings import WebSettings
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.state import WebHit
from hermes_tui.tools.web.backends import engine


class WebAccess:
    """Implements `engine.state.Web`."""

    def __init__(self, settings: WebSettings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._environ = environ

    def page(self, url: str, token: Token) -> str:
        """Return a page as text."""
        from hermes_tui.tools.web.fetch import Fetcher
        from hermes_tui.tools.web.text import text_of

        return text_of(Fetcher(self._settings.allow_private, token).get(url), token)

    def data(self, url: str, token: Token) -> bytes:
        """Return a file as it is."""
        from hermes_tui.tools.web.fetch import Fetcher

        page = Fetcher(self._settings.allow_private, token).get(url)
        if page.cut:
            raise ToolError(f"{url} is too large")
        return page.data

    def search(self, query: str, limit: int, token: Token) -> list[WebHit]:
        """Return what the engine finds."""
        ask, why = engine(self._settings, self._environ)
        if ask is None:
            raise ToolError(f"the search engine {self._settings.search} cannot work: the user has to {why}")
        return ask(query, limit, token)
