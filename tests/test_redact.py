"""Keys and passwords are taken out of what leaves the program; words that only look a little alike stay."""

from __future__ import annotations

import time

import pytest

from hermes_tui.redact import redacted, redacted_value

KEYS = [
    "sk-TESTKEY123", "sk-proj-abcDEF_123-456", "sk_" + "live_" + "0123456789abcdef", "gsk_" + "aB3" * 10,
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1B2_" * 8, "glpat-" + "x" * 20, "xoxb-" + "1234567890-abc", "AKIA" + "ABCDEFGHIJKLMNOP",
    "AIza" + "a" * 35,
    "hf_" + "a" * 30, "npm_" + "b" * 36, "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_taken_out_wherever_it_stands(key: str) -> None:
    for text in ("{}", "x={} y", '"{}"', "at the end {}.", "a\n{}\nb"):
        assert key not in redacted(text.format(key)), text
        assert "[key]" in redacted(text.format(key))


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abcdefgh12345", "Authorization: Bearer [key]"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: Basic [key]"),
        ("DB_PASSWORD=correcthorse", "DB_PASSWORD=[key]"),
        ('{"api_key": "0123456789"}', '{"api_key": "[key]"}'),
        ("postgres://me:hunter22@db/x", "postgres://me:[key]@db/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "[key]"),
    ],
)
def test_a_name_that_says_so_gives_the_key_away(text: str, clean: str) -> None:
    assert redacted(text) == clean


@pytest.mark.parametrize(
    "text",
    ["a task-list and a desk-lamp", "tokens: 12 of 400", "def token(self) -> str:", "https://example.org/a:b@c",
     "the secret: it is easy", "password = x", "git commit 0123456789abcdef0123456789abcdef01234567"],
)  # fmt: skip
def test_other_text_stays(text: str) -> None:
    assert redacted(text) == text


def test_known_keys_and_values_of_any_depth() -> None:
    assert redacted("it is plainword", ["plainword", ""]) == "it is [key]"
    assert redacted_value({"a": ["sk-TESTKEY123", 1, {"b": "x"}]}) == {"a": ["[key]", 1, {"b": "x"}]}


def test_no_text_makes_it_slow() -> None:
    """Its time grows with the text, not faster."""
    for piece in ("token", "a_", "sk-", "x://a:", "eyJaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", "A"):
        seconds = []
        for size in (50_000, 200_000):
            began = time.perf_counter()
            redacted(piece * (size // len(piece)))
            seconds.append(time.perf_counter() - began)
        assert seconds[1] < 16 * seconds[0] + 0.5, (piece, seconds)
