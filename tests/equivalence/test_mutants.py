"""A planner with one rule left out is caught: otherwise the random batches would prove nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.equivalence.batches import Case, cases
from tests.equivalence.compare import out_of_order
from tests.equivalence.mutants import FIVE
from tests.equivalence.tree import Sandbox
from tests.equivalence.world import World

BATCHES = 500


class Caught(Exception):
    """A difference was found."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("rule", FIVE)
def test_a_planner_without_the_rule_is_caught_within_500_batches(sandbox: Sandbox, rule: str) -> None:
    world = World(sandbox)

    @seed(1)
    @settings(
        max_examples=BATCHES,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def check(case: Case) -> None:
        if out_of_order(case, world, "graph", FIVE[rule]):
            raise Caught

    with pytest.raises(Caught):
        check()
