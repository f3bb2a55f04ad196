"""What is counted: the server's numbers where there are some, nothing invented where there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.engine.context import Meter, Spent, estimate, weight
from hermes_tui.engine.messages import Image, Message, Usage
from hermes_tui.engine.protocols import Answer, Request
from tests.engine.test_delegates import delegated, family

USED = Usage(100, 10)


def answer(cost: float | None, usage: Usage | None = USED, model: str = "m") -> Answer:
    return Answer(Message("assistant", "x"), usage, cost, model)


def asked(size: int) -> Request:
    return Request("", [Message("user", "x" * 4 * size)], ())


def test_the_cost_is_the_sum_of_what_is_known_and_not_known_when_a_part_is_not() -> None:
    meter = Meter()
    assert meter.cost is None
    meter.add(answer(0.25))
    meter.add(answer(0.5))
    assert meter.cost == 0.75
    meter.add(answer(None))
    meter.add(answer(1.0))
    assert meter.cost is None
    assert meter.session == Spent(4, Usage(400, 40), None, 0)


def test_each_turn_and_each_model_is_counted_by_itself() -> None:
    meter = Meter()
    meter.add(answer(1.0, model="a"))
    meter.begin_turn()
    meter.add(answer(2.0, usage=None, model="b"))
    assert meter.turn == Spent(1, None, 2.0, 1)
    assert {name: spent.cost for name, spent in meter.models.items()} == {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize(("told", "expected"), [(1_500, 1.5), (700, 0.7), (10, 1.0), (99_000, 3.0)])
def test_the_estimate_learns_from_the_server_but_does_not_believe_everything(
    told: int, expected: float
) -> None:
    """A server that counts ten tokens for four thousand characters does not count."""
    meter = Meter()
    meter.count(asked(1_000), answer(None, Usage(told, 1)), None)
    assert meter.scaled(1_000) == pytest.approx(1_000 * expected, rel=0.01)


def test_text_counts_by_its_bytes_and_a_picture_by_itself() -> None:
    assert weight([Message("user", "x" * 40)]) == 10
    assert weight([Message("user", "世" * 40)]) == 30
    assert weight([Message("user", "", images=(Image("a", "image/png", "/a", 5),))]) == 1_000
    assert estimate(asked(10), Message("assistant", "x" * 40)) == 20


def test_a_sub_agents_requests_count_in_the_session(tmp_path: Path) -> None:
    here, _ = family(tmp_path, {"go": [delegated("first"), "done"], "first": ["said"]})
    here.turn()
    assert here.agent.meter.session.requests == 3
    here.agent.close()
