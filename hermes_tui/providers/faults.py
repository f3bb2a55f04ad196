"""What can go wrong with an endpoint, and the one line that tells the user what to do about it.

Knows no SDK. Text that a server sent is cleaned before it is shown, and keys are taken out.
"""

from __future__ import annotations

import email.utils
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from hermes_tui.redact import redacted
from hermes_tui.text import harmless, one_line

TRANSIENT_STATUS: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
OPTIONAL_FIELDS: Final = ("stream_options", "parallel_tool_calls", "reasoning_content", "reasoning")
"""Request fields that some servers refuse and that a request can do without."""
ALTERNATING_ROLES: Final = "alternating roles"
SHORT_IDS: Final = "short ids"
NO_IMAGES: Final = "no images"
NO_NULL: Final = "no null"
FORMS: Final = {
    ALTERNATING_ROLES: re.compile(
        r"roles? must alternate|alternat\w+ (user|role)|unexpected role|after role", re.I
    ),
    SHORT_IDS: re.compile(r"tool.?call.?id\b.*\b(length|must|invalid)", re.I),
    NO_NULL: re.compile(r"content\b.{0,60}(valid string|must be a string|\bnull\b|\bNone\b)", re.S),
    NO_IMAGES: re.compile(r"\bimages?\b|image_url|image input|vision|multimodal|mmproj", re.I),
}
"""Forms that a server insists on → how its refusal speaks of it."""
SHOWN: Final = 300
"""Cells of a server's own message that are shown."""

ADDRESS = re.compile(r"(?:[\w+.-]+://)?(?:[^/@]*@)?(?P<host>[^/?#]*)(?P<path>[^?#]*)")
"""A base URL, good or bad, as far as it is shown."""


class Kind(StrEnum):
    """What a fault means for the caller."""

    FINAL = "final"
    """Asking again would give the same."""
    TRANSIENT = "transient"
    """Asking again may help."""
    TOO_LONG = "too long"
    """The conversation does not fit into the model's context."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a try failed."""

    text: str
    """One line: what happened and what to do."""
    kind: Kind = Kind.FINAL
    retry_after: float | None = None
    """Seconds that the server asks to wait; None when it did not say."""
    fields: frozenset[str] = frozenset()
    """Those of OPTIONAL_FIELDS that a refusal names."""
    tries: int = 4
    """How many tries this kind of fault is worth."""
    forms: frozenset[str] = frozenset()
    """Those of FORMS that a refusal may be about."""
    limit: int | None = None
    """Tokens that the context holds, as a refusal of a conversation that is too long says."""


@dataclass(frozen=True, slots=True)
class Place:
    """The endpoint as faults speak of it."""

    base_url: str
    model: str = ""
    key: str = ""

    @property
    def host(self) -> str:
        """Host and port, never the user or password of the URL."""
        match = ADDRESS.match(self.base_url)
        return clean_line(match["host"] or match["path"] if match else self.base_url)

    @property
    def path(self) -> str:
        """The path of the URL, without a slash at its end."""
        match = ADDRESS.match(self.base_url)
        return match["path"].rstrip("/") if match else ""


def clean(text: str, place: Place) -> str:
    """Return a server's text as one short printable line without keys."""
    return clean_line(redacted(text[: 8 * SHOWN], [place.key]))


def clean_line(text: str) -> str:
    """Return a text as one short printable line."""
    return one_line(" ".join(harmless(text[: 4 * SHOWN]).split()), SHOWN)


def from_status(status: int, body: Any, headers: Mapping[str, str], place: Place) -> Fault:
    """Return the fault of an HTTP error; `body` is the decoded JSON, or text, or None."""
    message, code = _message(body), _code(body)
    fault = _of_code(code, message, place) or _of_status(status, message, place)
    return replace(
        fault,
        retry_after=_retry_after(headers),
        fields=_named(body, message) if 400 <= status < 500 else frozenset(),
        forms=_forms(message) if status not in (401, 403, 429) else frozenset(),
        limit=_limit(body, message) if fault.kind is Kind.TOO_LONG else None,
    )


def from_stream(body: Any, place: Place) -> Fault:
    """Return the fault of an error object that came inside a 200 stream."""
    message, code = _message(body), _code(body)
    fault = _of_code(code, message, place)
    if fault is None and code.isdigit():
        fault = _of_status(int(code), message, place)
    if fault is None and "invalid_request" in code:
        fault = Fault(f"{place.host} refused the request: {clean(message, place)}")
    if fault is not None and fault.kind is Kind.TOO_LONG:
        return replace(fault, limit=_limit(body, message))
    said = clean(message, place) or "an error without a message"
    return fault or Fault(f"{place.host} broke off with an error: {said}", Kind.TRANSIENT)


