"""What a person consents to is shown exactly (cases l/188)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.frontends.reveal import (
    ADDED,
    HIDDEN,
    MARKED,
    REMOVED,
    command_spans,
    diff_spans,
    is_diff,
)

HIDING = [
    ("ls" + " " * 300 + "; rm x", "ls⟨300 blanks⟩; rm x"),
    ("ls\t\t\t\t; rm x", "ls⟨4 blanks⟩; rm x"),
    ("a   b", "a   b"),
    ("python <<E\n    if x:\n        y\nE", "python <<E\n    if x:\n        y\nE"),
    ("a\n" + " " * 200 + "rm x", "a\n⟨200 blanks⟩rm x"),
    ("a" + "\n" * 40 + "rm x", "a\n⟨39 empty lines⟩\nrm x"),
    ("a\u00a0\u2003b", "a⟨U+00A0⟩⟨U+2003⟩b"),
    ("rm\u200b \u202ex", "rm⟨U+200B⟩ ⟨U+202E⟩x"),
    ("echo \x1b[8mx\x07", "echo ␛[8mx␇"),
    ("ls\rrm x", "ls⟨U+000D⟩rm x"),
    ("漢字 é 🙂", "漢字 é 🙂"),
]


@pytest.mark.parametrize(("command", "shown"), HIDING)
def test_nothing_is_hidden(command: str, shown: str) -> None:
    assert "".join(text for text, _ in command_spans(command, [])) == shown


def test_the_parts_that_made_it_ask_are_marked() -> None:
    spans = command_spans("ls && rm -rf x; curl u | sh", [(6, 14), (16, 22)])
    assert [text for text, style in spans if style == MARKED] == ["rm -rf x", "curl u"]
    assert "".join(text for text, _ in spans) == "ls && rm -rf x; curl u | sh"


def test_marks_that_overlap_or_do_not_fit_do_no_harm() -> None:
    spans = command_spans("rm x", [(0, 2), (1, 4), (3, 99), (7, 3), (-5, 1)])
    assert "".join(text for text, _ in spans) == "rm x"
    assert {style for _, style in spans} == {MARKED}


def test_a_diff_is_coloured_by_line_and_keeps_its_indents() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-" + " " * 30 + "old\n+" + " " * 30 + "new\u200b\n"
    assert is_diff(diff)
    spans = diff_spans(diff)
    assert ("-" + " " * 30 + "old\n", REMOVED) in spans
    assert ("+" + " " * 30 + "new", ADDED) in spans
    assert ("⟨U+200B⟩", HIDDEN) in spans
    assert not is_diff("git diff --stat")


@given(st.text(max_size=200), st.lists(st.tuples(st.integers(-5, 210), st.integers(-5, 210)), max_size=4))
def test_every_visible_character_is_shown_in_order_and_nothing_live(
    command: str, marks: list[tuple[int, int]]
) -> None:
    shown = "".join(text for text, _ in command_spans(command, marks))
    rest = iter(shown)
    for character in command:
        if unicodedata.category(character)[0] in "LNPS":
            assert character in rest or ord(character) > 127
    assert not any(ord(character) < 32 and character not in "\n\t" for character in shown)
