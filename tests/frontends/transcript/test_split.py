"""Cutting a streamed answer into pieces."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.frontends.tui.widgets.transcript.split import (
    CODE_HARD,
    LINE_LIMIT,
    PIECE_LIMIT,
    Piece,
    Splitter,
    split,
)
from tests.frontends.transcript.stage import UNHURRIED

FRAGMENTS = st.sampled_from(
    [
        *(
            "a word ",
            "\n",
            "\n\n",
            "```",
            "```py\n",
            "~~~\n",
            "- item\n",
            "  - inner\n",
            "  ```\n",
            "    code\n",
        ),
        "1. one\n",
        "> quote\n",
        "| a | b |\n",
        "|---|---|\n",
        "# head\n",
        "`",
        "*",
        "\r\n",
        "\t",
        "漢字",
        "\x1b[2J",
        "---\n",
        "x = [1, '3']\n",
        "\x1b]0;t\x07",
        "é",
        "👩‍👩‍👧",
        "```\n",
        "longword" * 30,
        "\x00",
    ]
)
MARKDOWN = st.lists(FRAGMENTS, max_size=60).map("".join)


def streamed(text: str, cuts: list[int]) -> list[Piece]:
    splitter = Splitter()
    pieces: list[Piece] = []
    at = 0
    for cut in [*sorted(cut % (len(text) + 1) for cut in cuts), len(text)]:
        pieces += splitter.feed(text[at:cut])
        splitter.tail()
        at = cut
    return pieces + splitter.close()


@UNHURRIED
@given(MARKDOWN, st.lists(st.integers(0, 10_000), max_size=30))
def test_how_an_answer_is_chunked_does_not_change_its_pieces(text: str, cuts: list[int]) -> None:
    assert streamed(text, cuts) == split(text)


@UNHURRIED
@given(MARKDOWN)
def test_each_character_alone_gives_the_same_pieces_as_the_whole(text: str) -> None:
    assert streamed(text, list(range(len(text)))) == split(text)


@UNHURRIED
@given(st.integers(LINE_LIMIT - 3, 3 * LINE_LIMIT), st.integers(97, 997), st.sampled_from(["x", "x y", "漢"]))
def test_an_endless_line_is_cut_at_the_same_places_however_it_arrives(
    size: int, step: int, unit: str
) -> None:
    text = (unit * size)[:size]
    pieces = split(text)
    assert streamed(text, list(range(0, size, step))) == pieces
    assert "".join(piece.text for piece in pieces).replace("\n", "") == text


@UNHURRIED
@given(MARKDOWN)
def test_no_word_of_an_answer_is_lost(text: str) -> None:
    words = re.compile(r"longword|word|item|inner|quote|head|漢字")
    kept = "\n".join(f"{piece.info or ''}\n{piece.text}" for piece in split(text) if not piece.joined)
    parts = "\n".join(piece.text for piece in split(text) if piece.joined)
    assert Counter(words.findall(kept + parts)) == Counter(words.findall(text))


def test_paragraphs_and_fences_are_pieces_of_their_own() -> None:
    assert split("one\ntwo\n\nthree\n```py\nx\n\ny\n```\nfour") == [
        Piece("one\ntwo"),
        Piece("three"),
        Piece("x\n\ny", "py"),
        Piece("four"),
    ]


def test_a_loose_list_with_code_in_it_stays_one_piece() -> None:
    text = "- a\n\n- b\n\n  ```py\n  x\n\n  y\n  ```\n\n  more of b"
    assert split(text) == [Piece(text)]


def test_a_fence_that_arrives_in_bits_is_never_shown_as_backticks() -> None:
    """Cases g/125."""
    splitter = Splitter()
    seen: list[Piece | None] = []
    for chunk in ["`", "`", "`", "py", "\nx\n", "`", "`", "`", "\n", "after"]:
        closed = splitter.feed(chunk)
        seen += [*closed, splitter.tail()]
    assert [piece for piece in seen if piece is not None and "`" in piece.text] == []
    assert {piece.info for piece in seen if piece is not None and piece.text == "x"} == {"py"}
    assert seen[-1] == Piece("after")


@pytest.mark.parametrize("start", ["#", "##", "-", "1.", ">", "|", "***", "~~~", "`", "  -"])
def test_a_line_that_may_still_become_something_else_is_not_shown_yet(start: str) -> None:
    """Cases g/125, the kind: what is shown of a line never turns into another construct."""
    splitter = Splitter()
    splitter.feed(start)
    assert splitter.tail() is None
    assert start == "~~~" or splitter.close() == [Piece(start)]


def test_an_answer_cut_inside_a_fence_ends_with_its_code() -> None:
    """Cases g/125."""
    assert split("text\n```py\nx = 1") == [Piece("text"), Piece("x = 1", "py")]


def test_a_long_fence_is_cut_where_code_starts_again() -> None:
    function = "def f():\n" + "    pass\n" * 20 + "\n"
    pieces = split("```py\n" + function * 20 + "```")
    assert len(pieces) > 5
    assert all(piece.info == "py" and piece.text.startswith("def f") for piece in pieces)
    assert [piece.joined for piece in pieces] == [False] + [True] * (len(pieces) - 1)
    assert "\n".join(piece.text for piece in pieces) == (function * 20).rstrip("\n") + "\n"


def test_no_piece_grows_without_limit() -> None:
    for text in (
        "word " * 60_000,
        "word\n" * 60_000,
        "```\n" + "x\n" * 60_000,
        "- a\n\n  ```\n" + "  x\n" * 60_000,
    ):
        pieces = split(text)
        assert max(len(piece.text) for piece in pieces) <= PIECE_LIMIT + LINE_LIMIT
        assert max(piece.text.count("\n") for piece in pieces) < PIECE_LIMIT
    assert max(piece.text.count("\n") for piece in split("```\n" + "x\n" * 60_000)) < CODE_HARD
