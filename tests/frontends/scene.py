"""The real app in a headless terminal of a given size, with a stand-in behind it; waits on conditions."""

from __future__ import annotations

import asyncio
import html
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from textual import events
from textual.pilot import Pilot

from hermes_tui.frontends.tui.app import HermesApp
from hermes_tui.frontends.tui.screens.main import MainScreen
from tests.frontends.standin import StandIn, StandInAgent, Turn

P = ParamSpec("P")
NAMES = {"/": "slash", " ": "space"}
GAP = 0.011
"""Seconds between typed keys: a fast hand, no burst."""


@dataclass
class Scene:
    """What a test looks at and what it does."""

    app: HermesApp
    pilot: Pilot[None]
    hermes: StandIn
    turn: Turn

    @property
    def main(self) -> MainScreen:
        return self.app.main

    @property
    def agent(self) -> StandInAgent:
        return self.hermes.agent

    async def until(self, condition: Callable[[], Any], seconds: float = 10.0) -> None:
        """Wait until the condition holds; fail with what is on the screen."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"the condition never held\n{self.text()}"
            await self.pilot.pause(0.03)

    async def shows(self, *texts: str) -> str:
        """Wait until all the texts are on the screen; return it."""
        await self.until(lambda: all(text in self.text() for text in texts))
        return self.text()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Press the keys of a text, more slowly than a burst."""
        for character in text:
            await asyncio.sleep(GAP)
            self.app.post_message(events.Key(NAMES.get(character, character), character))
        await asyncio.sleep(GAP)
        await self.pilot.pause()

    def text(self) -> str:
        """Return the screen as plain lines."""
        return screen_text(self.app)


def screen_text(app: HermesApp) -> str:
    """Return what the terminal shows, dialogs included, a line each."""
    lines: dict[float, list[tuple[float, str]]] = {}
    pattern = r'<text[^>]*? x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>'
    for x, y, text in re.findall(pattern, app.export_screenshot()):
        lines.setdefault(float(y), []).append((float(x), html.unescape(text).replace("\xa0", " ")))
    rows = []
    for y in sorted(lines):
        row = ""
        for x, text in sorted(lines[y]):
            row = row.ljust(round(x / 12.2)) + text
        rows.append(row.rstrip())
    return "\n".join(rows)


@asynccontextmanager
async def scene(
    folder: Path,
    size: tuple[int, int] = (120, 32),
    guards: tuple[float, float] = (0.0, 0.0),
    first_prompt: str | None = None,
    hermes: StandIn | None = None,
) -> AsyncIterator[Scene]:
    """Run the app until the block ends; `guards` as in `HermesApp`, none by default."""
    hermes = hermes or StandIn(folder)
    app = HermesApp(hermes, first_prompt, guards)
    async with app.run_test(size=size) as pilot:
        on = Scene(app, pilot, hermes, Turn(hermes.agent))
        await on.until(lambda: app.main.topbar.schedule)
        yield on


def played(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an async test to its end."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def main() -> None:
            await test(*args, **kwargs)

        asyncio.run(main())

    return run
