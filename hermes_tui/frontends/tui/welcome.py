"""What a newcomer reads first, and what somebody who knows the program does. Text only."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_tui.frontends.host import Hermes
from hermes_tui.frontends.tui.widgets.topbar import tilde
from hermes_tui.text import one_line

LOOKED_AT: Final = 400
"""Entries of the folder that are looked at for examples; a huge one must not hold the first frame."""
LOOKING: Final = "Looking who answers …"
STOP: Final = "Ctrl-C stops what runs, at once"
UNDO: Final = "/rollback undoes any edit, those of commands too"
ASKS: Final = "edits and commands ask first, Shift+Tab changes that"
HELP: Final = "{help} shows every key"


def who_answers(hermes: Hermes) -> str:
    """Return which model answers, or that none does."""
    if hermes.rehearsing:
        return (
            "The rehearsal answers: no language model, only rules that turn plain requests into real calls.\n"
            "For a model, set OPENAI_API_KEY or start with --base-url."
        )
    return f"{one_line(hermes.provider_label, 60)} answers."


def what_it_does(folder: Path) -> str:
    """Return what the program is for, here."""
    return f"I read, edit and run things in {tilde(folder)}, side by side where that is safe."


def examples(folder: Path) -> list[str]:
    """Return three prompts that work in this folder, with a model and without one."""
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
