"""Takes keys out of a text that leaves the program: error lines, exports. Knows their common shapes.

What is kept on this machine for the model stays as it is. Imports the standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

SHAPES: Final = (
    r"\b(?:sk|gsk|xai|key|pk|rk)-[\w*.-]{6,}",  # model providers
    r"\b(?:sk|pk|rk)_(?:live|test)_[0-9A-Za-z]{10,}|\bgsk_[0-9A-Za-z]{20,}",
    r"\bgh[opusr]_[0-9A-Za-z]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}",
    r"\bxox[abeoprs]-[\w-]{10,}",
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}",
    r"\bhf_[0-9A-Za-z]{20,}|\bnpm_[0-9A-Za-z]{30,}|\bpypi-[\w-]{40,}|\bdop_v1_[0-9a-f]{40,}",
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}",  # a signed token
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
)
TOKEN: Final = re.compile("|".join(SHAPES))
NAMED: Final = re.compile(
    r"(?i)(?P<name>\bbearer |authorization: *(?:basic|token) "
    r"|\b\w{0,60}(?:api_?key|secret|token|passw(?:or)?d)\w{0,20}(?:\"? *[:=] *)\"?)(?P<value>[^\s\"',;]{8,})"
)
"""A name that says that a key follows, and the key."""
URL: Final = re.compile(
    r"(?P<name>\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,100}:)(?P<value>[^\s/@]{1,200})(?=@)"
)
"""A password in an address."""
HIDDEN: Final = "[key]"


def redacted(text: str, known: Iterable[str] = ()) -> str:
    """Return the text without keys: the `known` ones, and what has the shape of one."""
    for key in known:
        text = text.replace(key, HIDDEN) if key else text
    text = TOKEN.sub(HIDDEN, text)
    text = NAMED.sub(rf"\g<name>{HIDDEN}", text)
    return URL.sub(rf"\g<name>{HIDDEN}", text)


def redacted_value(value: Any) -> Any:
    """Return plain data of any depth with every text in it redacted."""
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, Mapping):
        return {key: redacted_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [redacted_value(each) for each in value]
    return value
