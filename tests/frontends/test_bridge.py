"""Events on their way to the screen: all of them, in order, at most 30 drains a second, none when idle."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from itertools import pairwise

from hermes_tui.engine import events as ev
from hermes_tui.engine.outbox import Outbox
from hermes_tui.frontends.bridge import PAUSE, Bridge
from tests.frontends.scene import played


@played
async def test_a_burst_from_a_thread_arrives_whole_in_order_and_in_few_drains() -> None:
    outbox = Outbox()
    drains: list[float] = []
    got: list[str] = []

    def take(events: list[ev.Event]) -> None:
        drains.append(time.monotonic())
        got.extend(event.text for event in events if isinstance(event, ev.Notice))

    def post(act: Callable[[], None]) -> None:
        act()

    Bridge(outbox, take, post).start()

    def produce() -> None:
        for number in range(3_000):
            outbox.put(ev.Notice(level="info", text=str(number)))
            if number % 100 == 0:
                time.sleep(0.005)  # a producer with pauses, so that several drains are needed

    thread = threading.Thread(target=produce)
    thread.start()
    while len(got) < 3_000:
        await asyncio.sleep(0.005)
    thread.join()
    assert got == [str(number) for number in range(3_000)]
    gaps = [later - earlier for earlier, later in pairwise(drains)]
    assert min(gaps[1:], default=PAUSE) > PAUSE * 0.8
    count = len(drains)
    await asyncio.sleep(4 * PAUSE)
    assert len(drains) == count, "idle, nothing ticks"


def test_an_event_after_the_screen_has_gone_does_no_harm() -> None:
    outbox = Outbox()

    async def main() -> None:
        Bridge(outbox, lambda events: None, lambda act: act()).start()

    asyncio.run(main())
    outbox.put(ev.Notice(level="info", text="late"))
