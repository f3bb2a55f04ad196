"""A tool that does not stop, in a real pseudo-terminal: the program goes on without it, and can be left."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.support.server import Call, ScriptedServer, calls, say
from tests.support.terminal import COMMAND, Terminal

PLUGIN: Final = '''
"""A tool that never looks at its token: it ends when the file let-go is there."""
import time
from pathlib import Path
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.messages import ToolSchema
from hermes_tui.engine.protocols import Result

class Deaf:
    name = "deaf"
    for_agents = False
    schema = ToolSchema("deaf", "Does not stop.", {"type": "object", "properties": {}})
    def footprint(self, arguments, folder): return Footprint(Level.SAFE)
    def preview(self, arguments, folder): return ""
    def missing(self): return None
    def run(self, arguments, call):
        (call.folder / "started").touch()
        while not (call.folder / "let-go").exists(): time.sleep(0.02)
        return Result("late result")

TOOL = Deaf()
'''
DEAF: Final = calls(Call("deaf", {}))


def opened(server: ScriptedServer, shop: Path, environ: dict[str, str]) -> Terminal:
    """Start the program with that tool, and let it run."""
    plugins = Path(environ["HERMES_TUI_HOME"]) / "plugins"
    plugins.mkdir(parents=True, mode=0o700)
    (plugins / "deaf.py").write_text(PLUGIN)
    (plugins / "deaf.py").chmod(0o600)
    words = [str(COMMAND), "--base-url", server.url, "--model", "m", "--permission", "all"]
    terminal = Terminal(words, shop, environ=environ)
    terminal.wait("❯")
    terminal.line("go")
    terminal.wait(lambda _: (shop / "started").exists())
    return terminal


def test_the_work_goes_on_beside_a_call_that_did_not_stop(shop: Path, environ: dict[str, str]) -> None:
    sleep = calls(Call("terminal", {"command": "sleep 60"}))
    script = [DEAF, say("Second answer."), sleep, say("Third answer.")]
    with ScriptedServer(script) as server, opened(server, shop, environ) as terminal:
        terminal.press("ctrl+c")
        terminal.wait("0 never started · 1")  # once the grace is over
        terminal.line("once more")
        terminal.wait("Second answer.")
        terminal.line("and now")
        terminal.wait("sleep 60")
        terminal.wait(lambda screen: "◐" in screen)
        terminal.press("ctrl+c")  # the one that runs is stopped, whatever the other does
        terminal.wait("1 cancelled")
        (shop / "let-go").touch()
        terminal.wait("has ended after all")
        terminal.line("at last")
        terminal.wait("Third answer.")
        assert "has ended after all" in str(server.requests[-1])


def test_three_ctrl_c_leave_while_it_still_runs(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([DEAF]) as server, opened(server, shop, environ) as terminal:
        terminal.press("ctrl+c")
        terminal.wait("0 never started · 1")
        terminal.press("ctrl+c", "ctrl+c", "ctrl+c")
        assert terminal.ended() == 0


def test_three_ctrl_c_leave_before_it_was_given_up(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([DEAF]) as server, opened(server, shop, environ) as terminal:
        terminal.press("ctrl+c", "ctrl+c", "ctrl+c")
        assert terminal.ended() in (0, 130)
