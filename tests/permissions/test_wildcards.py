"""What a pattern matches, told by the plain expression that it stands for."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_tui.permissions.wildcards import path_matches, text_regex

PIECES = {"/**/": "/(?:.*/)?", "/**": "(?:/.*)?", "/": "(?:/.*)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def as_regex(pattern: str) -> re.Pattern[str]:
    pieces = re.split(r"(\\.|/\*\*/|/\*\*$|/$|\*\*|\*|\?)", pattern, flags=re.DOTALL)
    plain = [p[1:] if len(p) == 2 and p[0] == "\\" else p for p in pieces]
    made = [PIECES.get(p) or re.escape(q) for p, q in zip(pieces, plain, strict=True)]
    return re.compile("".join(made), re.DOTALL)


@settings(max_examples=400, deadline=None)
@given(st.text("ab/*?\\\n", max_size=9), st.text("ab/\n*", max_size=9))
def test_a_path_pattern_matches_what_its_expression_matches(pattern: str, path: str) -> None:
    assert path_matches(pattern, path) == (as_regex(pattern).fullmatch(path) is not None)


@settings(max_examples=400, deadline=None)
@given(st.text("ab *\\", max_size=9), st.text("ab *", max_size=9), st.booleans())
def test_a_text_pattern_matches_what_its_expression_matches(pattern: str, text: str, words: bool) -> None:
    body, tail = (pattern[:-2], "(?: .*)?") if words and pattern.endswith(" *") else (pattern, "")
    pieces = re.split(r"(\\.|\*)", body, flags=re.DOTALL)
    plain = [p[1:] if len(p) == 2 and p[0] == "\\" else p for p in pieces]
    made = [".*" if p == "*" else re.escape(q) for p, q in zip(pieces, plain, strict=True)]
    expected = re.compile("".join(made) + tail, re.DOTALL).fullmatch(text) is not None
    assert (text_regex(pattern, words).fullmatch(text) is not None) == expected
