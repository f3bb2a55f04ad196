"""What the transcript's tests share: a canvas without colours, an app with nothing else, waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic

from hypothesis import settings
from rich.style import Style
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from hermes_tui.frontends.tui.widgets.transcript import Entry, Transcript
from hermes_tui.frontends.tui.widgets.transcript.canvas import ROLES, Canvas, Line

SIZE = (100, 30)
UNHURRIED = settings(deadline=None, max_examples=60)
"""For property tests: how long one example takes says nothing on a busy machine."""


def canvas(width: int = 60) -> Canvas:
    return Canvas(width, dict.fromkeys(ROLES, Style.null()), Style.null())


def texts(lines: Sequence[Line]) -> list[str]:
    return [line.text.rstrip() for line in lines]


class Stage(App[None]):
    """Only the transcript."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        super().__init__()
        self.entries = entries
        self.news: list[bool] = []

    def compose(self) -> ComposeResult:
        yield Transcript()

    def on_mount(self) -> None:
        self.transcript.load(self.entries)
        self.transcript.focus()

    def on_viewport_news(self, message: Transcript.News) -> None:
        self.news.append(message.has_news)

    @property
    def transcript(self) -> Transcript:
        return self.query_one(Transcript)

    def rows(self) -> list[str]:
        """Return what is on the screen, line by line, without the margin and the blanks at the end."""
        seen = self.transcript
        return [seen.render_line(y).text[1:].rstrip() for y in range(seen.size.height)]


async def until(pilot: Pilot[None], condition: Callable[[], object], seconds: float = 10) -> None:
    """Wait for a condition, failing after `seconds`."""
    deadline = monotonic() + seconds
    while not condition():
        assert monotonic() < deadline, "the condition did not come true"
        await asyncio.sleep(0.01)
    await pilot.pause()  # what follows from it, such as the scroll bar, is laid out too
