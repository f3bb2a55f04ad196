"""Answers that are typed faster than the focus moves: nothing is lost, nothing is picked by accident."""

from __future__ import annotations

from pathlib import Path

from textual import events

from tests.frontends.scene import NAMES, Scene, played, scene
from tests.frontends.standin import question


def at_once(on: Scene, text: str) -> None:
    """Put all keys of a text into the queue before any of them is looked at."""
    for character in text:
        on.app.post_message(events.Key(NAMES.get(character, character), character))


async def asked(on: Scene, kind: str) -> None:
    """Ask one question and wait until it takes keys."""
    on.turn.start()
    on.turn.put(question(1, kind))
    await on.shows("Question 1?")
    await on.until(lambda: on.app.screen.focused is not None)


@played
async def test_a_free_answer_keeps_its_blanks_and_digits(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, "clarify")
        at_once(on, "use 2 of [x]")
        await on.shows("use 2 of [x]")
        await on.press("enter")
        await on.until(lambda: on.agent.asked)
        assert on.agent.asked == [("answer", "q1", "answered", "use 2 of [x]", None)]


@played
async def test_a_reason_for_a_no_keeps_its_first_letters(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, "permission")
        at_once(on, "enot yes, say")
        await on.shows("not yes, say")
        await on.press("enter")
        await on.until(lambda: on.agent.asked)
        assert on.agent.asked == [("answer", "q1", "answered", "not yes, say", None)]
