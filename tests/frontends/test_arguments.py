"""Completing the arguments of commands: asked for in a thread, once, with a few words on each."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hermes_tui.commands.registry import Command, Commands
from hermes_tui.commands.ui import UI
from hermes_tui.engine.errors import UsageError
from tests.frontends.scene import played, scene
from tests.frontends.standin import StandIn


class Slow:
    """A command whose arguments come from far away."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.asked = 0
        self.broken = False

    async def pick(self, hermes: Any, ui: UI, argument: str) -> None:
        ui.say(f"picked {argument}")

    def words(self, hermes: Any) -> Sequence[tuple[str, str]]:
        self.asked += 1
        assert threading.current_thread() is not threading.main_thread()
        self.gate.wait(10)
        if self.broken:
            raise UsageError("the endpoint does not answer")
        return [("gpt-5-mini", "small"), ("gpt-5", "large"), ("qwen3 coder", "local [/b]")]


def with_slow(folder: Path) -> tuple[StandIn, Slow]:
    hermes, slow = StandIn(folder), Slow()
    themes = Command("theme", "Show or set the colours", "", slow.pick, lambda hermes, ui: ui.themes())
    hermes.commands = Commands([Command("pick", "Pick one", "", slow.pick, slow.words), themes])
    return hermes, slow


@played
async def test_typing_goes_on_while_the_words_are_fetched_and_they_are_fetched_once(tmp_path: Path) -> None:
    hermes, slow = with_slow(tmp_path)
    async with scene(tmp_path, hermes=hermes) as on:
        await on.type("/pi")
        await on.press("tab")
        assert on.main.prompt.text == "/pick "
        await on.type("g")
        assert on.main.prompt.text == "/pick g"
        slow.gate.set()
        await on.shows("❯ gpt-5-mini  small", "gpt-5       large")
        await on.type("pt-5")
        await on.until(lambda: on.text().count("gpt-5") == 2)  # the prompt, and the one that is longer
        await on.press("tab")
        assert on.main.prompt.text == "/pick gpt-5-mini"
        assert slow.asked == 1
        await on.press("enter")
        await on.shows("picked gpt-5-mini")


@played
async def test_a_part_of_a_word_finds_it_and_markup_is_text(tmp_path: Path) -> None:
    hermes, slow = with_slow(tmp_path)
    slow.gate.set()
    async with scene(tmp_path, hermes=hermes) as on:
        await on.type("/pick coder")
        await on.shows("❯ qwen3 coder  local [/b]")
        await on.press("enter")
        await on.shows("picked coder")  # a complete command runs as it stands


@played
async def test_words_that_cannot_be_fetched_offer_nothing(tmp_path: Path) -> None:
    hermes, slow = with_slow(tmp_path)
    slow.gate.set()
    slow.broken = True
    async with scene(tmp_path, hermes=hermes) as on:
        await on.type("/pick g")
        await on.until(lambda: slow.asked == 1)
        await on.type("x")
        assert not on.main.completions.shown
        assert on.main.prompt.text == "/pick gx"


@played
async def test_themes_are_offered_by_the_screen(tmp_path: Path) -> None:
    hermes, _ = with_slow(tmp_path)
    async with scene(tmp_path, hermes=hermes) as on:
        await on.type("/theme hermes-l")
        await on.shows("❯ hermes-light")
