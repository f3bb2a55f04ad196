"""Ctrl+F: the conversation searched, with a count, marks, and ways from match to match."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.scene import Scene, played, scene


async def talk(on: Scene) -> None:
    on.turn.start("where is the needle")
    on.turn.text(
        "\n\n".join(f"line {n}, with a **needle** in it" if n % 20 == 0 else f"line {n}" for n in range(60))
    )
    on.turn.end()
    await on.shows("line 59")


@played
async def test_matches_are_counted_marked_and_visited_from_the_newest_up(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await talk(on)
        await on.press("ctrl+f")
        await on.type("NEEDLE")
        await on.shows("4 of 4", "line 40, with a needle")
        await on.press("enter")
        await on.shows("3 of 4", "line 20, with a needle")
        await on.press("down")
        await on.shows("4 of 4", "line 40, with a needle")
        await on.press("up", "ctrl+f", "up")
        await on.shows("1 of 4", "❯ where is the needle")
        await on.press("up")
        await on.shows("4 of 4")
        await on.press("escape")
        assert on.app.focused is on.main.prompt
        assert "4 of 4" not in on.text()


@played
async def test_enter_before_the_search_has_begun_searches_first(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await talk(on)
        await on.press("ctrl+f", *"needle", "enter")
        await on.shows("4 of 4")


@played
async def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await talk(on)
        await on.press("ctrl+f")
        await on.type("[/nothing")
        await on.shows("nothing found")


@played
async def test_a_folded_detail_opens_for_its_match(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch([("a", "read_file", {"path": "a.py"})], False, "serial: one call")
        on.turn.began("a")
        on.turn.ended("a", "ok", "hidden treasure\nmore", "2 lines")
        on.turn.batch_ended()
        on.turn.end()
        await on.shows("2 lines")
        assert "hidden treasure" not in on.main.transcript.text()
        await on.press("ctrl+f")
        await on.type("treasure")
        await on.until(lambda: "hidden treasure" in on.main.transcript.text())


@played
async def test_the_draft_stays_and_the_search_is_there_again(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await talk(on)
        await on.type("a draft")
        await on.press("ctrl+f")
        await on.type("line 5")
        await on.shows("of 11")
        await on.press("escape")
        assert on.main.prompt.text == "a draft"
        await on.press("ctrl+f")
        await on.shows("find line 5", "of 11")


@played
async def test_the_end_is_one_key_away(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await talk(on)
        await on.press("pageup", "pageup")
        await on.until(lambda: "line 59" not in on.text())
        on.turn.start("more")
        on.turn.text("the newest line")
        await on.shows("↓ more below")
        await on.press("ctrl+end")
        await on.shows("the newest line")
        assert "more below" not in on.text()
