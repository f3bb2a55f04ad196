"""Signals by the thousand reach their function and stop nothing."""

from __future__ import annotations

import os
import signal
import threading
import time

from hermes_tui.frontends.signals import signals


def test_thousands_of_signals_neither_deadlock_nor_get_lost_for_good() -> None:
    arrived: list[signal.Signals] = []
    seen = threading.Event()

    def act(number: signal.Signals) -> None:
        arrived.append(number)
        seen.set()

    before = signal.getsignal(signal.SIGUSR1)
    with signals([signal.SIGUSR1], act):
        for _ in range(5000):
            os.kill(os.getpid(), signal.SIGUSR1)
        assert seen.wait(10)
        count = len(arrived)
        seen.clear()
        os.kill(os.getpid(), signal.SIGUSR1)
        deadline = time.monotonic() + 10
        while len(arrived) <= count and time.monotonic() < deadline:
            seen.wait(0.1)
    assert len(arrived) > count
    assert set(arrived) == {signal.SIGUSR1}
    assert signal.getsignal(signal.SIGUSR1) == before


def test_the_function_runs_outside_the_handler() -> None:
    """It may take locks that the interrupted code holds."""
    lock = threading.Lock()
    done = threading.Event()

    def act(number: signal.Signals) -> None:
        with lock:
            done.set()

    with signals([signal.SIGUSR1], act), lock:
        os.kill(os.getpid(), signal.SIGUSR1)
        assert not done.is_set()
        lock.release()
        try:
            assert done.wait(10)
        finally:
            lock.acquire()
