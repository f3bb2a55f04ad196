"""Makes the README's pictures: the real app, real calls on real files, the screen exported as SVG."""

from __future__ import annotations

import asyncio
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from hermes_tui.assemble import assemble
from hermes_tui.commands.registry import load
from hermes_tui.frontends.history import History
from hermes_tui.frontends.tui.app import HermesApp
from hermes_tui.start import Start

HERE = Path(__file__).parent
SIZE = (116, 32)

FILES = {
    "loaders/csv.py": "def load(path):\n    f = open(path)\n    return [line.split(',') for line in f]\n",
    "loaders/json.py": "import json\n\n\ndef load(path):\n    return json.loads(path.read_text())\n",
    "loaders/toml.py": "import tomllib\n\n\ndef load(path):\n    return tomllib.loads(path.read_text())\n",
    "README.md": "# shop\n\nSells things.\n",
}


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


async def until(pilot: Pilot[None], condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Let the app go on until the condition holds."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError("the picture's moment never came")
        await pilot.pause(0.05)


async def show(folder: Path, home: Path) -> None:
    """Play a short session and export its screens."""
    environ = {
        "HOME": str(home),
        "HERMES_TUI_HOME": str(home / "hermes"),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }
    hermes = assemble(Start(folder, {"provider": "rehearsal"}, environ=environ))
    hermes.commands, hermes.history = load(), History(hermes.start.places.history_file)
    app = HermesApp(hermes, None, guards=(0.0, 0.0))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.connected)

        def busy() -> bool:
            return hermes.agent.busy

        app.enter("compare loaders/csv.py loaders/json.py loaders/toml.py")
        await until(pilot, lambda: not busy())
        app.enter("run sleep 1.5 and sleep 2.5 and read README.md and search open in loaders")
        await until(pilot, lambda: busy() and "search_files" in app.export_screenshot())
        await pilot.pause(2.0)
        save(app, "side-by-side")
        await until(pilot, lambda: not busy())
        app.enter("replace open(path) with open(path, newline='') in loaders/csv.py")
        await until(pilot, lambda: app.questions.shown is not None)
        await pilot.pause(0.3)
        save(app, "permission")
        await pilot.press("y")
        await until(pilot, lambda: not busy())
        app.enter("/rollback")
        await until(pilot, lambda: len(app.screen_stack) > 1)
        await pilot.pause(0.5)
        save(app, "rollback")
    hermes.close()


def save(app: HermesApp, name: str) -> None:
    """Write one picture; the ids that Textual makes at random are made stable."""
    svg = app.export_screenshot(title="hermes-tui")
    svg = re.sub(r"terminal-\d+", f"{name}", svg)
    (HERE / f"{name}.svg").write_text(svg, "utf-8")


def main() -> None:
    """Make them all."""
    with tempfile.TemporaryDirectory() as place:
        folder, home = Path(place, "shop"), Path(place, "home")
        home.mkdir()
        asyncio.run(show(project(folder), home))


if __name__ == "__main__":
    main()
