"""What is kept of a command's output."""

from __future__ import annotations

import re
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.processes.log import KEPT, LONGEST, Log
from hermes_tui.processes.output import HEAD, TAIL, Output


def collect(blocks: list[bytes]) -> tuple[str, str]:
    """Return what is kept of some blocks, and what was shown."""
    shown: list[str] = []
    output = Output(shown.append)
    for block in blocks:
        output.feed(block)
    output.feed(b"", final=True)
    return output.text(), "".join(shown)


def test_short_output_is_kept_whole() -> None:
    text = "äöü " * ((HEAD + TAIL) // 4)
    assert collect([text.encode()]) == (text, text)


def test_a_character_cut_between_two_blocks_is_whole_again() -> None:
    data = "a漢🎉b".encode()
    assert collect([data[i : i + 1] for i in range(len(data))]) == ("a漢🎉b", "a漢🎉b")


def test_bytes_that_are_no_text_become_replacement_characters() -> None:
    assert collect([b"caf\xe9 ok\n\xf0\x9f"])[0] == "caf� ok\n�"


def test_long_output_keeps_whole_lines_of_start_and_end_and_says_what_is_missing() -> None:
    lines = [f"line {number}\n" for number in range(20_000)]
    data = "".join(lines)
    kept, shown = collect([data.encode()])
    head, left_out, tail = re.split(r"\[… (\d+) characters left out; [^\]]+\]\n", kept)
    assert shown == data
    assert data.startswith(head)
    assert data.endswith(tail)
    assert head.endswith("\n")
    assert tail.startswith("line ")
    assert int(left_out) == len(data) - len(head) - len(tail)
    assert HEAD - 400 < len(head) <= HEAD
    assert TAIL - 400 < len(tail) <= TAIL


def test_one_endless_line_is_cut_too() -> None:
    kept, _ = collect([b"x" * 65_536] * 3)
    head, note, tail = kept.split("\n")
    assert (len(head), len(tail)) == (HEAD, TAIL)
    assert note.startswith(f"[… {3 * 65_536 - HEAD - TAIL} characters left out;")


@given(st.lists(st.text(alphabet="ab\nä漢", max_size=40_000), max_size=4), st.integers(1, 70_000))
def test_head_and_tail_do_not_depend_on_how_the_output_was_cut_into_blocks(
    texts: list[str], size: int
) -> None:
    data = "".join(texts).encode()
    blocks = [data[i : i + size] for i in range(0, len(data), size)]
    assert collect(blocks) == collect([data])


def test_a_flood_does_not_fill_the_memory() -> None:
    output = Output(lambda text: None)
    block = b"0123456789abcde\n" * 4096
    tracemalloc.start()
    for _ in range(1_600):  # 100 MB
        output.feed(block)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_a_log_numbers_its_lines_from_the_start_and_from_the_end() -> None:
    log = Log()
    log.feed(b"zero\none\ntw")
    assert log.lines(0, 10) == (0, ["zero", "one", "tw"], 3)
    log.feed(b"o\n\nfour\n")
    assert log.lines(0, 2) == (0, ["zero", "one"], 5)
    assert log.lines(-2, 10) == (3, ["", "four"], 5)
    assert log.lines(-99, 1) == (0, ["zero"], 5)
    assert log.lines(5, 10) == (5, [], 5)


def test_a_log_keeps_the_newest_lines_and_their_numbers() -> None:
    log = Log()
    count = 3 * KEPT // 10
    for start in range(0, count, 1000):
        log.feed(b"".join(b"%09d\n" % number for number in range(start, start + 1000)))
    first, lines, total = log.lines(0, 1)
    assert total == count
    assert lines == [f"{first:09}"]
    assert count - first == KEPT // 10
    assert log.lines(-1, 1) == (count - 1, [f"{count - 1:09}"], count)


def test_a_line_without_end_goes_on_in_the_next() -> None:
    log = Log()
    log.feed(b"x" * (LONGEST + 5))
    log.feed(b"y\n")
    assert log.lines(0, 9) == (0, ["x" * LONGEST, "xxxxxy"], 2)


@given(st.lists(st.text(alphabet="a\nä", max_size=30), max_size=20), st.booleans())
def test_a_log_does_not_depend_on_how_the_output_was_cut_into_blocks(texts: list[str], long: bool) -> None:
    texts = [text.replace("a", "x" * (LONGEST // 3)) if long else text for text in texts]
    whole, parts = Log(), Log()
    whole.feed("".join(texts).encode())
    for text in texts:
        parts.feed(text.encode())
    expected = [
        line[at : at + LONGEST]
        for line in "".join(texts).split("\n")
        for at in range(0, max(len(line), 1), LONGEST)
    ]
    expected = expected if expected[-1] else expected[:-1]
    assert whole.lines(0, 999) == parts.lines(0, 999) == (0, expected, len(expected))
    assert parts.lines(-2, 1) == (max(0, len(expected) - 2), expected[-2:][:1], len(expected))
