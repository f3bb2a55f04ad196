"""Which proxy the environment names for a URL. Standard library only.

Desktops set `ALL_PROXY=socks://…`, a scheme that HTTP libraries do not know; it means SOCKS5. This machine
itself is never asked through a proxy.
"""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from hermes_tui.engine.errors import ProviderError

SCHEMES: Final = {name: name for name in ("http", "https", "socks5", "socks5h")} | {"socks": "socks5"}


def proxy_for(url: str) -> str | None:
    """Return the proxy's URL, or None for a direct connection.

    Raises `ProviderError` for a proxy of a kind that cannot be used, and for a URL that is none.
    """
    try:
        target = urlsplit(url)
        host, port = target.hostname or "", target.port
    except ValueError as error:
        raise ProviderError(f"the base URL is no address: {error}") from None
    proxies = getproxies()
    proxy = (proxies.get(target.scheme) or proxies.get("all") or "").strip()
    if not proxy or _is_loopback(host) or proxy_bypass(host) or _listed(host, port, proxies.get("no", "")):
        return None
    scheme, _, rest = proxy.rpartition("://")
    known = SCHEMES.get(scheme.lower() or "http")
    if known is None:
        raise ProviderError(
            f"HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names a proxy of kind {scheme!r}; "
            f"use an http, https or socks5 proxy, or set NO_PROXY={host}"
        )
    return f"{known}://{rest}"


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def _listed(host: str, port: int | None, exceptions: str) -> bool:
    """Whether NO_PROXY names the host: itself, a parent domain, with its port, or as a network."""
    return any(
        _matches(entry.strip().lower(), host, port) for entry in exceptions.split(",") if entry.strip()
    )


def _matches(entry: str, host: str, port: int | None) -> bool:
    if entry == "*":
        return True
    address = _address(host)
    if address is not None and "/" in entry:
        try:
            return address in ipaddress.ip_network(entry, strict=False)
        except ValueError:
            return False
    name, colon, entry_port = entry.rpartition(":") if entry.count(":") == 1 else (entry, "", "")
    if colon and entry_port != str(port):
        return False
    name = name.strip("[]").removeprefix("*").lstrip(".")
    return host == name or host.endswith(f".{name}")


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
