"""A streamed answer in rows: no word broken, nothing lost, code and tables untouched."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.frontends.plain.answer import Answer, inline
from hermes_tui.text import cells


def rows(pieces: list[str], width: int | None) -> list[str]:
    answer = Answer(lambda: width)
    found = [row for piece in pieces for row in answer.feed(piece)]
    found += answer.close()
    return ["".join(text for text, _ in row) for row in found]


def test_a_pipe_gets_whole_lines_only() -> None:
    answer = Answer(lambda: None)
    assert answer.feed("The first ") == []
    assert answer.feed("line\nand the") == [[("The first line", "")]]
    assert answer.close() == [[("and the", "")]]


def test_a_long_line_is_written_as_it_fills_the_terminal_and_never_within_a_word() -> None:
    answer = Answer(lambda: 20)
    assert answer.feed("A sentence that is longer tha") == [[("A sentence that is", "")]]
    assert answer.feed("n the terminal is wide.") == [[("longer than the", "")]]
    assert answer.close() == [[("terminal is wide.", "")]]


def test_a_list_item_hangs_below_its_own_text() -> None:
    assert rows(["- an item of a list that is long\n"], 20) == ["- an item of a list", "  that is long"]


def test_code_and_tables_are_not_wrapped() -> None:
    code = ["```python", "value = 'a line of code that is longer than the terminal'", "```"]
    table = "| a table | of which a row | is longer |"
    assert rows(["\n".join([*code, table])], 20) == [*code, table]


def test_a_code_span_is_not_cut_where_that_can_be_helped() -> None:
    assert rows(["Use the function `load it all` then"], 24) == ["Use the function", "`load it all` then"]


def test_a_word_that_is_wider_than_the_terminal_stays_whole() -> None:
    url = "https://example.org/a/very/long/address/that/has/no/end"
    assert rows([f"see {url} for more"], 20) == ["see", url, "for more"]


def test_chinese_is_cut_between_any_two_characters() -> None:
    assert rows(["读取文件并比较它们的内容然后告诉我"], 20) == ["读取文件并比较它们的", "内容然后告诉我"]


def test_sequences_that_come_in_two_pieces_are_never_live() -> None:
    text = "".join(rows(["a\x1b", "]52;c;aGk=\x07b \x9b2J\u202e", "c\n"], None))
    assert not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}


def test_headings_code_and_bold_words_have_styles_and_keep_their_marks() -> None:
    answer = Answer(lambda: None)
    assert answer.feed("## Title\n") == [[("## Title", "strong")]]
    assert answer.feed("```sh\nls\n```\n") == [[("```sh", "code")], [("ls", "code")], [("```", "code")]]
    assert inline("a `b` **c** d") == [
        ("a ", ""),
        ("`b`", "code"),
        (" ", ""),
        ("**c**", "strong"),
        (" d", ""),
    ]


@pytest.mark.parametrize("width", [20, 37, 80])
@given(
    lines=st.lists(st.text("ab` *语👍é", max_size=120), min_size=1, max_size=6),
    cuts=st.lists(st.integers(0, 400), max_size=8),
)
def test_however_it_streams_every_character_is_written_once(
    width: int, lines: list[str], cuts: list[int]
) -> None:
    text = "\n".join(lines)
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    pieces = [text[a:b] for a, b in pairwise(places)]
    written = rows(pieces, width)
    assert "".join("".join(written).split()) == "".join(text.split())
    for row in written:
        assert cells(row) <= width or not any(" " in word for word in [row.strip()]), row


@pytest.mark.parametrize("width", [None, 30, 100])
def test_a_link_never_hides_its_target(width: int | None) -> None:
    """Cases l/184: Markdown stays as it was written, and a terminal's own link gets its target behind it."""
    lines = ["[https://good.example](https://evil.example) and more\n",
             "\x1b]8;;https://evil.example\x1b", "\\https://good.example\x1b]8;;\x1b\\ and ",
             "more\n"]  # fmt: skip
    said = " ".join(rows(lines, width))
    assert said == (
        "[https://good.example](https://evil.example) and more "
        "https://good.example (https://evil.example) and more"
    )
