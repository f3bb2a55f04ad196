"""What commands that are not read-only are known to do: for the question to the person, never for a proof."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.paths import Place
from hermes_tui.shell.rules.base import names
from hermes_tui.shell.words import Word


def _table(hazard: Hazard, rule: str, why: str, commands: str) -> dict[str, tuple[Hazard, str, str]]:
    return dict.fromkeys(names(commands), (hazard, rule, why))


_KNOWN: Final = {
    **_table(Hazard.DELETES, "deletes", "deletes", "rm rmdir unlink shred wipe srm"),
    **_table(
        Hazard.OVERWRITES,
        "overwrites",
        "writes files",
        "mv cp tee dd truncate install ln patch split csplit rsync",
    ),
    **_table(
        Hazard.OVERWRITES, "overwrites", "changes files", "touch mkdir chmod chown chgrp mkfifo mktemp ed ex"
    ),
    **_table(
        Hazard.NETWORK,
        "network",
        "uses the network",
        "curl wget ssh scp sftp ftp nc ncat telnet ping dig host nslookup http",
    ),
    **_table(
        Hazard.NETWORK,
        "package-manager",
        "installs packages",
        "pip pip3 npm npx yarn pnpm bun uv uvx poetry conda apt apt-get dnf yum brew gem cargo go composer"
        " bundle pacman apk",
    ),
    **_table(
        Hazard.UNKNOWN,
        "interpreter",
        "runs a program that nobody has judged",
        "sh bash dash zsh ksh fish python python2 python3 node deno perl ruby php lua Rscript java"
        " osascript tclsh expect",
    ),
    **_table(Hazard.UNKNOWN, "pager", "starts a pager, which can run commands", "less more most man info"),
    **_table(Hazard.UNKNOWN, "privilege", "runs a command as another user", "sudo su doas pkexec runuser"),
    **_table(Hazard.UNKNOWN, "process", "ends or steers processes", "kill pkill killall renice xkill"),
    **_table(
        Hazard.UNKNOWN,
        "builtin",
        "changes the shell or what it runs",
        "eval source . exec trap export declare typeset local readonly unset set shopt alias unalias read"
        " mapfile readarray enable hash builtin let pushd popd dirs umask ulimit getopts bind complete"
        " compgen compopt history fc jobs fg bg disown wait suspend logout return break continue shift times"
        " caller",
    ),
}

_SUBCOMMANDS: Final = names(
    "git npm pnpm yarn bun npx cargo go pip pip3 uv poetry docker docker-compose podman kubectl helm"
    " terraform brew apt apt-get gh glab make just task rake bundle gem composer dotnet mix gradle mvn"
    " systemctl tmux nix hg svn"
)
"""Programs whose first operand says what they do."""

_RUNNERS: Final = frozenset({"run", "run-script", "exec", "x", "dlx", "tool", "compose", "config"})
"""Verbs behind which the next word says what happens."""

_OPEN: Final = names("pytest ruff mypy black flake8 eslint tsc prettier jest vitest ctest cmake gcc clang")
"""Programs that do one thing, whatever their arguments: the pattern for "always" covers them all."""


def known_for(name: str) -> tuple[Hazard, str, str]:
    """Return hazard, rule id and words ("deletes") of a command by its base name."""
    found = _KNOWN.get(name)
    return found if found is not None else (Hazard.UNKNOWN, "unknown-command", "is not known to be safe")


def note_writes(words: Sequence[Word], place: Place) -> None:
    """Note the paths that a command is seen to write or remove; anything for one that nobody knows."""
    name = (words[0].value or "").rpartition("/")[2] if words else ""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    if name in ("rm", "rmdir", "unlink", "shred", "tee", "touch", "mkdir", "mv", "truncate", "mkfifo"):
        written = operands
    elif name in ("chmod", "chown", "chgrp"):
        written = operands[1:]
    elif name in ("cp", "ln", "install", "rsync") and len(operands) > 1 and not _has_target(words):
        written = operands[-1:]
    elif name == "sed":
        written = operands[1:]
    elif name == "dd":
        written = [word.tail(3) for word in operands if word.text.startswith("of=")]
    elif name == "find" and any(word.value == "-delete" for word in words):
        written = list(itertools.takewhile(lambda word: not word.text.startswith("-"), words[1:]))
        place.write_folder() if not written else None
    elif name == "git" and _removes_ignored(words):
        place.write_folder()
        return
    else:
        place.write_anything()
        return
    for word in written:
        place.write(word)


def _removes_ignored(words: Sequence[Word]) -> bool:
    """Whether it is `git clean` with a flag that takes ignored files too."""
    flags = [word.text for word in words[2:] if word.text.startswith("-") and word.text[1:2] != "-"]
    return len(words) > 1 and words[1].value == "clean" and any(set("xX") & set(flag) for flag in flags)


def _has_target(words: Sequence[Word]) -> bool:
    return any(word.text.startswith(("-t", "--target-directory")) for word in words)


def pattern_for(words: Sequence[Word], hazard: Hazard) -> str:
    """Return the narrowest useful pattern for "always"; empty where none is safe to offer.

    The exact words where arguments decide what happens (`make test`, `rm -rf build`), a star behind the
    verb where they do not (`git commit *`, `pytest *`).
    """
    values = [word.text for word in words]
    if not words or words[0].value is None or words[0].glob is not None:
        return ""
    verb = values[1] if len(values) > 1 and words[1].value is not None and words[1].glob is None else ""
    if values[0] in _OPEN:
        return f"{values[0]} *"
    if values[0] in _SUBCOMMANDS and verb and not verb.startswith("-") and hazard is not Hazard.DELETES:
        count = 3 if verb in _RUNNERS else 2
        named = all(word.value is not None and word.glob is None for word in words[:count])
        if len(values) > count and named and _plain(values[:count]):
            return " ".join((*values[:count], "*"))
    exact = all(word.value is not None and word.glob is None for word in words)
    return " ".join(values) if exact and _plain(values) else ""


def _plain(values: Sequence[str]) -> bool:
    """Whether a pattern of these words means only them."""
    text = " ".join(values)
    return len(text) <= 200 and text.isprintable() and not any(char in text for char in "*?[]\\")
