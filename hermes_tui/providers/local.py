"""Finds model servers that run on this machine, on their usual ports. Standard library only."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hermes_tui.providers.models import first_chat_model, read_models

USUAL_PORTS: Final[Mapping[str, int]] = MappingProxyType(
    {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
)
LONGEST_ANSWER: Final = 1_000_000
"""Bytes of a model list that are read at most."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered, with at least one model."""

    name: str
    """What usually listens on its port: "Ollama"."""
    base_url: str
    models: tuple[str, ...]
    model: str
    """The one to take when the user names none."""


def find_local_servers(ports: Mapping[str, int] = USUAL_PORTS, timeout: float = 0.3) -> list[LocalServer]:
    """Return the servers that answer GET /v1/models within `timeout` seconds, in the order of `ports`.

    All ports are asked at once; something else that listens there is not mistaken for a model server.
    """
    deadline = time.monotonic() + timeout
    found: dict[str, LocalServer] = {}
    threads = [
        threading.Thread(target=_ask, args=(name, port, timeout, found), daemon=True)
        for name, port in ports.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    answered = dict(found)
    return [answered[name] for name in ports if name in answered]


def _ask(name: str, port: int, timeout: float, found: dict[str, LocalServer]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        connection.request("GET", "/v1/models", headers={"Accept": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            return
        models = read_models(json.loads(response.read(LONGEST_ANSWER)))
        if models:
            names = tuple(model.id for model in models)
            url = f"http://127.0.0.1:{port}/v1"
            found[name] = LocalServer(name, url, names, first_chat_model(models))
