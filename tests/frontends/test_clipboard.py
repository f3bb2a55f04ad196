"""Which way leads to the user's clipboard, and what is written on it."""

from __future__ import annotations

import base64
import os
import stat
import sys
from pathlib import Path

import pytest

from hermes_tui.frontends import clipboard
from tests.support.terminal import Terminal

ROOT = Path(__file__).parents[2]


def programs(folder: Path, *names: str) -> str:
    """Make programs that keep what they are given, and return a PATH with them alone."""
    for name in names:
        file = folder / name
        file.write_text(
            f'#!/bin/sh\n/bin/cat > "{folder}/{name}.got"; echo "$@" >> "{folder}/{name}.words"\n'
        )
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(folder)


SSH = {"SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}


@pytest.mark.parametrize(
    ("there", "environ", "first"),
    [
        (["wl-copy", "xclip"], {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, "wl-copy"),
        (["xclip"], {"DISPLAY": ":0"}, "xclip"),
        (["xsel"], {"DISPLAY": ":0"}, "xsel"),
        (["xclip"], {}, None),
        (["pbcopy"], {}, "pbcopy"),
        (["xclip"], {"DISPLAY": ":0", **SSH}, None),
        (["tmux", "xclip"], {"TMUX": "/tmp/t,1,0", "DISPLAY": ":0"}, "tmux"),
        (["tmux"], {"TMUX": "/tmp/t,1,0", **SSH}, "tmux"),
        ([], {"TMUX": "/tmp/t,1,0"}, None),
    ],
)
def test_the_way_depends_on_where_the_terminal_is(
    tmp_path: Path, there: list[str], environ: dict[str, str], first: str | None
) -> None:
    words = clipboard.program({"PATH": programs(tmp_path, *there), **environ})
    assert (words[0] if words else None) == first


def test_a_program_gets_the_text_and_a_failing_one_is_known(tmp_path: Path) -> None:
    environ = {"PATH": programs(tmp_path, "pbcopy")}
    words = clipboard.program(environ)
    assert words is not None
    assert clipboard.put([str(tmp_path / words[0])], "漢字\n\x1b", environ)
    assert (tmp_path / "pbcopy.got").read_text("utf-8") == "漢字\n\x1b"
    assert not clipboard.put(["false"], "x", dict(os.environ))
    assert not clipboard.put([str(tmp_path / "missing")], "x", environ)


def test_the_terminal_is_told_by_osc_52_and_through_a_multiplexer() -> None:
    coded = base64.b64encode("hellö".encode()).decode()
    plain = f"\x1b]52;c;{coded}\x07"
    assert clipboard.osc52("hellö", {}) == plain
    assert clipboard.osc52("hellö", {"TMUX": "x"}) == f"\x1bPtmux;\x1b{plain}\x1b\\"
    assert clipboard.osc52("hellö", {"STY": "x"}) == f"\x1bP{plain}\x1b\\"
    pieces = clipboard.osc52("x" * 3_000, {"STY": "x"}).split("\x1bP")[1:]
    assert len(pieces) > 1
    assert all(len(piece) <= clipboard.SCREEN_PIECE + 2 for piece in pieces)


def test_a_text_that_no_terminal_takes_is_not_written() -> None:
    assert clipboard.osc52("x" * (clipboard.OSC_LIMIT + 1), {}) == ""


def test_a_picture_is_taken_from_the_desktop_and_never_from_another_machine(tmp_path: Path) -> None:
    body = b"\x89PNG\r\n\x1a\nrest"
    (tmp_path / "picture").write_bytes(body)
    file = tmp_path / "xclip"
    file.write_text(f'#!/bin/sh\n/bin/cat "{tmp_path}/picture"\n')
    file.chmod(0o755)
    environ = {"PATH": str(tmp_path), "DISPLAY": ":0"}
    assert clipboard.picture(environ) == body
    assert clipboard.picture({**environ, **SSH}) == b""
    (tmp_path / "picture").write_bytes(b"no picture")
    assert clipboard.picture(environ) == b""


def test_over_ssh_a_copy_reaches_the_terminal(tmp_path: Path) -> None:
    environ = {**os.environ, **SSH, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    environ.pop("TMUX", None)
    environ.pop("STY", None)
    with Terminal([sys.executable, "-m", "tests.frontends.run_standin"], ROOT, environ=environ) as opened:
        opened.wait("F1 help")
        opened.send("copy me")
        opened.wait("copy me")
        opened.send("\x1b[18~")  # F7: select all
        coded = base64.b64encode(b"copy me")
        opened.send("\x03")
        opened.wait(lambda _: b"\x1b]52;c;" + coded + b"\x07" in opened.bytes)
