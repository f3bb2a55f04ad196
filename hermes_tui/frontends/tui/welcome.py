"""What a newcomer reads first. Text only."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from hermes_tui.frontends.tui.host import Hermes
from hermes_tui.frontends.tui.widgets.topbar import tilde

LOOKED_AT = 400
"""Entries of the folder that are looked at for examples; a huge one must not hold the first frame."""


def who_answers(hermes: Hermes) -> str:
    """Return which model answers, or that none does."""
    if hermes.rehearsing:
        return (
            "The rehearsal answers: no language model, only rules that turn plain requests into real calls.\n"
            "For a model, set OPENAI_API_KEY or start with --base-url."
        )
    return f"{hermes.provider_label} answers."


def welcome(folder: Path) -> str:
    """Return what the program can do here, what to try, how to stop and undo."""
    first, *others = examples(folder)
    tries = "\n".join([f"Try   {first}", *(f"      {other}" for other in others)])
    return f"""\
I read, edit and run things in {tilde(folder)}, side by side where that is safe.

{tries}

Ctrl-C stops what runs · /rollback undoes any edit · Shift+Tab sets what may run unasked · F1 help"""


def examples(folder: Path) -> list[str]:
    """Return three prompts that work in this folder."""
    files = some_files(folder)
    first = f"compare {' '.join(files)}" if len(files) > 1 else "search TODO"
    second = f"read {files[0]} and search import" if files else "run ls and search import"
    return [first, second, "run git status and ask me what to do next"]


def some_files(folder: Path) -> list[str]:
    """Return names of plain files of the folder that can be typed as one word, in order."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, LOOKED_AT) if entry.is_file()]
    except OSError:
        return []
    plain = [name for name in names if not name.startswith(".") and name.isascii() and name.isprintable()]
    return sorted(name for name in plain if " " not in name)[:3]
