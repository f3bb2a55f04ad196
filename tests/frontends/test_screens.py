"""The screens over the conversation: confirm, choose, output."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hermes_tui.frontends.tui.screens.lines import Lines
from hermes_tui.frontends.tui.screens.output import OutputScreen
from tests.frontends.scene import Scene, played, scene


async def command(on: Scene, line: str) -> None:
    await on.type(line)
    await on.press("enter")


def said_last(on: Scene, text: str) -> bool:
    return on.main.transcript.text().rstrip().endswith(text)


@played
async def test_a_confirmation_is_no_by_default_and_yes_by_its_key(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        for key, said in (("enter", "no"), ("y", "yes"), ("escape", "no"), ("y", "yes"), ("n", "no")):
            await command(on, "/sure")
            await on.shows("Restore [#3]?", "restore src/a.py", "cancel, changes nothing")
            await on.press(key)
            await on.until(partial(said_last, on, f"  {said}"))


@played
async def test_a_list_is_left_without_a_choice(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await command(on, "/theme")
        await on.shows("Which theme?")
        await on.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert on.app.theme == "hermes-dark"


@played
async def test_ctrl_c_closes_a_screen_and_a_second_press_leaves(tmp_path: Path) -> None:
    """Cases c/38."""
    async with scene(tmp_path) as on:
        await command(on, "/theme")
        await on.shows("Which theme?")
        await on.press("ctrl+c")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        await on.press("ctrl+c")
        await on.until(lambda: not on.app.is_running)


@played
async def test_a_long_output_is_scrolled_to_its_ends(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        text = "\n".join(f"line {n} [/x]\x1b[31m" for n in range(100_000))
        on.app.push_screen(OutputScreen("terminal [/]", text))
        await on.shows("terminal [/]", "line 0 [/x]")
        await on.press("G")
        await on.shows("line 99999 [/x]")
        await on.press("g")
        await on.shows("line 0 [/x]")
        await on.press("q")
        await on.until(lambda: len(on.app.screen_stack) == 1)


@played
async def test_wide_lines_are_scrolled_sideways(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.app.push_screen(OutputScreen("t", "漢" * 200 + "END"))
        await on.until(lambda: on.app.screen.query(Lines))
        on.app.screen.query_one(Lines).scroll_to(x=400, animate=False)
        await on.shows("END")
