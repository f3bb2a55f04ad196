"""Whoever changes every key reads no key on any screen that does nothing any more."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.config.keymap import ACTIONS, mistakes, split
from hermes_tui.engine import events as ev
from hermes_tui.frontends.receipt import Effects
from hermes_tui.frontends.tui.keymap import long, short
from tests.frontends.scene import Scene, played, scene
from tests.frontends.standin import StandIn, question

LETTERS = "abcdefghijklmnopqrstuvwxyz012345"
CHANGED = {name: f"alt+{letter}" for name, letter in zip(ACTIONS, LETTERS, strict=False)}
OLD = {
    name
    for bound in ACTIONS.values()
    for old in split(bound.keys)
    for name in (long(old), short({"help": old}, "help"))
    if len(name) > 1
}
ON_THE_PAGE = {"PgUp", "PgDn"}
"""Keys that scroll every page, whatever scrolls the conversation."""


def key(action: str) -> str:
    return short(CHANGED, action)


async def shows_no_old_key(on: Scene, *texts: str) -> None:
    shown = await on.shows(*texts)
    assert [name for name in sorted(OLD - ON_THE_PAGE) if name in shown] == []


def changed(folder: Path) -> StandIn:
    hermes = StandIn(folder)
    hermes.settings.keys = CHANGED
    return hermes


def test_every_action_can_have_another_key() -> None:
    assert set(CHANGED) == set(ACTIONS)
    assert list(mistakes(CHANGED)) == []


@played
async def test_the_conversation_and_what_is_around_it_name_the_changed_keys(tmp_path: Path) -> None:
    async with scene(tmp_path, hermes=changed(tmp_path)) as on:
        await shows_no_old_key(on, f"{key('help')} shows every key", f"{key('palette')} find anything")
        on.turn.start()
        on.turn.batch([("a", "terminal", {"command": "sleep 9"})], False, "one call")
        on.turn.began("a")
        on.main.waiting.show_outputs([("ls", True)])
        await shows_no_old_key(on, f"{key('runs')} runs", f"{key('give_output')} yes/no")
        await on.press("tab")
        await shows_no_old_key(on, f"{key('stop_call')} stop this call · {key('run_again')} run again")
        on.turn.put(ev.CheckpointMade(number=1, label="before a", files=1))
        await on.until(lambda: on.main.runs.batches[-1].checkpoints)
        on.main.way_back.offer(Effects(["a (+1 −0)"], on.main.runs.batches[-1]))
        await shows_no_old_key(on, f"Tab here, then {key('roll_back')}: roll back")


@played
async def test_questions_name_the_changed_keys_and_obey_them(tmp_path: Path) -> None:
    async with scene(tmp_path, hermes=changed(tmp_path)) as on:
        on.turn.start()
        on.turn.put(question(1, choices=[]))
        await shows_no_old_key(on, f"{key('new_line')} new line · {key('editor')} your editor")
        await on.press("tab")
        await shows_no_old_key(on, f"1 question for you: {key('questions')}")
        on.turn.put(question(2, choices=["red", "blue"]))
        await shows_no_old_key(on, f"something else ({key('editor')}: in your editor)")
        await on.press("1")
        on.turn.put(question(3, "permission"))
        await shows_no_old_key(on, f" {key('allow_once')}  once", f" {key('explain')}  say")
        await on.press("y")
        assert [said for said in on.agent.asked if said[1] == "q3"] == []
        await on.press(CHANGED["allow_once"])
        await on.until(lambda: any("q3" in map(str, said) for said in on.agent.asked))


@played
async def test_help_and_palette_name_the_changed_keys(tmp_path: Path) -> None:
    async with scene(tmp_path, (120, 90), hermes=changed(tmp_path)) as on:
        await on.press(CHANGED["help"])
        await shows_no_old_key(on, "Every key and command  [help]", "Yes, once  [allow_once]")
        await on.press("escape", CHANGED["palette"])
        await shows_no_old_key(on, "Show or hide the runs", key("recall"))
