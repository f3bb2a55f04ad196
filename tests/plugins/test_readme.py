"""The README's example of a plugin works as it stands."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Pending
from hermes_tui.plugins.load import load_plugins
from tests.tools.support import Session

README = Path(__file__).parent.parent.parent / "README.md"


def test_the_example_in_the_readme_is_a_tool_a_guard_and_a_command(tmp_path: Path) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    folder = tmp_path / "plugins"
    folder.mkdir(mode=0o755)
    (folder / "words.py").write_text(source)
    (folder / "words.py").chmod(0o644)
    found = load_plugins(folder)
    assert found.notices == []
    (tmp_path / "a.txt").write_text("one two three")
    (tool,), (guard,), (command,) = found.tools, found.guards, found.commands
    assert Session(tmp_path).run(tool, path="a.txt").content == "3"
    call = Pending("c1", "terminal", {"command": "git push"}, Footprint(Level.UNDECLARED))
    assert guard.check(call) == "ask me first"

    class Screen:
        said = ""

        def say(self, text: str) -> None:
            self.said = text

    screen = Screen()
    asyncio.run(command(None, screen, "you"))
    assert screen.said == "hello you"
