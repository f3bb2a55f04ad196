"""The first run explains itself, one key tries an example, and it goes with the first message."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.scene import played, scene
from tests.frontends.standin import StandIn


@played
async def test_a_newcomer_reads_what_it_does_who_answers_what_to_try_and_how_to_stop(tmp_path: Path) -> None:
    for name in ("one.py", "two.py", "three.txt"):
        (tmp_path / name).write_text("x\n")
    async with scene(tmp_path) as on:
        await on.shows(
            "I read, edit and run things in",
            " 1   compare one.py three.txt two.py",
            " 2   read one.py and search import",
            " 3   run git status and ask me what to do next",
            "no language model",
            "OPENAI_API_KEY",
            "Ctrl-C stops what runs",
            "/rollback undoes any edit",
            "Shift+Tab",
            "F1 shows every key",
        )


@played
async def test_one_key_puts_an_example_into_the_prompt_and_enter_sends_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.shows("3   run git status")
        await on.press("3")
        await on.until(lambda: on.main.prompt.text == "run git status and ask me what to do next")
        assert on.agent.asked == [], "nothing is sent before Enter"
        await on.type(" 1")
        assert on.main.prompt.text.endswith("do next 1"), "then a digit is a digit"
        await on.press("enter")
        await on.until(lambda: on.agent.asked)
        assert not on.main.welcome.display
        await on.type("2")
        assert on.main.prompt.text == "2", "and after the first message, too"


@played
async def test_a_click_picks_an_example(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.shows("2   run ls")
        lines = [on.main.welcome.render_line(y).text for y in range(12)]
        row = next(y for y, line in enumerate(lines) if "run ls" in line)
        await on.pilot.click("Welcome", offset=(8, row + 1))
        await on.until(lambda: on.main.prompt.text == "run ls and search import")


@played
async def test_who_was_here_before_reads_two_lines(tmp_path: Path) -> None:
    hermes = StandIn(tmp_path)
    hermes.history.add("something")
    async with scene(tmp_path, hermes=hermes) as on:
        await on.shows("The rehearsal answers", "Ctrl-C stops · /rollback undoes")
        assert "1, 2 or 3" not in on.text()
        assert on.main.welcome.size.height <= 4
        await on.type("1")
        assert on.main.prompt.text == "1"


@played
async def test_it_goes_with_a_command_and_with_a_cleared_conversation(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/say hello")
        await on.press("enter")
        await on.shows("said hello")
        assert not on.main.welcome.display


@pytest.mark.parametrize("size", [(80, 24), (60, 16)])
def test_on_a_small_screen_the_prompt_and_the_examples_are_in_sight(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    @played
    async def play() -> None:
        async with scene(tmp_path, size=size) as on:
            await on.shows(" 1   search TODO", "rehearsal", "Ask, or / for commands", "Ctrl-C stops")

    play()
