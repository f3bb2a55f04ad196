"""Untrusted text in the parts around the conversation; see `test_hostile.py` for what is thrown at them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hermes_tui.engine import events as ev
from hermes_tui.engine.state import Todo
from hermes_tui.frontends.tui.screens.palette import Entry, PaletteScreen
from hermes_tui.frontends.tui.screens.settings import SettingsScreen
from tests.frontends.scene import Scene, played, scene
from tests.frontends.test_hostile import evil, harmless_with


async def todos(on: Scene) -> None:
    on.hermes.todos.load([Todo("1", evil("step"), "in_progress"), Todo("2", evil("later"))])
    on.turn.put(ev.Heartbeat(running=[]))
    await harmless_with(on, "step")


async def palette(on: Scene) -> None:
    on.app.push_screen(PaletteScreen([Entry(evil("name"), evil("more"), "F9")]))
    await harmless_with(on, "name")


async def welcome(on: Scene) -> None:
    on.hermes.provider_label = "model [/foo] \x1b[2J\u202e\x9b"
    on.hermes.rehearsing = False
    from hermes_tui.frontends.tui.welcome import who_answers

    on.main.welcome.answered_by(who_answers(on.hermes))
    await harmless_with(on, "model [/foo]")


async def output_search(on: Scene) -> None:
    on.turn.start("go")
    on.turn.batch([("a", "t", {"path": "x"})], False, "one call")
    on.turn.began("a")
    on.turn.ended("a", content=evil("found"), display="d")
    await on.shows("Batch 1")
    await on.press("tab", "down", "enter")
    await on.shows("found")
    await on.press("slash")
    await on.type("[/foo]")
    await harmless_with(on, "1 of 1")


@dataclass
class Row:
    key: str = "theme"
    value: str = evil("value")
    origin: str = evil("origin")
    meaning: str = "what it means"
    choices: tuple[str, ...] = (evil("value"), "b")


class Sheet:
    def rows(self) -> list[Row]:
        return [Row(), Row(choices=())]

    def change(self, key: str, text: str) -> None:
        """Nothing changes."""

    def save(self, key: str) -> str:
        return evil("saved")


async def settings(on: Scene) -> None:
    on.app.push_screen(SettingsScreen(Sheet(), lambda: None))
    await harmless_with(on, "value")
    await on.press("s")
    await harmless_with(on, "saved")


PLACES: list[Callable[[Scene], Awaitable[None]]] = [todos, palette, welcome, output_search, settings]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_nothing_live_is_drawn(tmp_path: Path, place: Callable[[Scene], Awaitable[None]]) -> None:
    """Cases g/112, g/113, g/115, g/116."""

    @played
    async def play() -> None:
        async with scene(tmp_path, size=(160, 50)) as on:
            await place(on)
            assert on.app.is_running

    play()


WIDE = "漢字かな 👩‍💻👨‍👩‍👧 e\u0301 שלום עולם مرحبا ไทย"


@pytest.mark.parametrize("size", [(120, 32), (80, 24), (60, 16)])
def test_wide_characters_emoji_and_right_to_left_text_keep_every_line_in_its_place(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Cases g/118: whatever is shown, each line of the screen has exactly the screen's width."""

    @played
    async def play() -> None:
        async with scene(tmp_path, size=size) as on:
            on.turn.start(WIDE * 3)
            on.turn.text(f"# {WIDE}\n\n{WIDE * 5}\n\n```\n{WIDE * 3}\n```\n")
            on.turn.batch([("a", WIDE, {"path": WIDE * 4})], False, f"serial: {WIDE}")
            on.turn.began("a")
            on.turn.output("a", WIDE * 9 + "\n")
            on.hermes.todos.load([Todo("1", WIDE * 5, "in_progress")])
            await on.shows("漢字")
            await aligned(on, size[0])
            on.turn.put(ev.QuestionAsked(id="q", kind="clarify", call="a", text=WIDE * 4,
                                         choices=[WIDE * 3, WIDE], multiple=True, preview="",
                                         position=1, total=1))  # fmt: skip
            await on.shows("Question")
            await aligned(on, size[0])

    play()


async def aligned(on: Scene, width: int) -> None:
    """Look at what the terminal gets, line by line."""
    await on.pilot.pause()
    for screen in on.app.screen_stack:
        for strip in screen._compositor.render_strips():
            assert strip.cell_length == width, strip.text
            assert sum(segment.cell_length for segment in strip) == width, strip.text
