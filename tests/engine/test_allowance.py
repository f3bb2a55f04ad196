"""What a turn may take is limited, sub-agents included; what goes round in circles is stopped and shown."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.allowance import Allowance, Limits
from hermes_tui.engine.events import CallFinished, TurnFinished
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.outbox import Outbox
from hermes_tui.engine.parts import Options
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.shared import Shared
from tests.engine.around import calls
from tests.engine.kit import until, world
from tests.engine.tools import Plain, looks, sleep_body, touches_nothing, write_body, writes


def ended(tmp_path: Path, *lines: Any, **more: Any) -> TurnFinished:
    here = world(tmp_path, *lines, **more)
    return here.turn()


def test_more_calls_than_a_turn_may_make_do_not_start(tmp_path: Path) -> None:
    count = Plain("count", touches_nothing, lambda arguments, call: Result("counted"))
    batch = calls(*[("count", {"n": n}) for n in range(3)])
    here = world(tmp_path, batch, batch, tools=[count], limits=Limits(turn_calls=4))
    end = here.turn()
    assert (end.reason, end.error) == (
        "limit",
        "stopped: this turn has made 4 calls; send a message to go on, or raise turn_calls in [limits] of"
        " config.toml",
    )
    assert [event.status for event in here.of(CallFinished)] == ["ok"] * 3 + ["not_started"] * 3


def test_a_turn_whose_time_is_up_stops_its_calls_and_says_so(tmp_path: Path) -> None:
    sleep = Plain("sleep", touches_nothing, sleep_body)
    end = ended(tmp_path, calls(("sleep", {})), tools=[sleep], limits=Limits(turn_seconds=0.2))
    assert end.reason == "limit"
    assert "run for 0.2 s; send a message to go on, or raise turn_seconds" in (end.error or "")


def test_time_that_a_person_is_waited_for_is_not_counted() -> None:
    asking = threading.Event()
    asking.set()
    token = Token()
    allowance = Allowance(Limits(turn_seconds=0.05), lambda: None, asking.is_set)
    with allowance.clock(token):
        assert not threading.Event().wait(0.3)
        assert not token.is_set
        asking.clear()
        until(lambda: token.is_set)
    assert "turn_seconds" in (allowance.why() or "")


def test_results_and_writes_that_are_too_many_end_the_turn(tmp_path: Path) -> None:
    loud = Plain("loud", touches_nothing, lambda arguments, call: Result("é" * 600))
    end = ended(tmp_path, calls(("loud", {})), tools=[loud], limits=Limits(turn_output=1000))
    assert (end.reason, "larger than 1000 bytes" in (end.error or "")) == ("limit", True)
    put = Plain("put", writes, write_body)
    batch = calls(("put", {"path": "a", "text": "x" * 600}), ("put", {"path": "b", "text": "x" * 600}))
    here = world(tmp_path, batch, tools=[put], limits=Limits(turn_written=1000), schedule="serial")
    assert here.turn().reason == "limit"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]
    assert "nothing was written: stopped: this turn wrote 1000 bytes" in here.result("c2").content


def test_money_ends_a_turn_only_where_prices_are_known() -> None:
    paid: list[float | None] = [None]
    allowance = Allowance(Limits(turn_cost=0.5), lambda: paid[0], lambda: False)
    assert allowance.why() is None
    paid[0] = 0.49
    assert allowance.why() is None
    paid[0] = 0.5
    assert (allowance.why() or "").startswith("stopped: this turn has cost $0.50; ")


def test_no_limit_is_none() -> None:
    allowance = Allowance(Limits(), lambda: 1e9, lambda: False)
    assert allowance.take_calls(10**9) is None


@pytest.mark.parametrize(("same", "reason"), [(3, "limit"), (0, "done"), (5, "done")])
def test_the_same_call_with_the_same_result_again_and_again_is_stopped(
    same: int, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "a").write_text("x")
    look = Plain("look", looks, lambda arguments, call: Result("same"))
    lines = [calls(("look", {"path": "a"}))] * 4
    end = ended(tmp_path, *lines, "Done.", tools=[look], limits=Limits(same_call=same))
    assert end.reason == reason
    if reason == "limit":
        assert "the same look call 3 times in a row, with the same result" in (end.error or "")


def test_a_call_whose_result_changes_or_that_others_come_between_is_no_loop(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    seen: list[int] = []

    def body(arguments: Any, call: Any) -> Result:
        seen.append(1)
        return Result(str(len(seen) // 2))

    look = Plain("look", looks, body)
    other = Plain("other", looks, lambda arguments, call: Result("other"))
    lines = [calls(("look", {"path": "a"}))] * 6
    between = [calls(("other", {"path": "a"})), calls(("look", {"path": "b"}))] * 4
    tools = [look, other]
    end = ended(tmp_path, *lines, *between, "Done.", tools=tools, limits=Limits(same_call=3))
    assert end.reason == "done"


def test_a_sub_agents_calls_count_with_its_session(tmp_path: Path) -> None:
    """One allowance for both, so that nothing is won by delegating."""
    outbox = Outbox()
    shared = Shared(Options(folder=tmp_path), outbox)
    shared.allowance = Allowance(Limits(turn_calls=2), lambda: None, lambda: False)
    child = shared.for_agent("c1", outbox, None)
    assert [child.allowance.take_calls(1), shared.allowance.take_calls(1)] == [None, None]
    assert "has made 2 calls" in (child.allowance.take_calls(1) or "")
    assert "has made 2 calls" in (shared.allowance.why() or "")
