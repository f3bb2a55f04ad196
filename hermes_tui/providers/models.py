"""What an endpoint says of its models, and how much the well-known ones hold. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

CONTEXT_FIELDS: Final = ("context_length", "max_model_len", "max_context_length", "context_window")
"""Where servers (OpenRouter, vLLM, LM Studio, Groq) write the size of the context."""

KNOWN_CONTEXTS: Final = (
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-5", 400_000),
    ("o3", 200_000),
    ("o4-mini", 200_000),
    ("claude", 200_000),
    ("gemini", 1_048_576),
    ("deepseek", 128_000),
    ("mistral-large", 128_000),
)
"""Starts of names without their vendor, and the tokens that such a model holds."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model of an endpoint."""

    id: str
    context: int | None = None
    """Tokens it holds; None: not known."""


def read_models(payload: Any) -> list[ModelInfo]:
    """Return the models of a GET /models answer, in its order; entries without a name are left out."""
    data = payload.get("data") if isinstance(payload, Mapping) else payload
    entries = data if isinstance(data, list) else []
    return [_info(entry) for entry in entries if isinstance(entry, Mapping) and _name(entry)]


def read_vectors(payload: Any) -> list[list[float]]:
    """Return the vectors of a POST /embeddings answer, by their index; empty when it is none."""
    data = payload.get("data") if isinstance(payload, Mapping) else None
    entries = [entry for entry in data if isinstance(entry, Mapping)] if isinstance(data, list) else []
    entries.sort(key=lambda entry: index if isinstance(index := entry.get("index"), int) else 0)
    vectors = [entry.get("embedding") for entry in entries]
    return [[float(each) for each in vector] for vector in vectors if _is_vector(vector)]


def _is_vector(value: Any) -> TypeGuard[list[float]]:
    return isinstance(value, list) and bool(value) and all(isinstance(each, int | float) for each in value)


def first_chat_model(models: Sequence[ModelInfo]) -> str:
    """Return the first model, passing over those that by their name only embed; empty if there is none."""
    chats = [model for model in models if "embed" not in model.id.lower()]
    return (chats or list(models))[0].id if models else ""


def known_context(model: str) -> int | None:
    """Return the tokens that a well-known model holds, by its name; None: not known."""
    name = model.lower().rpartition("/")[2]
    return next((size for start, size in KNOWN_CONTEXTS if name.startswith(start)), None)


def _name(entry: Mapping[str, Any]) -> str:
    return entry["id"] if isinstance(entry.get("id"), str) else ""


def _info(entry: Mapping[str, Any]) -> ModelInfo:
    name = _name(entry)
    sizes = (entry.get(field) for field in CONTEXT_FIELDS)
    told = next((size for size in sizes if isinstance(size, int) and size > 0), None)
    return ModelInfo(name, told or known_context(name))
