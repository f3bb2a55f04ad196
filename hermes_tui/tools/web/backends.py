"""Search engines, each behind one function: query in, hits out. Which one is asked is the user's setting."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from hermes_tui.config.settings import WebSettings
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.state import WebHit
from hermes_tui.text import harmless
from hermes_tui.tools.aside import all_of

PATIENCE: Final = 20.0
"""Seconds for an engine whose own library does the asking."""
MARKS: Final = re.compile(r"</?strong>")
"""How Brave marks the words of the query."""


Ask = Callable[[str, int, Token], list[WebHit]]


def engine(settings: WebSettings, environ: Mapping[str, str]) -> tuple[Ask | None, str]:
    """Return the engine that the settings name, or None and why there is none.

    None named: the first that can work, SearXNG by address, Brave and Tavily by key, ddgs without any.
    """
    brave, tavily = environ.get(settings.brave_env_key, ""), environ.get(settings.tavily_env_key, "")
    ways: dict[str, tuple[bool, str, Ask]] = {
        "searxng": (bool(settings.searxng_url), "set [web] searxng_url", _searxng(settings.searxng_url)),
        "brave": (bool(brave), f"set {settings.brave_env_key}", _brave(settings.brave_url, brave)),
        "tavily": (bool(tavily), f"set {settings.tavily_env_key}", _tavily(settings.tavily_url, tavily)),
        "ddgs": (True, "", _ddgs),
    }
    if settings.search:
        can, why, ask = ways[settings.search]
        return (ask, "") if can else (None, why)
    return next(ask for can, _, ask in ways.values() if can), ""


def _searxng(base: str) -> Ask:
    def ask(query: str, limit: int, token: Token) -> list[WebHit]:
        url = f"{base.rstrip('/')}/search?{urlencode({'q': query, 'format': 'json'})}"
        data = _json(url, {}, token, own=urlsplit(url).netloc)  # the user named it: it may be private
        return hits(data, ("results",), ("title", "url", "content"), limit)

    return ask


def _brave(base: str, key: str) -> Ask:
    def ask(query: str, limit: int, token: Token) -> list[WebHit]:
        url = f"{base}?{urlencode({'q': query, 'count': min(limit, 20)})}"
        headers = {"X-Subscription-Token": key, "Accept": "application/json"}
        data = _json(url, headers, token, own=urlsplit(url).netloc)
        found = hits(data, ("web", "results"), ("title", "url", "description"), limit)
        return [WebHit(_unmarked(hit.title), hit.url, _unmarked(hit.text)) for hit in found]

    return ask


def _tavily(url: str, key: str) -> Ask:
    def ask(query: str, limit: int, token: Token) -> list[WebHit]:
        body = {"query": query, "max_results": limit}
        headers = {"Authorization": f"Bearer {key}"}
        data = _json(url, headers, token, own=urlsplit(url).netloc, body=body)
        return hits(data, ("results",), ("title", "url", "content"), limit)

    return ask


def _unmarked(text: str) -> str:
    """Return the plain text of a title or description that came as HTML."""
    return harmless(html.unescape(MARKS.sub("", text)))


def _ddgs(query: str, limit: int, token: Token) -> list[WebHit]:
    """Ask through the library's own client, in a thread that an interrupt does not wait for."""
    from ddgs import DDGS
    from ddgs.exceptions import DDGSException

    def work() -> list[dict[str, Any]]:
        try:
            return list(DDGS(timeout=int(PATIENCE)).text(query, max_results=limit))
        except DDGSException as error:
            raise ToolError(f"the search engine did not answer: {error}") from None

    (answer,) = all_of([work], token, PATIENCE)
    if isinstance(answer, ToolError):
        raise ToolError(f"{answer}; try again, or the user sets [web] search to another engine")
    return hits(answer, (), ("title", "href", "body"), limit)


def _json(
    url: str, headers: Mapping[str, str], token: Token, own: str = "", body: Mapping[str, Any] | None = None
) -> Any:
    """Return what a search service answers."""
    from hermes_tui.tools.web.fetch import Fetcher

    page = Fetcher([own], token).get(url, headers, None if body is None else json.dumps(body).encode())
    try:
        return json.loads(page.data)
    except (ValueError, RecursionError):
        raise ToolError(f"the search service at {url.partition('?')[0]} sent no JSON") from None


def hits(data: Any, path: tuple[str, ...], names: tuple[str, str, str], limit: int) -> list[WebHit]:
    """Return the hits of an answer; what is not shaped as it should be is left out."""
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    found = []
    for item in data if isinstance(data, list) else []:
        if isinstance(item, dict) and str(item.get(names[1]) or "").startswith(("http://", "https://")):
            title, url, text = (" ".join(harmless(str(item.get(name) or "")).split()) for name in names)
            found.append(WebHit(title, url, text[:400]))
    return found[:limit]
