"""`!command`: run by the user himself, seen at once, stopped by Ctrl-C, told to the model on choice."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.scene import Scene, played, scene


async def run(on: Scene, line: str) -> None:
    await on.type(line)
    await on.press("enter")


@played
async def test_a_command_runs_in_the_folder_and_is_shown_with_its_end(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("!")
        await on.shows("$ !")
        await run(on, "pwd; echo [/foo]; exit 3")
        await on.shows("! pwd; echo [/foo]; exit 3", str(tmp_path)[-20:], "[/foo]", "✗ exit code 3")
        assert on.agent.asked == []
        assert on.hermes.history.texts == ["!pwd; echo [/foo]; exit 3"]


@played
async def test_its_output_is_seen_while_it_runs_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await run(on, "!echo begun; sleep 60")
        await on.shows("begun", "◐ running")
        await on.press("ctrl+c")
        await on.shows("✗ stopped by you after")
        assert not on.app.sending.shells.running
        assert on.app.is_running
        assert on.agent.asked == []


@played
async def test_ctrl_c_stops_the_command_and_leaves_the_turn_alone(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await run(on, "!sleep 60")
        await on.until(lambda: on.app.sending.shells.running)
        await on.press("ctrl+c")
        await on.until(lambda: not on.app.sending.shells.running)
        assert on.agent.asked == []
        await on.press("x", "backspace", "ctrl+c")
        await on.until(lambda: on.agent.asked == [("interrupt", None, False)])


@played
async def test_the_model_learns_of_it_only_when_it_is_ticked(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await run(on, "!echo secret")
        await on.shows("☐ output of ! echo secret")
        await run(on, "hello")
        await on.until(lambda: on.agent.asked == [("submit", "hello")])
        assert on.hermes.told == []
        await on.until(lambda: "output of !" not in on.text())
        await run(on, "!echo wanted")
        await on.shows("☐ output of ! echo wanted")
        await on.press("ctrl+b")
        await on.shows("☑ output of ! echo wanted")
        await run(on, "and now?")
        await on.until(lambda: on.agent.asked[-1] == ("submit", "and now?"))
        assert on.hermes.told == ["The user ran a command himself (exit code 0):\n$ echo wanted\nwanted"]


@played
async def test_two_marks_tick_it_from_the_start(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await run(on, "!!echo for you")
        await on.shows("☑ output of ! echo for you")


@played
async def test_long_output_shows_its_end_and_unfolds(tmp_path: Path) -> None:
    async with scene(tmp_path, size=(100, 60)) as on:
        await run(on, "!seq 1 40")
        await on.shows("▸ 28 more lines above", "   29 ", "   40 ")
        assert "   28 " not in on.text()
        await on.press("ctrl+o")
        await on.shows("▾ all lines", "   1 ", "   28 ")


@played
async def test_a_flood_of_lines_does_not_hold_the_prompt(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await run(on, "!seq 1 300000")
        await on.type("meanwhile")
        assert on.main.prompt.text == "meanwhile"
        await on.shows("300000")


@played
async def test_a_mark_alone_runs_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await run(on, "!")
        await on.shows("write a command behind the !")
        assert not on.app.sending.shells.running
