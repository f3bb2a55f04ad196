"""/tools: each tool with its level for a sample input, and why one is not there; sets switched in config."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from hermes_tui.assemble import Hermes
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.events import Notice
from hermes_tui.engine.protocols import Tool
from hermes_tui.tools.base import samples
from hermes_tui.tools.registry import discover
from tests.commands.support import ScriptedUI, program


@contextmanager
def running(folder: Path, config: str = "") -> Iterator[Hermes]:
    """The program in a project, with this config."""
    project, home = folder / "shop", folder / "home"
    (project / ".git").mkdir(parents=True)
    (home / "hermes").mkdir(parents=True, mode=0o700)
    (home / "hermes" / "config.toml").write_text(config)
    hermes = program(project, home)
    try:
        yield hermes
    finally:
        hermes.close()


def say(hermes: Hermes, line: str) -> str:
    front = ScriptedUI()
    asyncio.run(hermes.commands.run(hermes, front, line))
    return "\n".join([*front.said, *front.warned])


def notices(hermes: Hermes) -> list[str]:
    return [event.text for event in hermes.agent.events.drain() if isinstance(event, Notice)]


def test_each_tool_has_its_level_for_a_sample_input(tmp_path: Path) -> None:
    with running(tmp_path) as hermes:
        lines = say(hermes, "/tools").splitlines()
    assert 'read_file  scoped for {"path": "src/app.py"}' in lines
    assert 'terminal  safe for {"command": "git status && ls -la"}' in lines
    assert 'clarify  interactive for {"question": "Which database shall it use?"}' in lines
    assert "todo  undeclared for {}" in lines
    names = {line.split()[0] for line in lines}
    assert {tool.schema.name for tool in discover()} <= names


@pytest.mark.parametrize("tool", discover(), ids=lambda tool: tool.schema.name)
def test_every_tool_takes_a_sample_made_of_its_own_examples(tool: Tool, tmp_path: Path) -> None:
    fits = []
    for sample in samples(tool.schema.parameters):
        with suppress(ToolError):
            fits.append(tool.footprint(sample, tmp_path))
    assert fits


def test_one_that_is_missing_says_why(tmp_path: Path) -> None:
    with running(tmp_path) as hermes:
        text = say(hermes, "/tools")
        assert "memory_search  missing: off: set provider in [memory] of config.toml" in text
        assert "  ha_get_state  missing: set HASS_TOKEN" in text
        assert "off: set provider" in say(hermes, "/tools memory_search")


def test_all_of_one_tool_is_told_by_name(tmp_path: Path) -> None:
    with running(tmp_path) as hermes:
        lines = say(hermes, "/tools write_file").splitlines()
        assert lines[0] == "write_file  (@write_file)"
        assert f"  writes {tmp_path}/shop/src/app.py" in lines
        assert say(hermes, "/tools write_fil") == "no tool write_fil; /tools lists them"


def test_sets_are_switched_off_by_name_or_all_others_are(tmp_path: Path) -> None:
    with running(tmp_path, '[tools]\ndisabled = ["@browser", "ha_*"]\n') as hermes:
        names = {tool.schema.name for tool in hermes.toolbox}
        assert "read_file" in names
        assert not any(name.startswith(("browser_", "ha_")) for name in names)
        text = say(hermes, "/tools")
        assert "  browser_click  off: [tools] in config.toml" in text
        assert "  ha_get_state  off: [tools] in config.toml" in text


def test_only_those_that_are_enabled_are_there(tmp_path: Path) -> None:
    config = '[tools]\nenabled = ["@web", "read_file", "terminal"]\ndisabled = ["web_search"]\n'
    with running(tmp_path, config) as hermes:
        assert [tool.schema.name for tool in hermes.toolbox] == ["read_file", "terminal", "web_extract"]
        assert hermes.toolbox.get("write_file") is None


def test_a_pattern_that_means_no_tool_is_a_notice(tmp_path: Path) -> None:
    with running(tmp_path, '[tools]\ndisabled = ["web_serach", "@mcp", "mcp_git_*"]\n') as hermes:
        told = [text for text in notices(hermes) if "is meant by" in text]
    assert told == ["[tools] disabled: no tool is meant by 'web_serach'; see /tools"]
