"""Wrapping, cropping, heights."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment

from hermes_tui.frontends.tui.widgets.transcript.heights import Heights
from hermes_tui.frontends.tui.widgets.transcript.wrap import crop, wrap
from tests.frontends.transcript.stage import UNHURRIED

TEXT = st.text(st.sampled_from("ab  \n\té漢字，。👩‍👧e\u0301-/"), max_size=120)


def lines(text: str, width: int) -> list[str]:
    return ["".join(run.text for run in runs) for runs, _ in wrap([Segment(text)], width)]


@UNHURRIED
@given(TEXT, st.integers(8, 40))
@example("aaaa\t ", 8)
def test_no_wrapped_line_is_wider_than_asked(text: str, width: int) -> None:
    assert max(cell_len(line) for line in lines(text, width)) <= width


@UNHURRIED
@given(TEXT, st.integers(8, 40))
def test_lines_and_joints_give_the_text_back(text: str, width: int) -> None:
    text = text.replace("\t", " ")
    joined = ""
    for number, (runs, joint) in enumerate(wrap([Segment(text)], width)):
        joined += (joint if number else "") + "".join(run.text for run in runs)
    assert [line.rstrip() for line in joined.split("\n")] == [line.rstrip() for line in text.split("\n")]


@UNHURRIED
@given(TEXT, st.integers(8, 40), st.lists(st.integers(0, 120), max_size=5))
def test_where_the_runs_end_does_not_change_the_wrap(text: str, width: int, cuts: list[int]) -> None:
    text = text.replace("\t", " ")
    ends = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    runs = [Segment(text[start:end]) for start, end in pairwise(ends)]
    assert ["".join(run.text for run in line) for line, _ in wrap(runs, width)] == lines(text, width)


def test_words_move_to_the_next_line_and_long_ones_are_cut() -> None:
    assert lines("one two three", 8) == ["one two", "three"]
    assert lines("abcdefghijkl", 8) == ["abcdefgh", "ijkl"]
    assert lines("    indented code", 12) == ["    indented", "code"]


def test_ideographs_wrap_anywhere_but_never_before_a_closing_mark() -> None:
    """Cases g/118, for what is shown: cells are counted, not characters."""
    assert lines("漢字漢字漢字", 8) == ["漢字漢字", "漢字"]
    assert lines("漢字漢字，漢", 8) == ["漢字漢", "字，漢"]


def test_a_family_of_emoji_is_never_torn() -> None:
    assert lines("👩‍👩‍👧" * 5, 8) == ["👩‍👩‍👧" * 4, "👩‍👩‍👧"]


@UNHURRIED
@example("\u200d\u200daa", 1)
@given(TEXT, st.integers(0, 30))
def test_cropped_text_fits(text: str, width: int) -> None:
    assert cell_len(crop(text, width)) <= width


@UNHURRIED
@given(st.lists(st.integers(0, 9), max_size=60), st.lists(st.tuples(st.integers(0, 59), st.integers(0, 9))))
def test_heights_find_what_a_plain_list_finds(heights: list[int], changes: list[tuple[int, int]]) -> None:
    tree = Heights()
    tree.reset(heights[: len(heights) // 2])
    for height in heights[len(heights) // 2 :]:
        tree.append(height)
    for index, height in changes:
        if index < len(heights):
            heights[index] = height
            tree.set(index, height)
    if heights:
        assert tree.pop() == heights[-1]
        tree.append(heights[-1])
    places = [(index, line) for index, height in enumerate(heights) for line in range(height)]
    assert tree.total == len(places)
    assert [tree.find(y) for y in range(len(places))] == places
    assert [tree.top(index) for index in range(len(heights))] == [
        sum(heights[:index]) for index in range(len(heights))
    ]
