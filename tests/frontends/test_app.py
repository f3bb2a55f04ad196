"""The screen as a whole: what is where, what the first frame has, sizes, themes, leaving."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from hermes_tui.engine import events as ev
from hermes_tui.engine.errors import UsageError
from hermes_tui.frontends.tui.app import HermesApp
from tests.frontends.scene import Scene, played, scene
from tests.frontends.standin import StandIn, Step


def shown(on: Scene) -> bool:
    """Whether the runs have a place on the screen."""
    return on.main.panel.display and on.main.panel.region.height > 0


READS: list[Step] = [("a", "read_file", {"path": "csv.py"}), ("b", "terminal", {"command": "wc -l *.py"})]


@played
async def test_the_prompt_takes_keys_from_the_first_frame(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        assert on.app.focused is on.main.prompt
        await on.press("h", "i")
        assert on.main.prompt.text == "hi"


@played
async def test_the_first_frame_says_where_we_are_who_answers_and_what_to_try(tmp_path: Path) -> None:
    for name in ("one.py", "two.py", "three.txt"):
        (tmp_path / name).write_text("x\n")
    async with scene(tmp_path) as on:
        text = await on.shows("rehearsal (no model) · batch · ask", "no language model", "/rollback")
        assert "compare one.py three.txt two.py" in text
        await on.shows("(main ±2)")


@played
async def test_few_widgets_are_mounted(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        assert len(list(on.app.screen.walk_children())) <= 20


@played
async def test_a_prompt_from_the_command_line_is_sent(tmp_path: Path) -> None:
    async with scene(tmp_path, first_prompt="compare a and b") as on:
        await on.until(lambda: on.agent.asked == [("submit", "compare a and b")])


@played
async def test_the_conversation_streams_and_the_context_is_shown(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start("say hello")
        on.turn.text("Hello **there**")
        on.turn.put(ev.ContextChanged(tokens=23_000, limit=128_000, cost=0.041, compacted=False))
        await on.shows("❯ say hello", "Hello there", "18 % of 128k · $0.04")
        on.turn.end("error", "the server said 401: check OPENAI_API_KEY")
        await on.shows("✗ the server said 401: check OPENAI_API_KEY")


@played
async def test_runs_stand_beside_the_conversation_or_above_the_prompt(tmp_path: Path) -> None:
    for width, beside in ((120, True), (100, True), (99, False), (80, False), (60, False)):
        async with scene(tmp_path, size=(width, 24)) as on:
            on.turn.start()
            on.turn.batch(READS, True, "parallel: all only read")
            on.turn.began("a", "b")
            await on.until(partial(shown, on))
            panel, talk = on.main.panel.region, on.main.query_one("#talk").region
            assert (panel.x >= talk.right) is beside
            assert (panel.y >= talk.bottom) is not beside
            assert panel.height == (talk.height if beside else 2)


@played
async def test_ctrl_t_hides_the_runs_and_brings_them_back(tmp_path: Path) -> None:
    for width in (120, 80):
        async with scene(tmp_path, size=(width, 24)) as on:
            on.turn.start()
            on.turn.batch(READS, True, "parallel: all only read")
            await on.until(partial(shown, on))
            await on.press("ctrl+t")
            assert not on.main.side.display
            await on.press("ctrl+t")
            assert on.main.side.display


@pytest.mark.parametrize("size", [(60, 16), (20, 8), (200, 60)])
def test_no_size_breaks_the_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    @played
    async def play() -> None:
        async with scene(tmp_path, size=size) as on:
            on.turn.start()
            on.turn.batch(READS, True, "parallel: all only read")
            on.turn.began("a", "b")
            on.turn.output("b", "漢字 " * 50)
            await on.until(lambda: on.main.runs.batches)
            await on.press("h", "i")
            assert on.main.prompt.text == "hi"
            assert on.main.prompt.region.height >= 1

    play()


@played
async def test_shift_tab_goes_round_the_permission_modes(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        for mode in ("edits", "all", "plan", "ask"):
            await on.press("shift+tab")
            assert f"batch · {mode}" in on.text()


@played
async def test_a_theme_is_picked_and_used_at_once(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/theme")
        await on.press("enter")
        await on.shows("Which theme?", "● hermes-dark")
        await on.press("down", "down", "down")
        await on.until(lambda: on.app.theme == "hermes-light")
        assert not on.app.current_theme.dark, "it is tried while the list is open"
        assert on.hermes.theme == "hermes-dark"
        await on.press("enter")
        await on.until(lambda: on.hermes.theme == "hermes-light")
        await on.type("/theme")
        await on.press("enter")
        await on.shows("● hermes-light")
        await on.press("up", "up")
        await on.until(lambda: on.app.theme == "hermes-ember")
        await on.press("escape")
        await on.until(lambda: on.app.theme == "hermes-light")


def test_an_unknown_theme_is_refused_before_the_screen_opens(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="hermes-dark"):
        HermesApp(StandIn(tmp_path, theme="nope"), None)


@played
async def test_help_lists_the_keys_of_the_bindings_and_the_commands(tmp_path: Path) -> None:
    async with scene(tmp_path, size=(120, 100)) as on:
        await on.press("f1")
        await on.shows("Ctrl-T", "Show or hide the runs", "Stop this call alone", "/rollback", "Shift+Tab")
        await on.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1)


@played
async def test_clear_empties_the_conversation_and_the_runs(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start("look at me")
        on.turn.batch(READS, True, "parallel: all only read")
        await on.shows("look at me", "Batch 1")
        await on.type("/clear")
        await on.press("enter")
        await on.until(lambda: "look at me" not in on.text() and "Batch 1" not in on.text())


@played
async def test_text_that_looks_like_markup_is_shown_everywhere_as_it_is(tmp_path: Path) -> None:
    """Cases g/112, g/113, g/115: in the prompt, the conversation, the runs, the status, notices, errors."""
    nasty = "[/foo] list[int] arr[i] = [1, '3'] [@click=app.quit]x[/] [/"
    async with scene(tmp_path, size=(200, 50)) as on:
        on.hermes.provider_label = nasty
        on.app.show_settings()
        on.main.status.message = nasty
        on.turn.start(nasty)
        on.turn.text("`" + nasty + "`")
        on.turn.put(ev.Notice(level="warning", text=f"notice {nasty}"))
        on.turn.batch([("a", "[/tool]", {"path": nasty})], False, f"serial: {nasty}")
        on.turn.began("a")
        on.turn.output("a", f"printed {nasty}")
        await on.shows(f"❯ {nasty}", f"! notice {nasty}", "[/tool]", f"printed {nasty[:40]}")
        on.turn.ended("a", "failed", f"content {nasty}", f"display {nasty}")
        on.turn.end("error", f"error {nasty}")
        await on.shows(f"✗ error {nasty}", f"display {nasty[:30]}")
        assert on.text().count(nasty[:38]) >= 7
        await on.press("tab", "down", "enter")
        await on.shows(f"content {nasty}")
        await on.press("escape", "escape")
        await on.type("/sure")
        await on.press("enter")
        await on.shows("Restore [#3]?", "[/foo] list[int] [@click=app.quit]x[/]")


@played
async def test_control_sequences_reach_no_widget(tmp_path: Path) -> None:
    """Cases g/116, l/184: cursor moves, screen clears, clipboard and bidi stay out of every strip drawn."""
    evil = "a\x1b[2J\x1b[1;1Hb\x1b[?1049h\x1b]0;t\x07\x1b]52;c;bHMK\x07\x9b2J\x00\u202ez"
    async with scene(tmp_path) as on:
        on.turn.start(evil)
        on.turn.text(evil)
        on.turn.batch([("a", evil, {"command": evil})], False, evil)
        on.turn.began("a")
        on.turn.output("a", evil)
        on.turn.put(ev.Notice(level="info", text=evil), ev.CheckpointMade(number=1, label=evil, files=1))
        await on.shows("checkpoint #1")
        on.turn.ended("a", "failed", evil, evil)
        on.turn.end("interrupted")
        await on.shows("Interrupted")
        for character in "\x1b\x07\x9b\x00\u202e":
            assert character not in on.text()


@pytest.mark.parametrize("way", [("ctrl+d",), ("ctrl+c", "ctrl+c")])
def test_keys_leave_when_nothing_is_written(tmp_path: Path, way: tuple[str, ...]) -> None:
    @played
    async def play() -> None:
        async with scene(tmp_path) as on:
            await on.press(*way)
            await on.until(lambda: not on.app.is_running)
            assert on.app.return_code == 0

    play()


@played
async def test_quit_leaves_and_keeps_the_draft(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("half a thought")
        on.app.ui.quit()
        await on.until(lambda: not on.app.is_running)
        assert on.hermes.history.texts == ["half a thought"]
