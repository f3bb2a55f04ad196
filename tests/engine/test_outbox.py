"""The way out: nothing lost but old output, time in order, one wake for one drain."""

from __future__ import annotations

import threading
import time

from hermes_tui.engine.events import CallFinished, CallOutput, Event, Heartbeat, TextDelta, ThinkingDelta
from hermes_tui.engine.outbox import OUTPUT_EVERY, OUTPUT_KEPT, Outbox
from tests.engine.kit import until


def output(text: str, call: str = "c1") -> CallOutput:
    return CallOutput(batch=1, id=call, text=text)


def finished(call: str = "c1") -> CallFinished:
    return CallFinished(batch=1, id=call, status="ok", content="", display="", seconds=0.0)


def shown(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.type, getattr(event, "text", "")) for event in events]


def test_neighbouring_pieces_of_one_text_become_one_event() -> None:
    box = Outbox()
    for piece in "abc":
        box.put(TextDelta(text=piece))
    box.put(ThinkingDelta(text="x"))
    box.put(TextDelta(text="d"))
    box.put(TextDelta(agent="sub", text="e"))
    box.put(Heartbeat(running=[]))
    box.put(TextDelta(text="f"))
    assert shown(box.drain()) == [
        ("text_delta", "abc"),
        ("thinking_delta", "x"),
        ("text_delta", "d"),
        ("text_delta", "e"),
        ("heartbeat", ""),
        ("text_delta", "f"),
    ]


def test_the_listener_is_woken_once_until_it_drains() -> None:
    box = Outbox()
    woken: list[int] = []
    box.put(TextDelta(text="early"))
    box.listen(lambda: woken.append(1))
    assert len(woken) == 1  # for what had come before
    for _ in range(100):
        box.put(Heartbeat(running=[]))
    assert len(woken) == 1
    assert len(box.drain()) == 101
    box.put(Heartbeat(running=[]))
    assert len(woken) == 2


def test_what_comes_while_the_listener_drains_wakes_it_again() -> None:
    box = Outbox()
    seen = 0
    news = threading.Event()
    box.listen(news.set)

    def produce() -> None:
        for _ in range(2000):
            box.put(Heartbeat(running=[]))

    producers = [threading.Thread(target=produce) for _ in range(3)]
    for producer in producers:
        producer.start()
    while seen < 6000:
        assert news.wait(10), "an event came and nobody was woken"
        news.clear()
        seen += len(box.drain())
    assert seen == 6000


def test_time_never_goes_back() -> None:
    box = Outbox()

    def produce(call: str) -> None:
        for number in range(300):
            box.put(output("x", call))
            box.put(Heartbeat(running=[str(number)]))
        box.put(finished(call))

    producers = [threading.Thread(target=produce, args=(f"c{number}",)) for number in range(3)]
    for producer in producers:
        producer.start()
    events: list[Event] = []

    def all_finished() -> bool:
        events.extend(box.drain())
        return sum(isinstance(event, CallFinished) for event in events) == 3

    until(all_finished)
    times = [event.time for event in events]
    assert times == sorted(times)
    assert times[0] > 1_000_000_000


def test_the_newest_output_is_kept_and_what_was_dropped_is_said() -> None:
    box = Outbox()
    for number in range(1000):
        box.put(output(f"{number:0100}"))
    (event,) = box.drain()
    assert isinstance(event, CallOutput)
    notice, _, text = event.text.partition("\n")
    assert notice == f"[… {100_000 - OUTPUT_KEPT} characters not shown …]"
    assert text.endswith(f"{999:0100}")
    assert len(text) == OUTPUT_KEPT


def test_one_piece_that_is_too_long_is_cut_as_well() -> None:
    box = Outbox()
    box.put(output("a" * 50_000 + "end"))
    (event,) = box.drain()
    assert isinstance(event, CallOutput)
    assert event.text.startswith(f"[… {50_003 - OUTPUT_KEPT} characters not shown …]\n")
    assert event.text.endswith("aend")


def test_a_call_shows_output_at_most_once_in_33_ms_and_the_rest_follows_by_itself() -> None:
    box = Outbox()
    news = threading.Event()
    box.listen(news.set)
    box.put(output("first"))
    assert shown(box.drain()) == [("call_output", "first")]
    shown_at = time.monotonic()
    news.clear()
    box.put(output(" second"))
    box.put(output(" third"))
    events: list[Event] = []
    while not events:
        assert news.wait(5), "held-back output was forgotten"
        news.clear()
        events = box.drain()
    assert shown(events) == [("call_output", " second third")]
    assert time.monotonic() - shown_at >= OUTPUT_EVERY


def test_output_comes_before_the_end_of_its_call_and_other_calls_do_not_wait() -> None:
    box = Outbox()
    box.put(output("one"))
    box.put(output("other", "c2"))
    box.drain()
    box.put(output("two"))
    box.put(finished())
    box.put(Heartbeat(running=[]))
    assert shown(box.drain()) == [("call_output", "two"), ("call_finished", ""), ("heartbeat", "")]


def test_nothing_is_kept_of_calls_that_have_ended() -> None:
    box = Outbox()
    for number in range(100):
        box.put(output("x", f"c{number}"))
        box.put(finished(f"c{number}"))
    box.drain()
    assert not box._tails
