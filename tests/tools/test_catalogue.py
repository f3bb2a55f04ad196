"""Every tool, by one table: bad input of each kind, output that is capped, Ctrl-C, footprint."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.assemble import Hermes, assemble
from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.events import CallFinished, CallOutput, CallStarted, Event, QuestionAsked, TurnFinished
from hermes_tui.engine.protocols import Tool
from hermes_tui.start import Start
from hermes_tui.tools.base import samples
from hermes_tui.tools.memory_search import MemorySearch
from hermes_tui.tools.registry import discover
from tests.support.server import Call, ScriptedServer, calls, hang, say
from tests.tools.catalogue import LONG, NOWHERE, ROWS

TOOLS: dict[str, Tool] = {tool.schema.name: tool for tool in [*discover(), MemorySearch(lambda: None)]}
NAMES = sorted(TOOLS)
CAP = 2_000
GRACE = 3.0
"""Seconds that a call has to end after Ctrl-C."""
WRONG: dict[str, Any] = {
    "string": {"a": 1}, "integer": "many", "number": "much", "boolean": "perhaps", "array": 7, "object": 7
}  # fmt: skip
"""A value of another type for each type of JSON Schema."""


def test_every_tool_has_its_row() -> None:
    assert sorted(ROWS) == NAMES


def sample(tool: Tool, folder: Path) -> dict[str, Any]:
    """Input that fits, made of the schema's examples."""
    for found in samples(tool.schema.parameters):
        with suppress(ToolError):
            tool.footprint(found, folder)
            return found
    raise AssertionError("its own examples do not fit")


def refused(tool: Tool, arguments: Mapping[str, Any], folder: Path) -> str:
    with pytest.raises(BadArguments) as caught:
        tool.footprint(arguments, folder)
    return str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_an_argument_that_is_missing_wrong_or_unknown_is_named_with_an_example(
    name: str, tmp_path: Path
) -> None:
    tool = TOOLS[name]
    good = sample(tool, tmp_path)
    properties: dict[str, Any] = dict(tool.schema.parameters["properties"])
    for key in tool.schema.parameters.get("required", ()):
        text = refused(tool, {k: v for k, v in good.items() if k != key}, tmp_path)
        assert text.startswith(f"{name}: ")
        assert f"'{key}'" in text
        assert "Example: {" in text
    for key, node in properties.items():
        kind = "string" if "enum" in node else node.get("type", "")
        if kind in WRONG:
            text = refused(tool, {**good, key: WRONG[kind]}, tmp_path)
            assert text.startswith(f"{name}: {key}"), text
            assert "Example: {" in text
    text = refused(tool, {**good, "surely_unknown": 1}, tmp_path)
    assert f"{name}: unknown argument 'surely_unknown'. Arguments: " in text


@pytest.mark.parametrize("name", NAMES)
def test_its_footprint_is_the_declared_level_and_complete(name: str, tmp_path: Path) -> None:
    tool = TOOLS[name]
    footprint = tool.footprint(sample(tool, tmp_path), tmp_path)
    assert footprint.level.value == ROWS[name].level
    for path in (*footprint.reads, *footprint.writes):
        assert path == "*" or path.startswith(("/", "state:", "browser:")) or "/" not in path
    if footprint.level.value == "safe":
        assert footprint.writes == ()
    elif footprint.level.value == "undeclared":
        assert footprint.why


