"""The key ladder on the screen: stop, kill, clear, copy, leave; Esc; another key between."""

from __future__ import annotations

from pathlib import Path

from textual.geometry import Offset
from textual.selection import Selection

from tests.frontends.scene import played, scene

STOP, KILL = ("interrupt", None, False), ("interrupt", None, True)


@played
async def test_ctrl_c_stops_then_kills_then_leaves(tmp_path: Path) -> None:
    """Cases c/41."""
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.press("ctrl+c")
        assert on.agent.asked == [STOP]
        assert "Ctrl-C again: at once" in on.text()
        await on.press("ctrl+c")
        assert on.agent.asked == [STOP, KILL]
        await on.press("ctrl+c")
        await on.until(lambda: not on.app.is_running)


@played
async def test_a_double_press_stops_and_does_not_leave(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.press("ctrl+c")
        on.turn.end("interrupted")
        await on.until(lambda: not on.main.status.running)
        await on.press("ctrl+c")
        await on.shows("Ctrl-C again: leave")
        assert on.app.is_running


@played
async def test_the_next_message_is_sent_at_once_after_an_interrupt(tmp_path: Path) -> None:
    """Cases c/46."""
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.press("ctrl+c")
        on.turn.end("interrupted")
        await on.type("hi")
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [STOP, ("submit", "hi")])


@played
async def test_ctrl_c_clears_the_line_into_the_history(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("not yet")
        await on.press("ctrl+c")
        assert on.main.prompt.text == ""
        assert on.app.is_running
        await on.press("up")
        assert on.main.prompt.text == "not yet"


@played
async def test_another_key_between_two_presses_keeps_the_program(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.press("ctrl+c", "a", "backspace", "ctrl+c")
        await on.pilot.pause()
        assert on.app.is_running


@played
async def test_ctrl_c_copies_what_is_selected_in_the_prompt_or_the_conversation(tmp_path: Path) -> None:
    """Cases c/37, g/128: with a selection it copies, and nothing else; the next press is free again."""
    async with scene(tmp_path) as on:
        on.turn.start("some words of mine")
        await on.shows("some words")
        await on.type("draft")
        on.main.prompt.select_all()
        await on.press("ctrl+c")
        assert (on.app.clipboard, on.main.prompt.text, on.agent.asked) == ("draft", "draft", [])
        whole = Selection(Offset(0, 0), None)
        on.app.screen.selections = {on.main.transcript: whole}
        await on.press("ctrl+c")
        assert "some words of mine" in on.app.clipboard
        assert on.agent.asked == []
        await on.press("ctrl+c")
        assert not on.app.is_running or on.agent.asked == [STOP]


@played
async def test_escape_stops_what_runs_and_says_so(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.press("escape", "escape")
        assert on.agent.asked == [STOP]
        await on.shows("stopping")
        on.turn.end("interrupted")
        await on.until(lambda: "stopping" not in on.text())


@played
async def test_escape_twice_when_idle_opens_the_checkpoints(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.hermes.checkpoints = NoCheckpoints()
        await on.type("kept")
        await on.press("escape")
        await on.shows("Esc again: checkpoints")
        await on.press("escape")
        await on.shows("no checkpoints yet")
        assert on.main.prompt.text == "kept"


class NoCheckpoints:
    """A store in which nothing is yet."""

    def list(self) -> list[object]:
        return []


@played
async def test_ctrl_d_deletes_while_something_is_written(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("ab")
        await on.press("home", "ctrl+d")
        assert on.main.prompt.text == "b"
        await on.press("ctrl+d", "ctrl+d")
        await on.until(lambda: not on.app.is_running)


@played
async def test_another_key_takes_back_that_a_second_press_would_count(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        for key, said in (("escape", "Esc again"), ("ctrl+c", "Ctrl-C again")):
            await on.press(key)
            await on.shows(said)
            await on.press("a", "backspace")
            assert said not in on.text()
