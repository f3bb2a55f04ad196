"""The first frame stands before the program is assembled; nothing that is done meanwhile is lost."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from hermes_tui.engine.errors import ConfigError
from hermes_tui.frontends.host import Hermes, Opening
from hermes_tui.frontends.tui.app import HermesApp
from tests.frontends.scene import played, screen_text
from tests.frontends.standin import StandIn


@played
async def test_what_is_typed_and_sent_before_the_program_is_there_is_kept(tmp_path: Path) -> None:
    hermes, go = StandIn(tmp_path), threading.Event()

    def assemble() -> Hermes:
        go.wait(30)
        return hermes

    app = HermesApp(Opening(tmp_path, "hermes-dark", assemble), "the first prompt", (0, 0))
    async with app.run_test(size=(100, 30)) as pilot:
        assert app.main.prompt.has_focus
        assert "F1 help" in screen_text(app)
        await pilot.press(*"early", "enter", "f1", "escape", "shift+tab")
        await pilot.press("up")
        assert app.main.prompt.text == "early"
        await pilot.press(*" on")
        assert hermes.agent.asked == []
        go.set()
        while len(hermes.agent.asked) < 2:
            await asyncio.sleep(0.01)
        assert hermes.agent.asked == [("submit", "the first prompt"), ("submit", "early")]
        assert hermes.history.texts == ["early"]
        assert app.main.prompt.text == "early on"
        await pilot.pause()
        assert "batch · ask" in screen_text(app)
        assert "rehearsal (no model)" in screen_text(app)


@played
async def test_the_program_can_be_left_before_it_is_there(tmp_path: Path) -> None:
    go = threading.Event()

    def assemble() -> Hermes:
        go.wait(30)
        return StandIn(tmp_path)

    app = HermesApp(Opening(tmp_path, "hermes-dark", assemble), None)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+c", "ctrl+c")
        while app.is_running:
            await asyncio.sleep(0.01)
    go.set()


@played
async def test_a_program_that_cannot_be_assembled_ends_with_one_line_and_its_code(tmp_path: Path) -> None:
    def assemble() -> Hermes:
        raise ConfigError("config.toml, line 3: unknown key [/x]")

    app = HermesApp(Opening(tmp_path, "hermes-dark", assemble), None)
    async with app.run_test(size=(100, 30)):
        while app.is_running:
            await asyncio.sleep(0.01)
    assert app.return_code == 2
