"""Programs that are known to be safe for one thing only: telling their version.

Left out are those that the folder they run in may exchange for another program: cargo, rustc (a toolchain
file names a path), go (a module names a version that is fetched), yarn (its config names a script).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes_tui.shell.rules.base import Check, Site, refuse, value_of
from hermes_tui.shell.rules.hazards import known_for
from hermes_tui.shell.words import Word

_ASKED_BY: Final[dict[str, frozenset[str]]] = {
    name: frozenset({"--version", *extra.split()})
    for name, extra in {
        "python": "-V -VV",
        "python3": "-V -VV",
        "node": "-v",
        "ruby": "-v",
        "perl": "-v",
        "php": "-v",
        "lua": "-v",
        "java": "-version",
        "javac": "-version",
        "gcc": "",
        "g++": "",
        "cc": "",
        "clang": "",
        "clang++": "",
        "make": "",
        "cmake": "",
        "bash": "",
        "zsh": "",
        "docker": "",
        "curl": "-V",
        "ssh": "-V",
        "sqlite3": "",
        "psql": "-V",
        "vim": "",
        "tmux": "-V",
        "ffmpeg": "-version",
        "pandoc": "",
    }.items()
}
"""For each program the words of which exactly one may be its only argument."""


def version(words: Sequence[Word], site: Site) -> None:
    """Judge a program that may only be asked for its version; version managers read files for that."""
    allowed = _ASKED_BY[words[0].text]
    if len(words) == 2 and value_of(words[1]) in allowed:
        site.place.read_anything()
        return
    hazard, kind, does = known_for(words[0].text)
    raise refuse(words[0], kind, f"`{words[0].text}` {does}", hazard)


TABLE: Final[dict[str, Check]] = dict.fromkeys(_ASKED_BY, version)
