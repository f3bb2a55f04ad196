"""The settings on the screen: the real program's, changed in place, saved only when asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from hermes_tui.frontends.history import History
from tests.commands.support import program
from tests.frontends.scene import Scene, played, scene


@asynccontextmanager
async def opened(tmp_path: Path, **more: Any) -> AsyncIterator[Scene]:
    """The real program on the rehearsal, its settings open."""
    (tmp_path / "work").mkdir()
    hermes = program(tmp_path / "work", tmp_path)
    hermes.history = History(hermes.start.places.history_file)
    async with scene(tmp_path / "work", hermes=cast(Any, hermes), **more) as on:
        on.app.command("/settings")
        await on.shows("Settings", "reduced_motion", "save to config.toml")
        yield on
    hermes.close()


async def go_to(on: Scene, key: str) -> None:
    """Move the cursor to a setting."""
    for _ in range(30):
        if f"❯ {key}" in on.text() or on.app.screen._chosen.key == key:  # type: ignore[attr-defined]  # our screen
            return
        await on.press("down")
    raise AssertionError(key)


@played
async def test_values_and_origins_are_shown_and_a_change_is_seen_at_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as on:
        hermes = cast(Any, on.hermes)
        await on.shows("‹ hermes-dark ›", "default", "‹ batch ›", "How a batch is planned")
        await go_to(on, "theme")
        await on.press("right")
        await on.until(lambda: on.app.theme != "hermes-dark")
        await on.shows("changed here")
        await on.press("left")
        await on.until(lambda: on.app.theme == "hermes-dark")
        await go_to(on, "reduced_motion")
        await on.press("enter")
        await on.until(lambda: on.main.panel.calm)
        assert on.app.animation_level == "none"
        await go_to(on, "vi_keys")
        await on.press("space")
        await on.until(lambda: on.main.prompt._vi is not None)
        assert not hermes.start.places.config_file.exists(), "nothing is written unasked"
        await on.press("s")
        await on.shows("vi_keys = on stands in")
        assert hermes.start.places.config_file.read_text() == "vi_keys = true\n"
        await on.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        on.app.command("/schedule serial")
        await on.until(lambda: hermes.agent.schedule == "serial")
        on.app.command("/settings")
        await on.shows("‹ serial ›", "changed here")


@played
async def test_what_counts_only_from_the_next_start_is_said(tmp_path: Path) -> None:
    async with opened(tmp_path, size=(80, 24)) as on:
        await go_to(on, "max_parallel")
        await on.shows("set in config.toml, from the next start")
        await on.press("right")
        await on.shows("cannot be changed while the program runs")
        await on.press("s")
        await on.shows("cannot be saved from here")
