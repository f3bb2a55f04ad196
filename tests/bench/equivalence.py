"""Random batches by hand: `python -m tests.bench.equivalence --batches 50000`.

Prints each counterexample, shrunk, with the seed that finds it again, and goes on.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.equivalence.batches import Case, cases, shrunk
from tests.equivalence.compare import Count, differences
from tests.equivalence.tree import Sandbox
from tests.equivalence.world import World

CHUNK = 250
"""Batches of one seed."""


def chunk(number: int, batches: int, world: World, count: Count) -> list[str]:
    """Run the batches of one seed; return counterexamples in words."""
    found: list[str] = []

    @seed(number)
    @settings(
        max_examples=batches,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def check(case: Case) -> None:
        different = differences(case, world, count)
        if different:
            small = shrunk(case, lambda attempt: bool(differences(attempt, world)))
            again = differences(small, world) or ["it does not come again; it was:", *different]
            found.append("\n".join([str(small), *again]))

    check()
    return found


def main() -> None:
    """Run as many batches as asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--batches", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1, help="the first seed; each stands for 250 batches")
    arguments = parser.parse_args()
    count, wrong, began = Count(), 0, time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        world = World(Sandbox(Path(name).resolve() / "tree"))
        number = arguments.seed
        while count.batches < arguments.batches:
            for text in chunk(number, min(CHUNK, arguments.batches - count.batches), world, count):
                wrong += 1
                print(f"seed {number}:\n{text}\n", flush=True)
            number += 1
    print(f"{count}; {wrong} wrong; {time.monotonic() - began:.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