class Site(http.server.BaseHTTPRequestHandler):
    """One long page."""

    def do_GET(self) -> None:
        body = ("word " * 4000).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def addresses(environ: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Serve the long page, and one address that takes connections and never answers."""
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, args=(0.02,), daemon=True).start()
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        found = {LONG: f"http://127.0.0.1:{site.server_port}",
                 NOWHERE: f"http://127.0.0.1:{silent.getsockname()[1]}"}  # fmt: skip
        environ.setenv("HASS_URL", found[NOWHERE])
        environ.setenv("HASS_TOKEN", "x")
        yield found
    site.shutdown()
    site.server_close()


def placed(arguments: Mapping[str, Any], where: Mapping[str, str]) -> dict[str, Any]:
    """Put real addresses into a row's arguments."""
    text = json.dumps(arguments)
    for name, url in where.items():
        text = text.replace(name, url)
    found: dict[str, Any] = json.loads(text)
    return found


class Running:
    """The assembled program, its model scripted, and all it told."""

    def __init__(self, folder: Path, server: ScriptedServer, where: Mapping[str, str]) -> None:
        project, home = folder / "shop", folder / "home"
        (project / ".git").mkdir(parents=True)
        (project / "long.txt").write_text("x\n" * 9000)
        skill = home / "hermes" / "skills" / "long"
        skill.mkdir(parents=True)
        (skill / "SKILL.md").write_text(f"---\nname: long\ndescription: long\n---\n{'x ' * 9000}\n")
        hosts = json.dumps([url.removeprefix("http://") for url in where.values()])
        config = f'[web]\nsearch = "searxng"\nsearxng_url = "{where[NOWHERE]}"\nallow_private = {hosts}\n'
        (home / "hermes" / "config.toml").write_text(f"{config}[tools]\nresult_bytes = {CAP}\n")
        environ = {"HOME": str(home), "HERMES_TUI_HOME": str(home / "hermes"), "PATH": "/usr/bin:/bin"}
        flags = {"base_url": server.url, "permission": "all"}
        self.hermes: Hermes = assemble(Start(project, flags, environ=environ))
        self.events: list[Event] = []

    def until(self, kind: type[Event], name: str = "", seconds: float = 30.0) -> Any:
        """Return the first event of a kind, of the call of a tool if it is named."""
        deadline = time.monotonic() + seconds
        while True:
            self.events += self.hermes.agent.events.drain()
            ids = {e.id for e in self.events if isinstance(e, CallStarted) and e.name == name and not e.agent}
            for event in self.events:
                if isinstance(event, kind) and (not name or getattr(event, "id", "") in ids):
                    return event
            assert time.monotonic() < deadline, f"no {kind.__name__}: {[e.type for e in self.events]}"
            time.sleep(0.005)


SLOW = [name for name in NAMES if not isinstance(ROWS[name].slow, str)]


@pytest.mark.parametrize("name", SLOW)
def test_an_interrupt_ends_it_within_the_grace(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ROWS[name]
    if (why := TOOLS[name].missing()) is not None and not name.startswith("ha_"):
        pytest.skip(why)
    assert not isinstance(row.slow, str)
    with addresses(monkeypatch) as where:
        before = [calls(Call(*row.before))] if row.before else []
        script = [*before, calls(Call(name, placed(row.slow, where))), hang()]
        with ScriptedServer(script) as server:
            running = Running(tmp_path, server, where)
            running.hermes.agent.submit("go")
            running.until(CallStarted, name)
            if name == "clarify":
                running.until(QuestionAsked)
            elif name in ("terminal", "execute_code"):
                running.until(CallOutput, name)
            elif name == "delegate_task":
                server.wait_for_requests(2)
            pressed = time.monotonic()
            running.hermes.agent.interrupt()
            finished = running.until(CallFinished, name)
            assert running.until(TurnFinished).reason == "interrupted"
            assert time.monotonic() - pressed < GRACE
            assert finished.status == "cancelled", finished
            running.hermes.close()


def test_long_output_of_each_is_cut_for_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {name: row.long for name, row in ROWS.items() if not isinstance(row.long, str)}
    with addresses(monkeypatch) as where:
        batch = calls(*(Call(name, placed(long, where)) for name, long in rows.items()))
        with ScriptedServer([batch, say("Done.")]) as server:
            running = Running(tmp_path, server, where)
            running.hermes.agent.submit("go")
            assert running.until(TurnFinished, seconds=60).reason == "done"
            running.hermes.close()
    done = [event for event in running.events if isinstance(event, CallFinished)]
    assert [event.status for event in done] == ["ok"] * len(rows), done
    for name, event in zip(rows, done, strict=True):
        assert len(event.content) <= CAP + 400, name
        assert "characters left out here; " in event.content, (name, event.content[:200])


@pytest.mark.parametrize("name", [name for name in NAMES if not isinstance(ROWS[name].wrong, str)])
def test_input_without_sense_is_answered_with_how_to_do_it_right(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = ROWS[name].wrong
    assert not isinstance(wrong, str)
    arguments, said = wrong
    tool = TOOLS[name]
    with (
        addresses(monkeypatch) as where,
        ScriptedServer([calls(Call(name, arguments)), say("Done.")]) as server,
    ):
        if tool.missing() is not None or name == "memory_search":
            assert said in refused(tool, arguments, tmp_path)
            return
        running = Running(tmp_path, server, where)
        running.hermes.agent.submit("go")
        running.until(TurnFinished)
        running.hermes.close()
    (finished,) = [event for event in running.events if isinstance(event, CallFinished)]
    assert finished.status == "failed"
    assert said in finished.content
