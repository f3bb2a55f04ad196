"""MCP servers as they are published: from PyPI, and from npm where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.mcp.specs import Spec
from tests.mcp.test_hub import Servers, until

NPM = Path(os.environ.get("HERMES_NPM_SERVERS", Path(__file__).parent.parent.parent / "node_modules"))
"""Where npm has put `@modelcontextprotocol/server-filesystem` and `server-everything`."""


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    made = Servers(tmp_path)
    yield made
    made.hub.close()


def ready(servers: Servers, spec: Spec) -> None:
    servers.hub.start([spec])
    until(lambda: servers.state(spec.name).state != "starting")
    assert servers.state(spec.name).state == "ready", servers.state(spec.name)
    until(servers.hub.tools)


def python_module(name: str) -> str:
    pytest.importorskip(name, reason=f"{name} is not installed: pip install {name.replace('_', '-')}")
    return name


def test_the_time_server_converts(servers: Servers) -> None:
    ready(
        servers,
        Spec("time", sys.executable, ("-m", python_module("mcp_server_time"), "--local-timezone=UTC")),
    )
    result = servers.call(
        "mcp_time_convert_time", source_timezone="UTC", time="12:00", target_timezone="Asia/Tokyo"
    )
    assert result.ok
    assert "21:00" in result.content


def test_the_git_server_reads_a_real_repository(servers: Servers, tmp_path: Path) -> None:
    for line in ("init -q", "-c user.name=a -c user.email=a@b commit -q --allow-empty -m first"):
        subprocess.run(["git", *line.split()], cwd=tmp_path, check=True)
    ready(servers, Spec("git", sys.executable, ("-m", python_module("mcp_server_git"))))
    result = servers.call("mcp_git_git_log", repo_path=str(tmp_path))
    assert result.ok
    assert "first" in result.content


def npm(package: str) -> str:
    folder = NPM / "@modelcontextprotocol" / package
    if shutil.which("node") is None or not folder.exists():
        pytest.skip(f"no node, or {package} is not installed (npm install @modelcontextprotocol/{package})")
    return str(folder / "dist" / "index.js")


def test_the_file_system_server_reads_and_refuses(servers: Servers, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello from npm\n")
    ready(servers, Spec("fs", "node", (npm("server-filesystem"), str(tmp_path))))
    assert "hello from npm" in servers.call("mcp_fs_read_text_file", path=str(tmp_path / "a.txt")).content
    refused = servers.call("mcp_fs_read_text_file", path="/etc/hostname")
    assert not refused.ok
    assert "Access denied" in refused.content


def test_the_everything_server_answers_in_all_shapes(servers: Servers) -> None:
    ready(servers, Spec("every", "node", (npm("server-everything"),)))
    assert "Echo: hi" in servers.call("mcp_every_echo", message="hi").content
    assert "[image image/png" in servers.call("mcp_every_get-tiny-image").content
