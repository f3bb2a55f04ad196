"""`hermes-tui replay FILE`: into the full screen, or as text where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hermes_tui.engine import events as ev
from hermes_tui.frontends.plain.asks import Clarify, Permission
from hermes_tui.frontends.plain.lines import put, width
from hermes_tui.frontends.plain.paper import Paper
from hermes_tui.frontends.plain.tell import Teller
from hermes_tui.frontends.replay.player import Player
from hermes_tui.frontends.replay.program import Replay
from hermes_tui.frontends.replay.read import read
from hermes_tui.frontends.runs import Runs
from hermes_tui.start import Start, load_settings


def run(start: Start, name: str, speed: float | None, plain: bool) -> int:
    """Play file `name` at `speed` times the recorded pace, 0: at once; return the exit code.

    None: at the recorded pace on a terminal, at once elsewhere. Raises `UsageError` when it is no recording.
    """
    events = read(start.folder / Path(name).expanduser())
    if speed is None:
        speed = 1.0 if sys.stdout.isatty() else 0.0
    if not plain:
        return on_screen(events, speed, start)
    colour = sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
    as_text(events, speed, start.folder, colour and not os.environ.get("NO_COLOR"))
    return 0


def as_text(events: Sequence[ev.Event], speed: float, folder: Path, colour: bool) -> None:
    """Tell a recording in lines, to the end."""
    paper = Paper(put, width, colour)
    teller = Teller(paper, Runs(folder))
    for event in Player(events, speed).paced():
        if isinstance(event, ev.TurnStarted) and event.agent is None:
            paper.line(f"you> {event.prompt}", "strong")
        teller.take(event)
        if isinstance(event, ev.QuestionAsked):
            kind = Permission if event.kind == "permission" else Clarify
            head = f"Question {event.position} of {event.total}" if event.total > 1 else "Question"
            for line in kind(event, head, lambda reply: None).lines():
                paper.spans(line)


def on_screen(events: Sequence[ev.Event], speed: float, start: Start) -> int:
    """Play a recording into the full screen, which stays open at its end; return the exit code."""
    from hermes_tui.frontends.host import Opening
    from hermes_tui.frontends.tui.app import HermesApp

    replay = Replay(events, speed, start.folder, load_settings(start).settings)

    def begin() -> Replay:
        replay.start()
        return replay

    opening = Opening(start.folder, replay.theme, begin, replay.player.now, known=True)
    return HermesApp(opening, None).run_to_exit()
