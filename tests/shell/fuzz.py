"""By hand: `python -m tests.shell.fuzz --seconds 600`. Mangles lines and runs those called read-only.

Each line that the classifier proves is run in the sandbox; one that changes a file there is printed, and
so is one that takes longer than 50 ms.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from hermes_tui.shell.classify import classify
from tests.shell.sandbox import Sandbox
from tests.shell.test_table import READ_ONLY, SAFE, UNSAFE

BITS = (
    *"'\"\\$`(){}[]<>|&;#~*?!= \n\tx-",
    *(
        "\\\n",
        "$(",
        "$'",
        "touch x",
        ">x",
        "; ",
        "&&",
        "||",
        "2>",
        "<<E\n",
        "\nE\n",
        " # ",
        "${",
        "-o x",
        "rm a",
    ),
)
LINES = (*SAFE, *(row.line for row in UNSAFE))
SLOWEST = 0.05
UNENDING = ("sleep", "tail -f", "tail -F", "/dev/")


def mangled(line: str, choose: random.Random) -> str:
    """Return the line with a few pieces put in, cut out, or taken from another line."""
    for _ in range(choose.randint(1, 4)):
        at, kind = choose.randint(0, len(line)), choose.random()
        if kind < 0.45:
            line = line[:at] + choose.choice(BITS) + line[at:]
        elif kind < 0.65:
            line = line[:at] + line[at + choose.randint(1, 3) :]
        elif kind < 0.85:
            other = choose.choice(LINES)
            start = choose.randint(0, len(other))
            line = line[:at] + other[start : choose.randint(start, len(other))] + line[at:]
        else:
            line += choose.choice((";", "|", "&&", "\n", " ")) + choose.choice(LINES)
    return line


def changes(sandbox: Sandbox, line: str) -> bool:
    """Run a line and put everything back; True when there was something to put back."""
    try:
        sandbox.run(line, **READ_ONLY)
    except subprocess.TimeoutExpired:
        return False
    changed = sandbox.changed()
    if changed:
        sandbox.reset()
    return changed


@click.command()
@click.option("--seconds", default=60.0, help="How long to try.")
@click.option("--seed", default=0, help="Where the random numbers start.")
def main(seconds: float, seed: int) -> None:
    """Look for a line that is called read-only and is not."""
    choose = random.Random(seed)
    sandbox = Sandbox(Path(tempfile.mkdtemp(prefix="classifier-")))
    classify("ls", "/w", "/h")
    until = time.monotonic() + seconds
    tried = proven = wrong = 0
    while time.monotonic() < until:
        line = mangled(choose.choice(LINES), choose)
        tried += 1
        started = time.thread_time()
        verdict = classify(line, "/w", "/home/u")
        if time.thread_time() - started > SLOWEST:
            click.echo(f"slow: {line!r}")
        if not verdict.read_only or "\0" in line or any(word in line for word in UNENDING):
            continue
        proven += 1
        if changes(sandbox, line):
            wrong += 1
            click.echo(f"WRONG: {line!r}")
    click.echo(f"{tried} lines, {proven} called read-only and run, {wrong} of them wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
