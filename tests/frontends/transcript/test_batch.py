"""The block of a batch, and what is kept of its outputs."""

from __future__ import annotations

from hermes_tui.frontends.tui.widgets.transcript import BatchEntry, CallEntry
from hermes_tui.frontends.tui.widgets.transcript.batch import DETAIL_LIMIT, DETAIL_LINES, preview
from hermes_tui.frontends.tui.widgets.transcript.document import DETAIL_BUDGET, Document
from hermes_tui.frontends.tui.widgets.transcript.layout import Layout
from tests.frontends.transcript.stage import canvas


def rows(layout: Layout) -> list[str]:
    return [line.text[1:].rstrip() for index in range(len(layout.blocks)) for line in layout.lines(index)]


def document(width: int = 80) -> tuple[Document, Layout]:
    layout = Layout()
    layout.set_canvas(canvas(width))
    return Document(layout), layout


def test_a_row_for_each_call_in_columns_with_its_outcome() -> None:
    made, layout = document()
    made.batch(1, "3 calls side by side")
    made.call(1, CallEntry("a", "read_file", "loaders/csv.py", "running"))
    made.call(1, CallEntry("b", "terminal", "wc -l *.py", "waiting", "waits for #1"))
    made.call(1, CallEntry("a", "read_file", "loaders/csv.py", "ok", "184 lines", "1 import csv"))
    assert rows(layout) == [
        "▾ 3 calls side by side",
        "  ✓ read_file  loaders/csv.py   184 lines ▸",
        "  ○ terminal   wc -l *.py       waits for #1",
    ]
    assert layout.blocks[0].toggle("call:a")
    layout.touch(layout.blocks[0])
    assert rows(layout)[2] == "    │ 1 import csv"
    assert layout.blocks[0].toggle("batch")
    layout.touch(layout.blocks[0])
    assert rows(layout) == ["▸ 3 calls side by side"]


def test_every_outcome_looks_different() -> None:
    made, layout = document()
    states = ["waiting", "running", "ok", "failed", "denied", "not_started", "cancelled", "abandoned"]
    for state in states:
        made.call(1, CallEntry(state, "t", "x", state))
    assert len({row.split()[0] for row in rows(layout)[1:]}) == len(states)


def test_long_names_and_arguments_are_cropped_to_the_width() -> None:
    made, layout = document(60)
    made.call(1, CallEntry("a", "n" * 90, "argument\n" * 90, "failed", "exit 1: " + "no such thing " * 9))
    (row,) = rows(layout)[1:]
    assert row == "  ✗ nnnnnnnnnnnnnnn…  argument argumen…   exit 1: no su…"
    assert len(row) <= 60


def test_markup_and_control_characters_in_a_call_are_shown_as_text() -> None:
    """Cases g/112, g/115, g/116."""
    made, layout = document()
    made.batch(1, "[/] \x1b[2Jtitle [link=http://x]y[/]")
    made.call(
        1, CallEntry("a", "read[/]", 'arr[i] = [1, "3"]', "ok", "[/dim]\x1b]0;t\x07", "[/some/path]\x1b[2J")
    )
    layout.blocks[0].fold(folded=False)
    layout.touch(layout.blocks[0])
    assert rows(layout) == [
        "▾ [/] title [link=http://x]y[/]",
        '  ✓ read[/]  arr[i] = [1, "3"]   [/dim] ▾',
        "    │ [/some/path]",
    ]


def test_a_preview_keeps_head_and_tail_and_says_what_it_left_out() -> None:
    text = "\n".join(f"line {number}" for number in range(5000))
    lines = preview(text).split("\n")
    assert lines[0] == "line 0"
    assert lines[-1] == "line 4999"
    assert lines[DETAIL_LINES // 2] == f"… {5000 - DETAIL_LINES} lines left out …"
    assert len(preview("x" * 5_000_000)) < DETAIL_LIMIT + 100
    assert preview("short\n") == "short"


def test_the_outputs_of_many_calls_are_not_all_kept() -> None:
    """Cases g/122: bounded memory, whatever the number of calls."""
    made, layout = document()
    big = "0123456789abcdef" * 32 * 1024
    for number in range(700):
        made.call(number, CallEntry(f"c{number}", "terminal", "x", "ok", "done", big))
    held = sum(len(block.source()) for block in layout.blocks)
    assert held < DETAIL_BUDGET * 1.1
    assert "output not kept here" in rows(layout)[1]
    assert rows(layout)[-1].endswith("done ▸")


def test_a_loaded_batch_looks_like_one_that_ran() -> None:
    made, layout = document()
    call = CallEntry("a", "patch", "a.py", "ok", "+1 −1", diff="--- a.py\n+++ a.py\n@@ -1 +1 @@\n-a\n+b\n")
    made.load([BatchEntry(1, "1 call", (call,))])
    live, live_layout = document()
    live.batch(1, "1 call")
    live.call(1, CallEntry("a", "patch", "a.py", "ok", "+1 −1"))
    live.diff("a", call.diff)
    assert rows(layout) == rows(live_layout)
    assert rows(layout)[2:] == ["    │ 1 − a", "    │ 1 + b"]
    live.diff("nobody", call.diff)
