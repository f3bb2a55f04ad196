"""The prompt: sending, lines, history, completions, bursts, pastes, wide characters, the queue."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual import events

from hermes_tui.frontends.pastes import Pastes, clean
from hermes_tui.frontends.tui.widgets.prompt.drafts import Drafts
from tests.frontends.scene import Scene, played, scene


def burst(on: Scene, *keys: str) -> None:
    """Bring keys as one read of the terminal does: all at once."""
    for key in keys:
        character = {"enter": "\r", "ctrl+j": "\n"}.get(key, key)
        on.app.post_message(events.Key(key, character))


@played
async def test_enter_sends_and_empties_the_prompt(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("hi there")
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("submit", "hi there")])
        assert on.main.prompt.text == ""
        assert on.hermes.history.texts == ["hi there"]


@played
async def test_an_empty_prompt_sends_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("  ")
        await on.press("enter")
        await on.pilot.pause()
        assert on.agent.asked == []


@played
async def test_ctrl_j_and_shift_enter_make_lines_and_the_prompt_grows_to_eight(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        for key in ["ctrl+j", "shift+enter"] * 6:
            await on.type("x")
            await on.press(key)
        await on.until(lambda: on.main.prompt.region.height == 8)
        assert on.main.prompt.text == "x\n" * 12
        await on.press("enter")
        await on.until(lambda: on.main.prompt.region.height == 1)


@played
async def test_the_history_is_walked_and_no_draft_is_lost(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.hermes.history.texts += ["first", "second\nwith two lines"]
        await on.type("a draft")
        await on.press("up")
        assert on.main.prompt.text == "second\nwith two lines"
        await on.press("up", "up")
        assert on.main.prompt.text == "first"
        await on.type("!")
        await on.press("down", "down", "down")
        assert on.main.prompt.text == "a draft"
        await on.press("up", "up", "up")
        assert on.main.prompt.text == "first!"


def test_a_walk_through_the_history_stops_at_its_ends() -> None:
    drafts = Drafts(lambda: ["one"])
    assert drafts.move(1, "d") is None
    assert drafts.move(-1, "d") == "one"
    assert drafts.move(-1, "one") is None
    assert drafts.move(1, "one") == "d"


@played
async def test_a_slash_offers_commands_and_tab_takes_one(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/")
        await on.shows("❯ /clear", "/rollback  List the checkpoints")
        await on.type("r")
        await on.until(lambda: "/clear" not in on.text())
        await on.press("tab")
        assert on.main.prompt.text == "/rollback"
        await on.until(lambda: not on.main.completions.shown)


@played
async def test_arrows_choose_a_completion_and_enter_takes_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/s")
        await on.shows("❯ /say")
        await on.press("down", "enter")
        assert on.main.prompt.text == "/sure"
        assert len(on.app.screen_stack) == 1


@played
async def test_enter_runs_a_complete_command_even_while_completions_show(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/say")
        await on.press("enter")
        await on.shows("said")
        assert on.main.prompt.text == ""


@played
async def test_a_command_takes_its_argument(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/say [b]hello[/]")
        await on.press("enter")
        await on.shows("said [b]hello[/]")
        assert on.agent.asked == []


@played
async def test_escape_closes_the_completions_only(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("/s")
        await on.until(lambda: on.main.completions.shown)
        await on.press("escape")
        assert not on.main.completions.shown
        assert on.main.prompt.text == "/s"


@played
async def test_lines_that_come_in_a_burst_are_one_draft(tmp_path: Path) -> None:
    """Cases g/119: a paste without brackets; only a real Enter after a pause sends it."""
    async with scene(tmp_path) as on:
        burst(on, "a", "enter", "b", "enter")
        await on.until(lambda: on.main.prompt.text == "a\nb\n")
        await on.pilot.pause(0.15)
        assert on.agent.asked == []
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("submit", "a\nb")])


@played
async def test_a_line_that_comes_with_its_enter_in_one_piece_is_sent(tmp_path: Path) -> None:
    """What a program or a terminal without paste brackets sends as one line ends with one Enter."""
    async with scene(tmp_path) as on:
        burst(on, *"hi", "enter")
        await on.until(lambda: on.agent.asked == [("submit", "hi")])
        burst(on, *"/say", "enter")
        await on.shows("said")


@played
async def test_wide_characters_are_moved_over_and_deleted_whole(tmp_path: Path) -> None:
    """Cases g/118: by grapheme and by cell."""
    async with scene(tmp_path) as on:
        prompt = on.main.prompt
        for character in "漢字ab":
            on.app.post_message(events.Key(character, character))
        await on.until(lambda: prompt.text == "漢字ab")
        x = prompt.cursor_screen_offset.x
        await on.press("left", "left", "left")
        assert x - prompt.cursor_screen_offset.x == 4
        await on.press("delete")
        assert prompt.text == "漢ab"
        await on.press("backspace", "right")
        assert prompt.text == "ab"
        assert prompt.cursor_location == (0, 1)


@pytest.mark.parametrize("grapheme", ["e\u0301", "👨‍👩‍👧", "❤️"])
def test_a_grapheme_of_several_characters_is_one_step(tmp_path: Path, grapheme: str) -> None:
    @played
    async def play() -> None:
        async with scene(tmp_path) as on:
            prompt = on.main.prompt
            prompt.put(f"a{grapheme}b")
            await on.press("left", "left")
            assert prompt.cursor_location == (0, 1)
            await on.press("right")
            assert prompt.cursor_location == (0, 1 + len(grapheme))
            await on.press("backspace")
            assert prompt.text == "ab"

    play()


@played
async def test_a_huge_paste_is_a_placeholder_that_expands_when_sent(tmp_path: Path) -> None:
    """Cases g/121: 2 MB with an end-of-paste sequence and controls in it; the prompt stays fluid."""
    async with scene(tmp_path) as on:
        huge = "first\r" + "line \x1b[201~of text\x07\r\n" * 100_000
        begun = time.monotonic()
        on.app.post_message(events.Paste(huge))
        await on.until(lambda: on.main.prompt.text == "[pasted #1: 100002 lines]")
        assert time.monotonic() - begun < 5
        await on.type(" fix it")
        await on.press("enter")
        await on.until(lambda: on.agent.asked)
        _, sent = on.agent.asked[0]
        assert sent == "first\n" + "line of text␇\n" * 100_000 + " fix it"


@played
async def test_a_short_paste_stays_readable_and_replaces_the_selection(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("old")
        on.main.prompt.select_all()
        on.app.post_message(events.Paste("one\r\ntwo"))
        await on.until(lambda: on.main.prompt.text == "one\ntwo")


@played
async def test_backspace_takes_a_placeholder_whole(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.app.post_message(events.Paste("x" * 5_000))
        await on.until(lambda: on.main.prompt.text == "[pasted #1: 5000 characters]")
        await on.press("backspace")
        assert on.main.prompt.text == ""


def test_two_pastes_expand_each_to_its_own_text() -> None:
    pastes = Pastes()
    first, second = pastes.take("a" * 2_000), pastes.take("b" * 2_000)
    assert pastes.expand(f"{second} and {first}") == "b" * 2_000 + " and " + "a" * 2_000


def test_pasted_text_keeps_its_lines_and_nothing_live() -> None:
    assert clean("a\rb\r\nc\x1b[31mred\x1b[0m\td") == "a\nb\ncred\td"


@played
async def test_a_message_waits_while_a_turn_runs_and_can_be_taken_back(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.type("and then")
        await on.press("enter")
        await on.shows("1 message waiting")
        await on.press("up")
        await on.until(lambda: on.main.prompt.text == "and then")
        assert on.agent.queued == []
        await on.until(lambda: "message waiting" not in on.text())


@played
async def test_enter_on_an_empty_prompt_sends_what_an_interrupt_kept_waiting(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.type("later")
        await on.press("enter", "escape")
        on.turn.end("interrupted")
        await on.until(lambda: not on.main.status.running)
        assert on.agent.asked[-1] == ("interrupt", None, False)
        await on.press("enter")
        await on.until(lambda: on.agent.asked[-1] == ("submit", "later"))


@played
async def test_what_was_written_is_undone_and_done_again(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.type("one")
        on.app.post_message(events.Paste(" two"))
        await on.until(lambda: on.main.prompt.text == "one two")
        await on.press("ctrl+z")
        assert on.main.prompt.text == "one"
        await on.press("ctrl+y")
        assert on.main.prompt.text == "one two"


@played
async def test_a_collapsed_paste_can_be_opened(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        for name in ("first", "second"):
            on.app.post_message(events.Paste(f"{name} log\n" * 20))
            await on.until(lambda: "[pasted" in on.main.prompt.text)
            await on.type(" and ")
        await on.press("home", "ctrl+o")
        await on.shows("[pasted #1: 21 lines]", "first log")
        await on.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        await on.press("end", "ctrl+o")
        await on.shows("second log")


@played
async def test_ctrl_o_unfolds_the_newest_detail_when_nothing_is_pasted(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch([("a", "read_file", {"path": "a.py"})], False, "serial: one call")
        on.turn.began("a")
        on.turn.ended("a", "ok", "line of the file\nmore", "2 lines")
        on.turn.end()
        await on.until(lambda: "2 lines" in on.main.transcript.text())
        await on.press("ctrl+o")
        await on.until(lambda: "line of the file" in on.main.transcript.text())
        await on.press("ctrl+o")
        await on.until(lambda: "line of the file" not in on.main.transcript.text())
