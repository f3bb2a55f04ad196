"""Prompt files: commands/NAME.md of the user and of a trusted project, each a slash command of its own.

The text below the file's head is sent as a prompt, with $ARGUMENTS replaced by what was typed behind the
name. The head may hold a `description`. No file takes the place of a built-in command.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from hermes_tui.commands.registry import NAME, Command, Function
from hermes_tui.engine.errors import ToolError
from hermes_tui.files.open import read
from hermes_tui.tools.skills.store import split_head

LARGEST: Final = 100_000
"""Bytes of a prompt file."""
PLACE: Final = "$ARGUMENTS"


def from_files(folders: Sequence[Path], taken: Collection[str]) -> tuple[list[Command], list[str]]:
    """Return the commands that files make, the strongest folder last, and notices on the others."""
    found: dict[str, Command] = {}
    notices: list[str] = []
    for folder in folders:
        for file in _files(folder):
            name = file.stem
            if name in taken or NAME.fullmatch(name) is None:
                why = "its name is taken" if name in taken else "a name is letters, digits, - and _"
                notices.append(f"{file} is not used: {why}")
                continue
            try:
                found[name] = _command(file)
            except (ToolError, ValueError) as error:
                notices.append(f"{file} is not used: {error}")
    return list(found.values()), notices


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if file.suffix == ".md")
    except OSError:
        return []


def _command(file: Path) -> Command:
    head, body = split_head(read(Path(os.path.realpath(file)), LARGEST).decode("utf-8", "replace"))
    body = body.strip()
    if not body:
        raise ValueError("it is empty")
    first = body.partition("\n")[0].lstrip("# ")
    said = " ".join(str(head.get("description") or first).split())[:80]
    return Command(file.stem, said, f"{file}", _sender(body))


def _sender(body: str) -> Function:
    """Return the function that sends the prompt."""

    async def send(hermes: Any, ui: Any, argument: str) -> None:
        if PLACE in body:
            hermes.agent.submit(body.replace(PLACE, argument))
        else:
            hermes.agent.submit(f"{body}\n\n{argument}".rstrip())

    return send
