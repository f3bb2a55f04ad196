"""Random batches by hand: `python -m tests.bench.equivalence --batches 50000`.

Prints each counterexample, shrunk, with the seed that finds it again, and goes on.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings

from tests.equivalence.batches import Case, cases
from tests.equivalence.compare import Count, differences
from tests.equivalence.tree import Sandbox
from tests.equivalence.world import World

CHUNK = 250
"""Batches of one seed."""


def chunk(number: int, batches: int, world: World, count: Count) -> str:
    """Run the batches of one seed; return a counterexample in words, or nothing."""
    worst = ""

    @seed(number)
    @settings(
        max_examples=batches,
        database=None,
        deadline=None,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def check(case: Case) -> None:
        nonlocal worst
        found = differences(case, world, count)
        if found:
            worst = "\n".join([str(case), *found])
        assert not found

    try:
        check()
    except (AssertionError, ExceptionGroup) as error:
        return worst or repr(error)
    except Exception as error:  # what hypothesis says of a failure that does not come again
        return f"{worst}\n({type(error).__name__})"
    return ""


def main() -> None:
    """Run as many batches as asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--batches", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1, help="the first seed; each stands for 250 batches")
    arguments = parser.parse_args()
    count, wrong, began = Count(), 0, time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        world = World(Sandbox(Path(name).resolve()))
        number = arguments.seed
        while count.batches < arguments.batches:
            text = chunk(number, min(CHUNK, arguments.batches - count.batches), world, count)
            if text:
                wrong += 1
                print(f"seed {number}:\n{text}\n", flush=True)
            number += 1
    print(f"{count}; {wrong} of {number - arguments.seed} seeds failed; {time.monotonic() - began:.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
