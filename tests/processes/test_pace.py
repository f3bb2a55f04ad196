"""How the reads of commands are spaced out."""

from __future__ import annotations

import threading
import time

import pytest

from hermes_tui.processes.pace import Pace


def test_the_first_reads_after_a_silence_come_at_once() -> None:
    pace = Pace(every=1.0, burst=3)
    assert [pace.take(100.0) > 0 for _ in range(5)] == [False, False, False, True, True]
    assert [pace.take(200.0) > 0 for _ in range(4)] == [False, False, False, True]


def test_a_flood_is_read_at_an_even_pace() -> None:
    pace = Pace(every=1.0, burst=1)
    assert [pace.take(100.0) for _ in range(4)] == pytest.approx([0.0, 1.0, 2.0, 3.0])
    assert pace.take(102.5) == pytest.approx(1.5)


def test_all_commands_share_the_pace() -> None:
    pace = Pace(every=0.002, burst=0)

    def read() -> None:
        for _ in range(10):
            pace.wait()

    begun = time.monotonic()
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - begun >= 0.08
