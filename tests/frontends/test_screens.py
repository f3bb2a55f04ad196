"""The screens over the conversation: confirm, choose, output, checkpoints."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hermes_tui.engine.errors import CheckpointError
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


@dataclass
class Point:
    number: int
    label: str
    time: float = field(default_factory=time.time)
    kind: str = "call"
    files: tuple[str, ...] = ("a",)
    not_covered: tuple[tuple[str, str], ...] = ()


@dataclass
class Item:
    path: str
    action: str
    reason: str = ""
    added: int = 0
    removed: int = 0


@dataclass
class Preview:
    items: list[Item]
    notes: tuple[str, ...] = ()


class Store:
    """Three checkpoints: one cannot be previewed, after one nothing changed."""

    def list(self) -> list[Point]:
        return [
            Point(12, "before pytest [/x]"),
            Point(11, "before patch", files=("a", "b")),
            Point(10, "before sleep 1", files=()),
        ]

    def preview(self, number: int) -> Preview:
        if number == 11:
            raise CheckpointError("a file of #11 is missing in the store")
        keep = Item("README[/].md", "keep", "you edited it since")
        return Preview([Item("src/a.py", "restore", added=1, removed=3), keep])

    def difference(self, of: Preview) -> str:
        return "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x[/]\n+y\n"


@played
async def test_checkpoints_are_browsed_and_one_is_gone_back_to(tmp_path: Path) -> None:
    for size in ((120, 32), (80, 24)):
        async with scene(tmp_path, size=size) as on:
            on.hermes.checkpoints = Store()
            await command(on, "/rollback")
            await on.shows("#12", "before pytest [/x]", "before patch", "2 files")
            assert "before sleep 1" not in on.text(), "nothing changed after it"
            await on.shows("restore  src/a.py  +1 −3", "keep     README[/].md  you edited it since", "-x[/]")
            await on.press("down")
            await on.shows("a file of #11 is missing in the store")
            await on.press("up", "enter")
            await on.shows("rolled back to 12")


@played
async def test_leaving_the_checkpoints_changes_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.hermes.checkpoints = Store()
        await command(on, "/rollback")
        await on.shows("#12")
        await on.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert "rolled back" not in on.text()
