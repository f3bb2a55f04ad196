"""The terminal changes its size while something runs."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.scene import played, scene
from tests.frontends.standin import Step

ONE: list[Step] = [("a", "terminal", {"command": "make"})]


@played
async def test_the_strip_of_a_terminal_that_became_narrow_has_no_empty_lines(tmp_path: Path) -> None:
    async with scene(tmp_path, size=(100, 30)) as on:
        on.turn.start()
        on.turn.batch(ONE, False, "one call")
        on.turn.began("a")
        await on.shows("Batch 1")
        for columns, rows in ((60, 16), (120, 32), (80, 24)):
            await on.pilot.resize_terminal(columns, rows)
            narrow = columns < 100
            await on.shows("0 of 1 ·" if narrow else "Batch 1")
            if narrow:
                await on.until(lambda: on.main.panel.size.height == 1)
