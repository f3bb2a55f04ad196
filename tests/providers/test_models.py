"""Model lists of every server are read; the one to take is one that chats."""

from __future__ import annotations

from typing import Any

import pytest

from hermes_tui.providers.models import ModelInfo, first_chat_model, known_context, read_models


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({"data": [{"id": "a"}, {"id": "b"}]}, [ModelInfo("a"), ModelInfo("b")]),
        ([{"id": "a"}], [ModelInfo("a")]),
        ({"data": [{"id": "a", "max_model_len": 4096}]}, [ModelInfo("a", 4096)]),
        ({"data": [{"id": "a", "context_length": 8192}]}, [ModelInfo("a", 8192)]),
        ({"data": [{"id": "gpt-4o-mini"}]}, [ModelInfo("gpt-4o-mini", 128_000)]),
        ({"data": None}, []),
        ({"data": ["a", {"name": "b"}, {"id": 7}]}, []),
        ("hello", []),
        (None, []),
    ],
)
def test_a_list_of_models_is_read(payload: Any, expected: list[ModelInfo]) -> None:
    assert read_models(payload) == expected


def test_the_first_model_that_chats_is_taken() -> None:
    names = ["text-embedding-nomic", "qwen", "llama"]
    assert first_chat_model([ModelInfo(name) for name in names]) == "qwen"
    assert first_chat_model([ModelInfo("text-embedding-nomic")]) == "text-embedding-nomic"
    assert first_chat_model([]) == ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("anthropic/claude-sonnet-9", 200_000), ("GPT-4.1-mini", 1_047_576), ("my-own", None), ("", None)],
)
def test_what_well_known_models_hold(name: str, expected: int | None) -> None:
    assert known_context(name) == expected
