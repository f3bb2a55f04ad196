"""What a command inherits, and what a proven one does not."""

from __future__ import annotations

import os
from pathlib import Path

from hermes_tui.engine.interrupt import Token
from hermes_tui.processes import shell
from hermes_tui.processes.environment import MARK, for_commands, hardened, marked
from hermes_tui.processes.run import run


def test_the_programs_own_keys_are_not_handed_on() -> None:
    inherited = {
        "OPENAI_API_KEY": "a",
        "OTHER_KEY": "b",
        "HERMES_TUI_API_KEY": "c",
        "HERMES_TUI_HOME": "/h",
        "MY_KEY": "d",
    }
    kept = for_commands(inherited, secrets=("OPENAI_API_KEY", "OTHER_KEY"))
    assert {name: kept[name] for name in inherited if name in kept} == {
        "HERMES_TUI_HOME": "/h",
        "MY_KEY": "d",
    }


def test_no_editor_pager_or_window_asks_anything() -> None:
    """Cases c/43 and c/44."""
    kept = for_commands({"EDITOR": "vi", "PAGER": "less", "SSH_ASKPASS": "/usr/bin/ask", "TERM": "xterm"})
    assert {kept[name] for name in ("PAGER", "GIT_PAGER", "MANPAGER")} == {"cat"}
    assert (kept["EDITOR"], kept["VISUAL"], kept["GIT_TERMINAL_PROMPT"], kept["TERM"]) == (
        "false",
        "false",
        "0",
        "dumb",
    )
    assert "SSH_ASKPASS" not in kept


def test_a_proven_command_inherits_nothing_that_changes_what_it_does(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "rc").write_text("touch started; ls() { touch function; }\n")
    for folder in (tmp_path, tmp_path / "bin"):
        (folder / "ls").write_text("#!/bin/sh\ntouch ran\n")
        (folder / "ls").chmod(0o755)
    inherited = {
        "PATH": f".::bin:{os.environ['PATH']}",
        "BASH_ENV": str(tmp_path / "rc"),
        "BASH_FUNC_ls%%": "() { touch function; }",
        "SHELLOPTS": "xtrace",
        "GIT_DIR": "/elsewhere",
        "RIPGREP_CONFIG_PATH": "/elsewhere",
        "LESSOPEN": "|touch less",
    }
    environment = hardened(for_commands(inherited))
    finished = run("ls; git rev-parse --git-dir", tmp_path, environment, 20, Token(), lambda text: None)
    assert finished.output.startswith("bin\nls\nrc\nfatal: not a git repository")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "ls", "rc"]


def test_an_outer_mark_stays_in_front_of_the_own() -> None:
    assert marked({}, "in") == {MARK: "in"}
    assert marked({MARK: "out"}, "in") == {MARK: "out:in"}


def test_the_shell_is_bash_without_start_up_files_or_else_sh(tmp_path: Path) -> None:
    found = shell.find(os.environ["PATH"])
    assert found.is_bash
    assert found.argv("ls")[1:] == ["--noprofile", "--norc", "-c", "ls"]
    assert shell.Shell("/bin/sh", False).argv("ls") == ["/bin/sh", "-c", "ls"]
