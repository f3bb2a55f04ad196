"""Issue 3: under `graph` and `batch` the final tree and every result are those of `serial`.

More by hand: `python -m tests.bench.equivalence --batches 50000`.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.equivalence.batches import Case, cases
from tests.equivalence.compare import Count, differences
from tests.equivalence.tree import Sandbox
from tests.equivalence.world import World

BATCHES = 125
SHARE = 0.3


@pytest.mark.timeout(300)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_random_batch_comes_out_as_if_it_ran_one_call_after_another(sandbox: Sandbox, number: int) -> None:
    """Cases b/28: 500 batches in all."""
    world, count = World(sandbox), Count()

    @seed(number)
    @settings(
        max_examples=BATCHES,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def check(case: Case) -> None:
        assert not differences(case, world, count), f"\n{case}"

    check()
    assert count.batches >= BATCHES, "hypothesis ran out of batches"
    assert count.conflicts >= SHARE * count.batches, f"too few conflicts to prove anything: {count}"
    assert count.overlaps >= SHARE * count.batches, f"too few overlaps to prove anything: {count}"
