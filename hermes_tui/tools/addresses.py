"""Whether an address or a host's name lies in this machine's own network. Looks nothing up."""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import Final

NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that carry an IPv4 one."""

LOCAL_NAMES: Final = ("localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback")
LOCAL_ENDS: Final = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
NUMBERS: Final = re.compile(r"(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+)){0,3}")
"""What a C library reads as an IPv4 address: `127.0.0.1`, and also `127.1`, `2130706433`, `0x7f.1`."""


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
    return ip.is_global and not ip.is_multicast


def looks_private(host: str) -> bool:
    """Whether a host's name alone says that it is in this machine's own network."""
    name = host.strip("[]").rstrip(".").casefold()
    if name in LOCAL_NAMES or name.endswith(LOCAL_ENDS):
        return True
    if ":" in name:
        return not is_public(name)
    if NUMBERS.fullmatch(name):
        try:
            return not is_public(socket.inet_ntoa(socket.inet_aton(name)))
        except OSError:
            return True
    return "." not in name
