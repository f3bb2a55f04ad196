"""What a command inherits: the environment of the program, made non-interactive; hardened for reading.

Does not know git's configuration files: that is git.py.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import Final

from hermes_tui.engine.errors import ToolError
from hermes_tui.processes import shell
from hermes_tui.processes.sandbox import Walls, lacking, shut_in

SHUT_IN: Final = (
    "commands are shut in here, by the user's setting: no network, nothing outside the project can be "
    "written, nor its .git, and /tmp is empty and lasts for one command"
)

MARK: Final = "HERMES_TUI_CALL"
"""Names the call a process belongs to; inherited by whatever it starts, also in another session."""

NO_EDITOR: Final = (
    "f() { echo 'hermes-tui: a command has no editor here; give the text as an option"
    " (git commit -m, --no-edit) or set GIT_EDITOR=true to take it as it stands' >&2; return 1; }; f"
)
"""Fails at once and says how to go on; git runs it through `sh`."""

_QUIET: Final = {
    "DEBIAN_FRONTEND": "noninteractive",
    "EDITOR": "false",
    "VISUAL": "false",
    "GIT_EDITOR": NO_EDITOR,
    "GIT_SEQUENCE_EDITOR": NO_EDITOR,
    "GIT_TERMINAL_PROMPT": "0",
    "SSH_ASKPASS_REQUIRE": "never",
    "PIP_NO_INPUT": "1",
    "GH_PROMPT_DISABLED": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GH_PAGER": "cat",
    "MANPAGER": "cat",
    "SYSTEMD_PAGER": "cat",
    "AWS_PAGER": "",
    "TERM": "dumb",
    # standard output and error share one pipe: without this a traceback comes before the lines printed
    # earlier, and nothing is seen live
    "PYTHONUNBUFFERED": "1",
}
"""No editor, no pager, no question: nobody sits at a command's terminal, and it has none."""

_DROPPED: Final = frozenset({"SSH_ASKPASS", "SUDO_ASKPASS", "FORCE_COLOR", "CLICOLOR_FORCE"})
"""Windows that would pop up and ask, and colours that nobody would see."""

_UNTRUSTED: Final = frozenset(
    {"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CDPATH", "GLOBIGNORE", "IFS", "PS4", "POSIXLY_CORRECT"}
    | {"GREP_OPTIONS", "TAR_OPTIONS", "MANOPT", "DIFF_OPTIONS", "FIGNORE", "EXECIGNORE"}
)
"""Each may change what a command line does, so a proven one runs without it."""

_UNTRUSTED_PREFIXES: Final = ("GIT_", "RIPGREP_", "LESS", "BASH_FUNC_")


@dataclass(frozen=True, slots=True)
class Inherited:
    """Implements `engine.state.Inherited`."""

    environment: Mapping[str, str]
    """What `for_commands` returned."""
    shut: Walls | None = None
    """Behind which walls commands run; None: behind none."""

    @property
    def walls(self) -> str:
        """What a command cannot do, in words; empty: nothing."""
        return "" if self.shut is None else SHUT_IN

    def placed(self, command: str, folder: Path) -> str:
        """Return the command line to run; `ToolError` rather than a command without its walls."""
        if self.shut is None:
            return command
        if why := lacking():
            raise ToolError(
                f"not run: the user's setting [terminal] sandbox is on, and {why}. Tell the user."
            )
        return f"exec {join(shut_in(shell.default().argv(command), folder, self.shut))}"


def for_commands(
    inherited: Mapping[str, str], secrets: Collection[str] = ("OPENAI_API_KEY",)
) -> dict[str, str]:
    """Return the environment of every command: `inherited`, non-interactive, without `secrets`.

    `secrets` are the variables from which the program takes its own keys.
    """
    kept = {
        name: value
        for name, value in inherited.items()
        if name not in _DROPPED and name not in secrets and not _own_key(name)
    }
    return kept | _QUIET


def hardened(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a command that is proven read-only: nothing in it can make it do more."""
    kept = {
        name: value
        for name, value in environment.items()
        if name not in _UNTRUSTED and not name.startswith(_UNTRUSTED_PREFIXES)
    }
    # a relative folder in PATH would let the project's own `ls` stand for the one that was judged
    folders = [folder for folder in kept.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return kept | {
        "PATH": os.pathsep.join(folders),
        "GIT_EDITOR": NO_EDITOR,
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        # a partial clone would fetch what is missing, with the programs its configuration names
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",
        "LESSSECURE": "1",
    }


def marked(environment: Mapping[str, str], mark: str) -> dict[str, str]:
    """Return the environment with `mark` in it, behind that of an outer hermes-tui if there is one."""
    outer = environment.get(MARK)
    return {**environment, MARK: f"{outer}:{mark}" if outer else mark}


def _own_key(name: str) -> bool:
    """Whether a variable holds a key of this program: `HERMES_TUI_API_KEY` and its like."""
    return name.startswith("HERMES_TUI_") and name.endswith(("KEY", "TOKEN"))