def from_exception(error: BaseException, place: Place, proxy: str | None) -> Fault:
    """Return the fault of an exception between us and the server: address, network, TLS, proxy, protocol."""
    chain = list(_chain(error))
    names = {type(link).__name__ for link in chain}
    via = f" through the proxy {_without_user(proxy)}" if proxy else ""
    host = place.host
    if certificate := next((link for link in chain if isinstance(link, ssl.SSLCertVerificationError)), None):
        why = certificate.verify_message or "not trusted"
        return Fault(
            f"the certificate of {host} is not accepted ({why}); set SSL_CERT_FILE to your CA's file"
        )
    if any(isinstance(link, ssl.SSLError) for link in chain):
        return Fault(
            f"{host} does not speak TLS as expected; check whether its base URL is http:// or https://"
        )
    if any(isinstance(link, ImportError) for link in chain):
        return Fault(f"a SOCKS proxy needs the package socksio: pip install socksio, or set NO_PROXY={host}")
    if names & {"InvalidURL", "UnsupportedProtocol"}:
        return Fault(f"the base URL {host!r} is no http:// or https:// address")
    if any(isinstance(link, UnicodeEncodeError) for link in chain) or "LocalProtocolError" in names:
        return Fault(
            f"the key or a header for {host} holds a character that HTTP cannot carry; check it for one"
        )
    if any(isinstance(link, socket.gaierror) for link in chain):
        return Fault(f"the name {host} is not known{via}; check the base URL and the network")
    if "ProxyError" in names:
        return Fault(f"the proxy does not let us to {host}{via}; check it, or set NO_PROXY={host}")
    if any(isinstance(link, ConnectionRefusedError) for link in chain):
        return Fault(f"nothing listens at {host}{via}; start the server, or check the base URL")
    if names & {"ConnectTimeout", "ConnectError"}:
        return Fault(f"no connection to {host}{via}; check the network", Kind.TRANSIENT, tries=2)
    return Fault(f"the connection to {host}{via} broke off", Kind.TRANSIENT)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception, its causes, and the members of groups among them."""
    waiting, seen = [error], set[int]()
    while waiting:
        link = waiting.pop(0)
        if id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        waiting += [cause for cause in (link.__cause__, link.__context__) if cause is not None]
        waiting += link.exceptions if isinstance(link, BaseExceptionGroup) else ()


def _without_user(proxy: str | None) -> str:
    return (proxy or "").rpartition("@")[2].rpartition("://")[2]


def _of_status(status: int, message: str, place: Place) -> Fault:
    said = clean(message, place)
    because = f": {said}" if said else ""
    host = place.host
    if status == 401:
        return Fault(f"{host} does not accept the API key (401); check OPENAI_API_KEY or env_key{because}")
    if status == 403:
        return Fault(
            f"{host} refuses access (403); check that the key may use {place.model or 'this model'}{because}"
        )
    if status == 404:
        return Fault(_not_found(place, said))
    if status in (400, 413, 422) and _too_long(message):
        return Fault(f"the conversation is too long for {place.model or 'the model'}{because}", Kind.TOO_LONG)
    if status == 429:
        return Fault(f"{host} is limiting requests (429){because}", Kind.TRANSIENT)
    if status in TRANSIENT_STATUS or status >= 500:
        return Fault(f"{host} has a problem ({status}){because}", Kind.TRANSIENT)
    return Fault(f"{host} refused the request ({status}){because}")


def _of_code(code: str, message: str, place: Place) -> Fault | None:
    """Return the fault for codes that mean more than their status."""
    said = clean(message, place)
    because = f": {said}" if said else ""
    if "insufficient_quota" in code or "billing" in code:
        return Fault(f"the account at {place.host} has no quota left; check its plan and billing{because}")
    if "context_length" in code or "context_size" in code or (_too_long(message) and "rate" not in code):
        return Fault(f"the conversation is too long for {place.model or 'the model'}{because}", Kind.TOO_LONG)
    if "invalid_api_key" in code:
        return _of_status(401, message, place)
    if "model_not_found" in code:
        return _of_status(404, message, place)
    return None


def _not_found(place: Place, said: str) -> str:
    because = f": {said}" if said else ""
    path = place.path
    if "model" in said.lower():
        return f"{place.host} has no model {place.model!r} (404); see /model for those it has{because}"
    hint = "" if path.endswith("/v1") else "; its base URL probably ends in /v1"
    return f"nothing answers at {place.host}{path} (404); check the base URL{hint}{because}"


def _too_long(message: str) -> bool:
    low = message.lower()
    return any(
        phrase in low
        for phrase in (
            "context length",
            "context_length",
            "context window",
            "context size",
            "prompt is too long",
            "maximum context",
            "number of tokens allowed",
            "input is too long",
            "reduce the length of the messages",
        )
    )


LIMIT = re.compile(
    r"(?:context length is|context (?:length|size|window)\D{1,12}|tokens allowed \(|> )\s*(?P<limit>\d{3,})",
    re.I,
)


def _limit(body: Any, message: str) -> int | None:
    """Return the tokens that the context holds, as far as the server says."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    told = inner.get("n_ctx") if isinstance(inner, Mapping) else None
    if isinstance(told, int) and told > 0:
        return told
    found = LIMIT.search(message.replace(",", ""))
    return int(found["limit"]) if found else None


def _forms(message: str) -> frozenset[str]:
    return frozenset(name for name, pattern in FORMS.items() if pattern.search(message))


def _message(body: Any) -> str:
    """Return the words of an error, wherever the server put them."""
    if isinstance(body, str):
        return "" if body.lstrip()[:1] == "<" else body  # a web page says nothing
    if not isinstance(body, Mapping):
        return ""
    inner = body.get("error", body)
    if isinstance(inner, str):
        return inner
    if isinstance(inner, Mapping):
        for key in ("message", "detail", "error", "msg"):
            if isinstance(inner.get(key), str):
                return str(inner[key])
    return ""


def _code(body: Any) -> str:
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    if not isinstance(inner, Mapping):
        return ""
    values = [inner.get("code"), inner.get("type"), inner.get("status")]
    return " ".join(str(v) for v in values if isinstance(v, str | int)) if values else ""


def _named(body: Any, message: str) -> frozenset[str]:
    """Return the optional request fields that a refusal names."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    param = str(inner.get("param")) if isinstance(inner, Mapping) else ""
    text = f"{param} {message}" + (str(inner.get("detail", "")) if isinstance(inner, Mapping) else "")
    return frozenset(name for name in OPTIONAL_FIELDS if re.search(rf"\b{name}\b", text))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After` (a number or a date) or `retry-after-ms`."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "")
        try:
            return max(0.0, float(value))
        except ValueError:
            return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
