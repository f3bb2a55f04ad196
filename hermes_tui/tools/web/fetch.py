"""Gets one web page, within limits of size and time, each redirect checked like the first address."""

from __future__ import annotations

import time
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpcore

from hermes_tui import __version__
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.tools.web.guard import GuardedBackend

MOST_HOPS: Final = 5
LARGEST: Final = 10_000_000
"""Bytes of one page, as they are after unpacking."""
LONGEST: Final = 30.0
"""Seconds for one page, redirects included."""
REDIRECTS: Final = (301, 302, 303, 307, 308)
HEADERS: Final = {
    "User-Agent": f"hermes-tui/{__version__}",
    "Accept": "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}


@dataclass(frozen=True, slots=True)
class Page:
    """What a server sent."""

    url: str
    """Where it really came from."""
    media: str
    """Its media type without parameters, in small letters."""
    charset: str
    """As the server said; empty when it did not."""
    data: bytes
    cut: bool
    """Whether there was more."""


class Fetcher:
    """Gets pages for one call."""

    def __init__(self, allowed: Collection[str], token: Token) -> None:
        """`allowed`: private hosts, or `host:port`, that may be asked."""
        self._allowed = allowed
        self._token = token

    def get(self, url: str, headers: Mapping[str, str] | None = None, body: bytes | None = None) -> Page:
        """Return the page at the end of the redirects; `ToolError` says why there is none.

        With a body (JSON) it is posted; a redirect is then followed without it.
        """
        backend = GuardedBackend(self._allowed, self._token, time.monotonic() + LONGEST)
        with httpcore.ConnectionPool(network_backend=backend) as pool:
            for _ in range(MOST_HOPS + 1):
                check(url)
                found = _ask(pool, url, {**HEADERS, **(headers or {})}, body)
                if isinstance(found, Page):
                    return found
                if urlsplit(found).netloc != urlsplit(url).netloc:
                    headers = None  # what was meant for one host is not for another
                url, body = found, None
        raise ToolError(f"{url}: more than {MOST_HOPS} redirects")


def check(url: str) -> None:
    """Raise `ToolError` for an address that is none of the web's."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        raise ToolError(f"{url} is no web address: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise ToolError(f"{url}: only http:// and https:// addresses can be read")
    if not host:
        raise ToolError(f"{url} names no host")
    if parts.username is not None or parts.password is not None:
        raise ToolError(f"{host}: an address with a user name or password in it is not asked")


def _ask(
    pool: httpcore.ConnectionPool, url: str, headers: Mapping[str, str], body: bytes | None
) -> Page | str:
    """Return the page, or where the server sends us."""
    method = "GET" if body is None else "POST"
    sent = list({**headers, **({} if body is None else {"Content-Type": "application/json"})}.items())
    try:
        target = url.partition("#")[0].encode("ascii")
        with pool.stream(method, target, headers=sent, content=body) as response:
            got = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in response.headers}
            if response.status in REDIRECTS and got.get("location"):
                return urljoin(url, got["location"])
            if response.status >= 400:
                raise ToolError(f"{url}: the server answered {response.status}{_words(response.status)}")
            data, cut = _body(response, got.get("content-encoding", ""))
    except UnicodeEncodeError:
        raise ToolError(f"{url}: an address is ASCII; write other characters as %XX") from None
    except (httpcore.ProtocolError, httpcore.NetworkError, httpcore.TimeoutException) as error:
        raise ToolError(f"{url}: the server broke off: {error}") from None
    media, _, rest = got.get("content-type", "").partition(";")
    charset = rest.partition("charset=")[2].strip("\"' ").partition(";")[0]
    return Page(url, media.strip().lower(), charset, data, cut)


def _body(response: httpcore.Response, encoding: str) -> tuple[bytes, bool]:
    """Return the body as it is after unpacking, no more than fits: a small packet may unpack to anything."""
    unpack = (
        zlib.decompressobj(zlib.MAX_WBITS | 32) if encoding.strip().lower() in ("gzip", "deflate") else None
    )
    data = bytearray()
    try:
        for piece in response.iter_stream():
            room = LARGEST - len(data)
            data += unpack.decompress(piece, room + 1) if unpack else piece[: room + 1]
            if len(data) > LARGEST:
                return bytes(data[:LARGEST]), True
    except zlib.error as error:
        raise ToolError(f"what the server sent cannot be unpacked: {error}") from None
    return bytes(data), False


def _words(status: int) -> str:
    said = {
        401: "it wants a login",
        403: "it refuses",
        404: "no such page",
        410: "gone",
        429: "too many requests",
    }
    return f" ({said[status]})" if status in said else ""
