"""Running a batch: order, slots, outcomes, events."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.events import (
    BatchFinished,
    CallFinished,
    CallStarted,
    CallWaiting,
    TurnFinished,
)
from hermes_tui.engine.protocols import Call, Result
from tests.engine.around import calls
from tests.engine.kit import world
from tests.engine.tools import Plain, touches_nothing


def test_results_go_to_the_model_in_call_order_whoever_is_first(tmp_path: Path) -> None:
    """Cases a/16, b/28."""
    first_may_end = threading.Event()

    def slow(arguments: Mapping[str, Any], call: Call) -> Result:
        first_may_end.wait(10)
        return Result("slow")

    here = world(tmp_path, calls(("slow", {}), ("noop", {})), tools=[Plain("slow", touches_nothing, slow)])
    here.agent.submit("go")
    # a call that is done is reported at once, not when the batch is
    assert here.wait(CallFinished).id == "c2"
    assert not here.of(BatchFinished)
    first_may_end.set()
    here.wait(TurnFinished)
    assert here.results() == [("c1", "slow"), ("c2", "done")]


def test_two_edits_of_one_file_run_in_the_given_order_every_time(tmp_path: Path) -> None:
    """Cases b/19, b/22, b/23."""
    path = tmp_path / "n.txt"
    for _ in range(100):
        path.write_text("\n".join(str(number) for number in range(1, 101)))
        here = world(
            tmp_path,
            calls(
                ("edit", {"path": "n.txt", "old": "\n50\n", "new": "\nfifty\n"}),
                ("edit", {"path": "./sub/../n.txt", "old": "\nfifty\n", "new": "\nFIFTY\n"}),
                ("edit", {"path": "n.txt", "old": "\n75\n", "new": "\nseventy\n"}),
            ),
        )
        here.turn()
        here.agent.close()
        text = path.read_text()
        assert "\nFIFTY\n" in text
        assert "\nseventy\n" in text
        assert len(text.splitlines()) == 100


def test_a_read_before_a_write_sees_the_old_and_one_behind_it_the_new(tmp_path: Path) -> None:
    """Cases b/28."""
    (tmp_path / "a").write_text("old")
    batch = calls(("read", {"path": "a"}), ("write", {"path": "a", "text": "new"}), ("read", {"path": "a"}))
    for schedule in ("batch", "graph", "serial"):
        (tmp_path / "a").write_text("old")
        here = world(tmp_path, batch, schedule=schedule)
        here.turn()
        assert [content for _, content in here.results()] == ["old", "written", "new"]


class Together:
    """A body that notes how many of its kind run at the same time."""

    def __init__(self, wanted: int) -> None:
        self.most = 0
        self.order: list[str] = []
        self._now = 0
        self._wanted = wanted
        self._lock = threading.Lock()
        self._full = threading.Event()

    def __call__(self, arguments: Mapping[str, Any], call: Call) -> Result:
        with self._lock:
            self.order.append(call.id)
            self._now += 1
            self.most = max(self.most, self._now)
            if self._now == self._wanted:
                self._full.set()
        self._full.wait(10)
        with self._lock:
            self._now -= 1
        return Result("met")


def test_at_most_n_calls_run_at_once_and_they_start_in_call_order(tmp_path: Path) -> None:
    body = Together(3)
    here = world(
        tmp_path,
        calls(*[("meet", {})] * 20),
        tools=[Plain("meet", touches_nothing, body)],
        max_parallel=3,
    )
    here.turn()
    assert body.most == 3
    assert [event.id for event in here.of(CallStarted)] == [f"c{number}" for number in range(1, 21)]


def test_a_call_without_a_slot_says_what_it_waits_for(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("sleep", {}), ("noop", {})), max_parallel=1)
    here.agent.submit("go")
    waiting = here.wait(CallWaiting)
    assert (waiting.id, waiting.why) == ("c2", "waits for a free slot")
    here.agent.interrupt("c1")
    here.wait(TurnFinished)
    assert here.statuses() == {"c1": "cancelled", "c2": "ok"}


def test_one_failure_stops_no_sibling(tmp_path: Path) -> None:
    """A tool that breaks, or even leaves its thread, is one failed call."""

    def fails(arguments: Mapping[str, Any], call: Call) -> Result:
        raise ToolError("not like that; do it so")

    def breaks(arguments: Mapping[str, Any], call: Call) -> Result:
        return Result(str(1 // 0))

    def leaves(arguments: Mapping[str, Any], call: Call) -> Result:
        raise SystemExit(3)

    tools = [
        Plain(name, touches_nothing, body)
        for name, body in (("fails", fails), ("breaks", breaks), ("leaves", leaves))
    ]
    here = world(
        tmp_path,
        calls(("fails", {}), ("breaks", {}), ("leaves", {}), ("noop", {}), ("nope", {})),
        tools=tools,
    )
    assert here.turn().reason == "done"
    found = {event.id: (event.status, event.content.partition(";")[0]) for event in here.of(CallFinished)}
    assert found == {
        "c1": ("failed", "not like that"),
        "c2": ("failed", "ZeroDivisionError: integer division or modulo by zero"),
        "c3": ("failed", "the tool tried to end the program"),
        "c4": ("ok", "done"),
        "c5": ("failed", "unknown tool nope"),
    }


def test_a_malformed_call_is_one_error_while_its_siblings_run(tmp_path: Path) -> None:
    """Cases a/1, a/14: never half-run, never run with empty arguments."""
    here = world(tmp_path, calls(("noop", {}), ("write", '{"path":"C:\\tmp" "x"}'), ("noop", {})))
    here.turn()
    assert here.statuses() == {"c1": "ok", "c2": "failed", "c3": "ok"}
    started = {event.id: event.arguments for event in here.of(CallStarted)}
    assert started["c2"] == '{"path":"C:\\tmp" "x"}'
    assert here.result("c2").content.startswith("invalid JSON arguments")
    assert here.journal.log == []


def test_a_long_result_is_cut_in_the_middle_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x" * 5000 + "y" * 5000)
    here = world(tmp_path, calls(("read", {"path": "a"})), result_cap=1000)
    here.turn()
    content = here.result("c1").content
    assert content.startswith("x" * 750 + "\n[… 9000 of 10000 characters left out here")
    assert content.endswith("…]\n" + "y" * 250)
    assert here.results() == [("c1", content)]


def test_a_batch_says_how_long_it_took_and_what_one_after_another_would_have(tmp_path: Path) -> None:
    here = world(tmp_path, calls(*[("sleep", {"seconds": 0.2})] * 4))
    here.turn()
    (event,) = here.of(BatchFinished)
    assert event.serial_seconds >= 0.8
    assert event.seconds < event.serial_seconds


def test_events_of_a_batch_come_in_the_promised_order(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("sleep", {"seconds": 0.01}), ("noop", {}), ("nope", "{")))
    here.turn()
    here.collect()
    place: dict[tuple[str, str], int] = {}
    for index, event in enumerate(here.events):
        place[event.type, getattr(event, "id", "")] = index
    for call in ("c1", "c2", "c3"):
        assert place["batch_planned", ""] < place["call_started", call] < place["call_finished", call]
        assert place["call_finished", call] < place["batch_finished", ""]
    assert place["call_started", "c1"] < place["call_output", "c1"] < place["call_finished", "c1"]
    assert here.types()[0] == "turn_started"
    assert here.types()[-1] == "turn_finished"
    times = [event.time for event in here.events]
    assert times == sorted(times)
