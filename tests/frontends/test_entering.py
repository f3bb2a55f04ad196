"""What Enter sends where: a command to the program, all else to the model; and what is said meanwhile."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from hermes_tui.engine import events as ev
from hermes_tui.frontends.keys import WINDOW
from tests.frontends.scene import played, scene
from tests.frontends.standin import Step

ONE: list[Step] = [("a", "terminal", {"command": "make"})]


@played
async def test_a_command_is_seen_above_what_it_says(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/say hi")
        await on.press("enter")
        text = await on.shows("❯ /say hi", "said hi")
        assert text.index("/say hi") < text.index("said hi")


@played
async def test_a_mistyped_command_does_not_go_to_the_model(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        for line, said in (
            ("/rolback 3", "no command /rolback; did you mean /rollback?"),
            ("/xyzzy", "no command /xyzzy; /help lists them"),
        ):
            await on.type(line)
            await on.press("enter")
            await on.shows(said)
        assert on.agent.asked == []


@pytest.mark.parametrize(
    "text", ["/tmp is full, why?", "/etc/hosts: what is it?", "/ is the root", "/1 of 2"]
)
def test_a_message_may_begin_with_a_path(tmp_path: Path, text: str) -> None:
    @played
    async def play() -> None:
        async with scene(tmp_path) as on:
            await on.type(text)
            await on.press("enter")
            await on.until(lambda: on.agent.asked == [("submit", text)])

    play()


@played
async def test_it_says_that_the_model_has_not_answered_yet(tmp_path: Path) -> None:
    said = "waiting for the model"
    async with scene(tmp_path) as on:
        assert said not in on.text()
        on.turn.start()
        await on.shows(said)
        on.turn.text("Hello")
        await on.until(lambda: said not in on.text())
        on.turn.batch(ONE, False, "one call")
        on.turn.began("a")
        await on.shows("Batch 1")
        assert said not in on.text()
        on.turn.ended("a")
        on.turn.batch_ended()
        await on.shows(said)
        on.turn.put(ev.BatchFinished(batch=7, seconds=0, serial_seconds=0, agent="a"))
        on.turn.end()
        await on.until(lambda: said not in on.text())


@played
async def test_the_time_of_a_batch_goes_on_while_it_waits_for_an_answer(tmp_path: Path) -> None:
    async with scene(tmp_path, size=(80, 24)) as on:
        on.turn.start()
        on.turn.batch(ONE, False, "one call")
        on.turn.put(ev.CallWaiting(batch=1, id="a", why="waits for your answer"))
        await on.until(lambda: re.search(r"0 of 1 · \d+(\.\d)? s", on.text()))
        assert "one after another" not in on.text()


@played
async def test_stopping_is_said_until_the_turn_has_ended(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.press("ctrl+c")
        pressed = time.monotonic()
        await on.until(lambda: time.monotonic() > pressed + WINDOW + 0.3)
        assert "stopping …" in on.text()
        on.turn.end("interrupted")
        await on.until(lambda: "stopping …" not in on.text())


@played
async def test_what_an_interrupt_left_waiting_says_how_it_is_sent(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.type("next")
        await on.press("enter", "escape")
        on.turn.end("interrupted")
        await on.shows("Enter send what waits · ↑ take it back", "1 message waiting")
        await on.press("up")
        assert on.main.prompt.text == "next"
        await on.shows("Enter send · ^J new line")
