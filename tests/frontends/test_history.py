"""What was typed comes back, across sessions and after damage."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.frontends.history import History


def test_prompts_come_back_in_the_next_session(tmp_path: Path) -> None:
    file = tmp_path / "state" / "history"
    first = History(file)
    for text in ("one", "two\nlines", "two\nlines", " ", "漢字 \u2028 \x00 \ud800"):
        first.add(text)
    assert History(file).items() == ["one", "two\nlines", "漢字 \u2028 \x00 \ud800"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_two_instances_append_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "history"
    first, second = History(file), History(file)
    first.add("a")
    second.items()
    first.add("b")
    second.add("c")
    assert History(file).items() == ["a", "b", "c"]


def test_a_damaged_line_costs_that_line_only(tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.write_bytes(b'"a"\n\x00\x00{cut\n"b"\n"c')
    assert History(file).items() == ["a", "b"]


def test_a_pasted_log_does_not_make_the_file_huge(tmp_path: Path) -> None:
    file = tmp_path / "history"
    history = History(file)
    history.add("x" * 1_000_000)
    history.add("short")
    assert [len(text) for text in history.items()] == [1_000_000, 5]
    assert History(file).items() == ["short"]
