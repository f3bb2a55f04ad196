"""After an interrupt: what goes on is listed, and a key rolls the batch back that changed files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hermes_tui.engine import events as ev
from hermes_tui.engine.state import BackgroundInfo
from tests.frontends.scene import Scene, played, scene

OFFER = "Tab here, then r: roll back"


@dataclass
class File:
    path: str = "src/a.py"
    added: int = 3
    removed: int = 1


@dataclass
class Point:
    number: int
    files: tuple[File, ...]


@dataclass
class Store:
    points: list[Point]

    def list(self) -> list[Point]:
        return self.points


async def interrupted(on: Scene, *files: File) -> None:
    """Play a turn that is interrupted in its only batch, which has made checkpoint #12."""
    on.hermes.checkpoints = Store([Point(12, files)])
    on.turn.start()
    on.turn.batch([("a", "patch", {"path": "src/a.py"})], False, "one call")
    on.turn.put(ev.CheckpointMade(number=12, label="before patch", files=0))
    on.turn.began("a")
    on.turn.ended("a", "cancelled")
    on.turn.batch_ended()
    on.turn.end("interrupted")
    await on.shows("Interrupted by you after")


@played
async def test_the_batch_that_changed_files_is_rolled_back_with_tab_and_r(tmp_path: Path) -> None:
    for size in ((120, 32), (80, 24), (60, 16)):
        async with scene(tmp_path, size=size) as on:
            await interrupted(on, File())
            await on.shows("batch 1 · back to #12", OFFER)
            await on.press("tab")
            await on.shows("r roll back")
            await on.press("r")
            await on.shows("rolled back to 12")
            assert OFFER not in on.text()
            assert on.app.focused is on.main.prompt


@played
async def test_its_key_acts_only_while_it_has_the_focus(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await interrupted(on, File())
        await on.shows(OFFER)
        await on.type("r")
        await on.press("tab", "escape")
        assert on.main.prompt.text == "r"
        assert on.app.focused is on.main.prompt
        assert "rolled back" not in on.text()
        await on.shows(OFFER)


@played
async def test_it_goes_when_the_next_turn_begins(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await interrupted(on, File())
        await on.shows(OFFER)
        await on.press("tab")
        on.turn.start("go on")
        await on.shows("❯ go on")
        assert OFFER not in on.text()
        assert on.app.focused is on.main.prompt


@played
async def test_nothing_is_offered_where_no_file_has_changed(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await interrupted(on)
        await on.shows("no file has changed")
        assert not on.main.way_back.display


@played
async def test_what_goes_on_in_the_background_is_listed(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.hermes.background.running = [
            BackgroundInfo("p1", "npm run [dev]", True, None),
            BackgroundInfo("p2", "true", False, 0),
        ]
        await interrupted(on)
        await on.shows("goes on in the background: p1 npm run [dev]")
        assert "p2" not in on.text()
