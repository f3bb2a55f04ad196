"""Ctrl+R: what was sent before, in any session, found by words of it."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.frontends.offers import of_history
from tests.frontends.scene import played, scene


def test_the_newest_comes_first_each_once_and_every_word_has_to_be_there() -> None:
    texts = ["fix the CSV loader", "run the tests", "fix the json loader", "run the tests"]
    assert [offer.write for offer in of_history(texts, "")] == [
        "run the tests",
        "fix the json loader",
        "fix the CSV loader",
    ]
    assert [offer.write for offer in of_history(texts, "loader csv")] == ["fix the CSV loader"]
    assert of_history(texts, "nothing like it") == []


@played
async def test_typing_searches_and_enter_takes_without_sending(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.hermes.history.texts += ["explain the loader", "fix the loader\nand test it", "run the tests"]
        await on.press("ctrl+r")
        await on.shows("history: type to search", "1 of 3", "❯ run the tests")
        await on.type("loader")
        await on.shows("1 of 2", "❯ fix the loader⏎and test it")
        await on.press("ctrl+r")
        await on.shows("❯ explain the loader")
        await on.press("up", "enter")
        assert on.main.prompt.text == "fix the loader\nand test it"
        assert on.agent.asked == []
        assert not on.main.completions.shown
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("submit", "fix the loader\nand test it")])


@played
async def test_escape_gives_the_draft_back(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.hermes.history.texts += ["run the tests"]
        await on.type("run")
        await on.press("ctrl+r")
        await on.type(" xyz")
        await on.shows("nothing found")
        await on.press("enter")
        assert on.agent.asked == []
        await on.press("escape")
        assert on.main.prompt.text == "run"
        assert "history:" not in on.text()


@played
async def test_a_huge_entry_comes_back_as_a_placeholder_and_is_sent_whole(tmp_path: Path) -> None:
    huge = "line of a log\n" * 5_000
    async with scene(tmp_path) as on:
        on.hermes.history.texts += [huge]
        await on.press("up")
        assert on.main.prompt.text == "[pasted #1: 5001 lines]"
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("submit", huge.strip())])
