"""Makes the README's pictures: a real session is recorded, its recording is played into the real screen.

Only the checkpoint browser is not replayed: it reads the checkpoints that the session has made.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from hermes_tui.assemble import Hermes, assemble
from hermes_tui.commands.registry import load
from hermes_tui.engine.events import CallStarted, QuestionAsked, TurnFinished
from hermes_tui.frontends.history import History
from hermes_tui.frontends.host import Opening
from hermes_tui.frontends.record import Recording
from hermes_tui.frontends.replay.program import Replay
from hermes_tui.frontends.replay.read import read
from hermes_tui.frontends.tui.app import HermesApp
from hermes_tui.start import Start

HERE = Path(__file__).parent
SIZE = (116, 32)
THOUGHT = 2.0
"""Seconds in which the recorded user reads a question."""

FILES = {
    "loaders/csv.py": "def load(path):\n    f = open(path)\n    return [line.split(',') for line in f]\n",
    "loaders/json.py": "import json\n\n\ndef load(path):\n    return json.loads(path.read_text())\n",
    "loaders/toml.py": "import tomllib\n\n\ndef load(path):\n    return tomllib.loads(path.read_text())\n",
    "README.md": "# shop\n\nSells things.\n",
}
PROMPTS = (
    "compare loaders/csv.py loaders/json.py loaders/toml.py",
    "run sleep 1.5 and sleep 2.5 and read README.md and search open in loaders",
    "replace open(path) with open(path, newline='') in loaders/csv.py",
)


def project(folder: Path) -> Path:
    """Make a small project with a commit."""
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for words in (["init", "-qb", "main"], ["add", "-A"], ["commit", "-qm", "start"]):
        identity = ["-c", "user.name=u", "-c", "user.email=u@example.org"]
        subprocess.run(["git", *identity, *words], cwd=folder, check=True)
    return folder


def record(hermes: Hermes, file: Path) -> None:
    """Run the prompts, say yes after a thought to what is asked, and write every event down."""
    outbox, woken = hermes.agent.events, threading.Event()
    Recording(file).follow(outbox)
    outbox.listen(woken.set)
    for prompt in PROMPTS:
        hermes.agent.submit(prompt)
        over = False
        while not over:
            woken.wait()
            woken.clear()
            for event in outbox.drain():
                over = over or isinstance(event, TurnFinished)
                if isinstance(event, QuestionAsked):
                    answer = (event.id, "answered", "yes", "once")
                    threading.Timer(THOUGHT, hermes.agent.answer, answer).start()


async def until(pilot: Pilot[None], condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Let the app go on until the condition holds."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError("the picture's moment never came")
        await pilot.pause(0.05)


async def replayed(file: Path, folder: Path, hermes: Hermes) -> None:
    """Play the recording and export two of its moments."""
    events = read(file)
    replay = Replay(events, 1.0, folder, hermes.settings)

    def begin() -> Replay:
        replay.start()
        return replay

    began = max(event.time for event in events if isinstance(event, CallStarted) and event.batch == 2)
    app = HermesApp(Opening(folder, "hermes-dark", begin, replay.player.now), None, guards=(0.0, 0.0))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: replay.player.now() >= began + 2.0)
        save(app, "side-by-side")
        await until(pilot, lambda: app.questions.shown is not None)
        await pilot.pause(0.5)
        save(app, "permission")


async def browsed(hermes: Hermes) -> None:
    """Open the checkpoints that the session has made."""
    app = HermesApp(hermes, None, guards=(0.0, 0.0))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.connected)
        app.enter("/rollback")
        await until(pilot, lambda: len(app.screen_stack) > 1)
        await pilot.pause(0.5)
        save(app, "rollback")


def save(app: HermesApp, name: str) -> None:
    """Write one picture; the ids that Textual makes at random are made stable."""
    svg = app.export_screenshot(title="hermes-tui")
    svg = re.sub(r"terminal-\d+", f"{name}", svg)
    (HERE / f"{name}.svg").write_text(svg, "utf-8")


def main() -> None:
    """Make them all."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["HOME"] = place  # the folder's name is ~/shop then
        folder, home = project(Path(place, "shop")), Path(place)
        environ = {
            "HOME": str(home),
            "HERMES_TUI_HOME": str(home / "h"),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
        }
        hermes = assemble(Start(folder, {"provider": "rehearsal"}, environ=environ))
        hermes.commands, hermes.history = load(), History(hermes.start.places.history_file)
        record(hermes, Path(place, "session.jsonl"))
        asyncio.run(replayed(Path(place, "session.jsonl"), folder, hermes))
        asyncio.run(browsed(hermes))
        hermes.close()


if __name__ == "__main__":
    main()
