"""While the model works: messages wait where they are seen, or go into the running turn."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.engine import events as ev
from tests.frontends.scene import played, scene
from tests.frontends.standin import StandIn


@played
async def test_waiting_messages_are_shown_in_their_order_and_the_last_comes_back(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        for text in ("first then", "second then"):
            await on.type(text)
            await on.press("enter")
        screen = await on.shows("⋯ first then", "⋯ second then", "queued · ↑ edits", "2 messages waiting")
        assert screen.index("first then") < screen.index("second then")
        await on.press("up")
        assert on.main.prompt.text == "second then"
        await on.until(lambda: "⋯ second then" not in on.text())
        await on.type("!")
        await on.press("enter")
        await on.shows("⋯ first then", "⋯ second then!")


@played
async def test_of_many_the_newest_are_shown(tmp_path: Path) -> None:
    async with scene(tmp_path, size=(60, 16)) as on:
        on.turn.start()
        on.agent.queued += [f"message {number}" for number in range(9)]
        on.app.show_settings()
        await on.shows("⋮ 8 more", "⋯ message 8")
        assert "message 7" not in on.text()
        assert on.main.prompt.region.height == 1


@played
async def test_an_interrupt_keeps_them_back_until_the_user_sends(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.type("later")
        await on.press("enter", "escape")
        on.turn.end("interrupted")
        await on.shows("⋯ later", "held back: Enter sends · ↑ edits")
        assert on.agent.asked == [("submit", "later"), ("interrupt", None, False)]


@played
async def test_ctrl_s_gives_a_message_to_the_running_turn(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.type("use the other file")
        await on.press("ctrl+s")
        await on.until(lambda: on.agent.asked == [("steer", "use the other file")])
        await on.shows("↪ use the other file", "at its next step")
        on.turn.put(ev.Notice(level=ev.STEERED, text="use the other file"))
        await on.shows("❯ use the other file")
        assert "↪" not in on.text()
        await on.type("now idle")
        on.turn.end()
        await on.until(lambda: not on.main.status.running)
        await on.press("ctrl+s")
        await on.until(lambda: on.agent.asked[-1] == ("submit", "now idle"))


@played
async def test_a_setting_makes_enter_steer_and_ctrl_s_queue(tmp_path: Path) -> None:
    hermes = StandIn(tmp_path)
    hermes.settings.while_working = "steer"
    async with scene(tmp_path, hermes=hermes) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.type("now")
        await on.press("enter")
        await on.type("later")
        await on.press("ctrl+s")
        await on.until(lambda: on.agent.asked == [("steer", "now"), ("submit", "later")])


@played
async def test_what_did_not_reach_the_turn_waits_with_the_others(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        await on.until(lambda: on.main.status.running)
        await on.type("too late")
        await on.press("ctrl+s")
        await on.shows("↪ too late")
        on.agent.queued.append("too late")  # as the engine does with what the model never got
        on.turn.end("interrupted")
        await on.shows("⋯ too late", "held back")
        assert "↪" not in on.text()
