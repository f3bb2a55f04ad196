"""Which servers are configured: a project's file is taken apart with care."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.config.settings import McpServer
from hermes_tui.mcp.specs import FILE, Spec, of_project, of_settings

ENVIRON = {"TOKEN": "t", "OPENAI_API_KEY": "sk-secret"}


def read(tmp_path: Path, text: Any) -> tuple[list[Spec], list[str]]:
    (tmp_path / FILE).write_text(text if isinstance(text, str) else json.dumps(text))
    specs, notices = of_project(tmp_path, ENVIRON, {"OPENAI_API_KEY"})
    return specs, [notice.removeprefix(str(tmp_path / FILE)) for notice in notices]


def test_servers_by_command_and_by_url_with_variables_filled_in(tmp_path: Path) -> None:
    entries = {
        "a": {"command": "x", "args": ["--to", "${TOKEN}"], "env": {"K": "${NONE:-d}"}},
        "b": {
            "type": "http",
            "url": "https://x.example/mcp",
            "headers": {"Authorization": "Bearer ${TOKEN}"},
        },
        "off": {"command": "x", "disabled": True},
    }
    specs, notices = read(tmp_path, {"mcpServers": entries})
    assert specs == [
        Spec("a", "x", ("--to", "t"), {"K": "d"}, origin=FILE),
        Spec("b", url="https://x.example/mcp", headers={"Authorization": "Bearer t"}, origin=FILE),
    ]
    assert notices == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({}, "it needs either command or url"),
        ({"command": "x", "url": "https://y"}, "it needs either command or url"),
        ({"url": "file:///etc"}, "its url must begin with https:// or http://"),
        ({"command": 7}, "command is no text"),
        ({"command": "x", "args": "y"}, "args is no list"),
        ({"command": "x", "env": []}, "env is no table"),
        (
            {"command": "x", "env": {"A": "${OPENAI_API_KEY}"}},
            "the variable OPENAI_API_KEY is not set, or is not given",
        ),
        ("x", "it is no object"),
    ],
)
def test_a_bad_entry_is_told_and_hurts_no_other(tmp_path: Path, entry: Any, said: str) -> None:
    specs, notices = read(tmp_path, {"mcpServers": {"bad": entry, "good": {"command": "x"}}})
    assert [spec.name for spec in specs] == ["good"]
    assert len(notices) == 1
    assert notices[0].startswith(": the server 'bad' is not used: ")
    assert said in notices[0]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"mcpServers": 3}', '{"mcpServers": null}', "[" * 100_000])
def test_a_damaged_file_is_one_notice(tmp_path: Path, text: str) -> None:
    specs, notices = read(tmp_path, text)
    assert specs == []
    assert notices[0].startswith(" is damaged, no server of it is used")


def test_no_file_is_no_server(tmp_path: Path) -> None:
    assert of_project(tmp_path, {}, ()) == ([], [])


def test_the_users_own_servers(tmp_path: Path) -> None:
    servers = {"a": McpServer(command="x", parallel=True), "b": McpServer(command="y", enabled=False)}
    assert of_settings(servers) == [Spec("a", "x", parallel=True)]
