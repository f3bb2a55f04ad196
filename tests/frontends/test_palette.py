"""The palette: anything found by its name and done."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.frontends.tui.screens.palette import Entry, fitting
from tests.frontends.scene import played, scene

ENTRIES = [
    Entry("/theme", "Show or set the colours"),
    Entry("/rollback", "Undo what the agent changed"),
    Entry("Show or hide the runs", key="Ctrl-T", action="screen:toggle_runs"),
    Entry("Search the conversation", key="Ctrl-F", action="screen:find"),
]


@pytest.mark.parametrize(
    ("typed", "first"),
    [("theme", 0), ("/ro", 1), ("runs", 2), ("search", 3), ("undo", 1), ("colours", 0), ("shwruns", 2)],
)
def test_a_few_letters_find_it(typed: str, first: int) -> None:
    assert fitting(typed, ENTRIES)[0] is ENTRIES[first]


def test_what_fits_nothing_is_nothing() -> None:
    assert fitting("xyzzy", ENTRIES) == []
    assert fitting("", ENTRIES) == ENTRIES


@played
async def test_an_action_is_found_and_done(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        assert on.main.side.display
        await on.press("ctrl+p")
        await on.shows("what do you want to do?", "/rollback", "Ctrl-T")
        await on.press(*"hide")
        await on.shows("Show or hide the runs")
        await on.press("enter")
        await on.until(lambda: not on.main.side.display)
        assert on.main.prompt.has_focus


@played
async def test_a_command_is_run_or_written_into_the_prompt(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.press("ctrl+p")
        await on.shows("/say")
        await on.press(*"say", "tab")
        await on.until(lambda: on.main.prompt.text == "/say ")
        await on.press("ctrl+c", "ctrl+p")
        await on.shows("/theme")
        await on.press(*"theme", "enter")
        await on.shows("Which theme?")


@played
async def test_leaving_it_does_nothing_and_no_second_one_opens(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.press("ctrl+p")
        await on.shows("what do you want to do?")
        await on.press("ctrl+p")
        await on.pilot.pause()
        assert len(on.app.screen_stack) == 2
        await on.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert on.agent.asked == []


@played
async def test_nothing_that_fits_cannot_be_taken(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.press("ctrl+p")
        await on.shows("/theme")
        await on.press(*"qqqqq", "enter", "down", "tab")
        await on.pilot.pause()
        assert len(on.app.screen_stack) == 2
