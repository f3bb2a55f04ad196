"""The rows of the Runs panel, as text: bars on one axis, reasons, folded batches, the strip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.frontends.runs import Batch, Call, Checkpoint, duration
from hermes_tui.frontends.tui.widgets.runs.bars import bar
from hermes_tui.frontends.tui.widgets.runs.rows import Row, folded, strip, unfolded
from hermes_tui.text import cells


def text(rows: list[Row]) -> list[str]:
    return ["".join(piece for piece, _ in row.spans).rstrip() for row in rows]


def call(number: int, name: str, main: str, state: str = "ok", at: tuple[float, float] | None = None) -> Call:
    made = Call(f"c{number}", number, name, main, state=state)
    if at:
        made.started, ended = at
        made.ended = None if state == "running" else ended
    return made


def batch(*calls: Call, parallel: bool = True) -> Batch:
    reason = "parallel: all only read, no path shared" if parallel else "serial: both touch src/a.py"
    return Batch(3, None, reason, parallel, False, 100.0, {each.id: each for each in calls})


def test_side_by_side_is_seen_as_bars_over_each_other() -> None:
    rows = unfolded(
        batch(
            call(1, "read_file", "csv.py", at=(100.0, 100.5)),
            call(2, "terminal", "wc -l *.py", "running", (100.0, 0)),
        ),
        50,
        101.0,
        0,
    )
    assert text(rows) == [
        "Batch 3 · 2 side by side · 1.0 s",
        "all only read, no path shared",
        "✓ 1 read_file csv.py     ━━━━━━━━━           0.5 s",
        "◐ 2 terminal  wc -l *.py ━━━━━━━━━━━━━━━━━━  1.0 s",
    ]


def test_one_after_another_is_seen_as_stairs_and_a_waiting_call_says_why() -> None:
    waits = call(3, "patch", "b.py", "planned")
    waits.why = "waits for #2: both touch b.py"
    rows = unfolded(
        batch(
            call(1, "patch", "a.py", at=(100.0, 101.0)),
            call(2, "pytest", "-q", "running", (101.0, 0)),
            waits,
            parallel=False,
        ),
        60,
        102.0,
        1,
    )
    assert text(rows) == [
        "Batch 3 · 3 one after another · 2.0 s",
        "both touch src/a.py",
        "✓ 1 patch  a.py ━━━━━━━━━━━━━━━━━━╸                    1.0 s",
        "◓ 2 pytest -q                     ╺━━━━━━━━━━━━━━━━━━  1.0 s",
        "○ 3 patch  b.py  waits for #2: both touch b.py",
    ]


def test_a_long_reason_stands_below_its_call() -> None:
    waits = call(2, "write_file", "loaders/json.py", "planned")
    waits.why = "waits for #1: `python` is not known to be read-only"
    rows = text(unfolded(batch(call(1, "t", "x", "running", (100, 0)), waits), 40, 101.0, 0))
    assert rows[-3:] == [
        "○ 2 write_file loaders/json.py",
        "    waits for #1: `python` is not known",
        "    to be read-only",
    ]


def test_outcomes_that_are_not_ok_are_said() -> None:
    failed = call(1, "terminal", "make", "failed", (100, 101))
    failed.text = "exit 2: no rule\nmore"
    never = call(2, "patch", "a.py", "not_started")
    lost = call(3, "terminal", "sleep", "abandoned", (100, 103))
    rows = text(unfolded(batch(failed, never, lost), 50, 103.0, 0))
    assert rows[3] == "    failed: exit 2: no rule"
    assert rows[4] == "· 2 patch    a.py never started"
    assert rows[6] == "    may still be running"


def test_the_last_line_and_the_checkpoints_are_shown() -> None:
    running = call(1, "terminal", "wc", "running", (100, 0))
    running.last_line = "1204 loaders/json.py"
    one = batch(running)
    one.checkpoints.append(Checkpoint(12, "before patch", 1, 0.001))
    rows = text(unfolded(one, 50, 101.0, 0))
    assert rows[-2:] == ["    1204 loaders/json.py", "⚑ checkpoint #12 · before · 1 file · 1 ms"]


def test_what_a_checkpoint_does_not_cover_stands_below_it() -> None:
    one = batch(call(1, "terminal", "make", "running", (100, 0)))
    left_out = ("big.log (2.1 GB, more than the 10 MB that are kept)", "pipe (no ordinary file)")
    one.checkpoints.append(Checkpoint(12, "before make", 3, 0.041, left_out))
    rows = unfolded(one, 50, 101.0, 0)
    assert text(rows)[-3:] == [
        "⚑ checkpoint #12 · before · 3 files · 41 ms",
        "  not covered: big.log (2.1 GB, more than the 10",
        "  MB that are kept), pipe (no ordinary file)",
    ]
    assert rows[-1].spans[0][1] == "warning"


def test_a_finished_batch_folds_to_one_line_with_the_time_saved() -> None:
    done = batch(*(call(n, "t", "", at=(100, 100.4)) for n in range(1, 7)))
    done.ended, done.seconds, done.serial_seconds = 101.0, 0.6, 2.4
    assert text([folded(done, 60, 999)]) == ["Batch 3 · 6 calls · 0.6 s instead of 2.4 s"]
    done.calls["c1"].state = "failed"
    done.serial_seconds = 0.6
    assert text([folded(done, 60, 999)]) == ["Batch 3 · 6 calls · 0.6 s · 1 failed"]


def test_the_strip_says_it_on_one_line() -> None:
    now = batch(
        call(1, "read_file", "csv.py", at=(100, 100.2)),
        call(2, "terminal", "wc -l *.py", "running", (100, 0)),
        call(3, "search_files", "open\\(", "running", (100, 0)),
    )
    assert text(strip(now, 78, 101.4, 0)) == [
        "◐ 1 of 3 · 1.4 s · side by side  ✓ csv.py  ◐ wc -l *.py  ◐ open\\("
    ]
    assert strip(None, 78, 0, 0) == []


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "So")), max_size=30)


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=5), st.integers(12, 90))
def test_no_row_is_wider_than_the_panel(calls: list[tuple[str, str, str]], width: int) -> None:
    made = []
    for number, (tool, main, why) in enumerate(calls, 1):
        one = (
            call(number, tool, main, "running", (100, 0))
            if number % 2
            else call(number, tool, main, "planned")
        )
        one.why, one.last_line = ("" if number % 2 else why), why
        made.append(one)
    now = batch(*made)
    for row in [*unfolded(now, width, 105.0, 0), folded(now, width, 105.0), *strip(now, width, 105.0, 0)]:
        assert cells("".join(piece for piece, _ in row.spans)) <= max(width, 40)


@given(st.floats(0, 10), st.floats(0, 10), st.integers(1, 40))
def test_a_bar_has_its_width_and_is_never_invisible(start: float, length: float, width: int) -> None:
    drawn = bar(start, start + length, (0.0, 20.0), width)
    assert len(drawn) == width
    assert drawn.strip()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 ms"),
        (0.0042, "4 ms"),
        (0.0996, "0.1 s"),
        (0.26, "0.3 s"),
        (9.94, "9.9 s"),
        (12.4, "12 s"),
        (99.6, "1:40"),
        (3_725, "1:02:05"),
    ],
)
def test_durations_are_short(seconds: float, said: str) -> None:
    assert duration(seconds) == said
