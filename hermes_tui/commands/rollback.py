"""/rollback: what the agent changed, undone. The user decides; the agent never rolls back by itself."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Protocol

from hermes_tui.checkpoints import report
from hermes_tui.checkpoints.plan_restore import Preview
from hermes_tui.checkpoints.show import CheckpointInfo
from hermes_tui.checkpoints.store import CheckpointStore, Outcome
from hermes_tui.commands.ui import UI
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.state import Reads

USAGE = "/rollback, /rollback N [path …], /rollback diff N [path], /rollback force N [path …], /rollback undo"


class _Agent(Protocol):
    def do(self, function: Callable[[], Outcome]) -> Future[Outcome]:
        """Run a function in the engine's thread, between turns."""


class Rollbacks(Protocol):
    """What this command needs of the program."""

    @property
    def checkpoints(self) -> CheckpointStore:
        """The project's checkpoints."""

    @property
    def agent(self) -> _Agent:
        """Restores run through it: between turns, never beside a call."""

    @property
    def reads(self) -> Reads:
        """What the model has read: it is no longer true of a restored file."""

    def tell_model(self, text: str) -> None:
        """Tell the model something before the next prompt."""


async def rollback(hermes: Rollbacks, ui: UI, argument: str) -> None:
    """Undo what the agent changed.

    /rollback lists the checkpoints; /rollback 3 goes back to the state before #3, /rollback 3 path …
    for these paths only (names with blanks in quotes, no patterns); /rollback diff 3 shows what that would
    change; /rollback undo undoes the last rollback. Files that you edited since are kept;
    /rollback force 3 path takes them too.
    """
    match _words(argument):
        case []:
            await _list(hermes, ui)
        case ["undo"]:
            await _restore(hermes, ui, "Undo the last rollback?", hermes.checkpoints.undo_preview)
        case ["diff", number, *paths] if len(paths) < 2:
            await _diff(hermes, ui, _number(number), paths)
        case ["force", number, *paths]:
            await _go_back(hermes, ui, _number(number), paths, True)
        case ["diff" | "force" | "undo", *_]:
            raise UsageError(f"there are {USAGE}")
        case [number, *paths]:
            await _go_back(hermes, ui, _number(number), paths, False)


def complete_rollback(hermes: Rollbacks) -> list[str]:
    """The numbers, newest first, and the other words."""
    numbers = [str(info.number) for info in worth_showing(hermes.checkpoints.list())]
    return [*numbers, "diff ", "undo", "force "]


async def _list(hermes: Rollbacks, ui: UI) -> None:
    if worth_showing(await ui.run(hermes.checkpoints.list)):
        await ui.browse_checkpoints()
    else:
        ui.say(report.NONE_YET)


async def _diff(hermes: Rollbacks, ui: UI, number: int, paths: Sequence[str]) -> None:
    preview = await ui.run(lambda: hermes.checkpoints.preview(number, list(paths) or None))
    if not preview.empty:
        ui.say(await ui.run(lambda: hermes.checkpoints.difference(preview)))
    kept = tuple(item for item in preview.items if not item.acts)
    if preview.empty or kept:
        ui.say(report.preview_text(replace(preview, items=kept)))


async def _go_back(hermes: Rollbacks, ui: UI, number: int, paths: Sequence[str], force: bool) -> None:
    title = f"Go back to #{number}?" + (" Files that you edited are taken too." if force else "")
    await _restore(hermes, ui, title, lambda: hermes.checkpoints.preview(number, list(paths) or None, force))


async def _restore(hermes: Rollbacks, ui: UI, title: str, look: Callable[[], Preview]) -> None:
    """Show what would be done, ask, do it, tell the user and the model."""
    preview = await ui.run(look)
    if preview.empty:
        ui.say(report.preview_text(preview))
        return
    if not await ui.confirm(title, report.preview_text(preview), "restore"):
        ui.say("Nothing was changed.")
        return
    outcome = await ui.run(lambda: hermes.agent.do(lambda: hermes.checkpoints.restore(preview)).result())
    for path in (*outcome.restored, *outcome.deleted):
        hermes.reads.forget(hermes.checkpoints.path(path))
    ui.say(report.outcome_text(outcome))
    if outcome.restored or outcome.deleted:
        hermes.tell_model(for_the_model(outcome))


def for_the_model(outcome: Outcome) -> str:
    """Return the note that the model gets: without it, it would go on from what is no longer there."""
    undid = f"The user undid the rollback #{outcome.number}."
    parts = [undid if outcome.undid else f"The user rolled back files to checkpoint #{outcome.number}."]
    for paths, word in ((outcome.restored, "Restored"), (outcome.deleted, "Deleted")):
        if paths:
            parts.append(f"{word}: {', '.join(paths)}.")
    parts.append("What you know of these files is out of date: read them again before you use them.")
    return " ".join(parts)


def worth_showing(checkpoints: Sequence[CheckpointInfo]) -> list[CheckpointInfo]:
    """Return those after which something changed, or could not be covered."""
    return [info for info in checkpoints if info.files or info.not_covered]


def _words(argument: str) -> list[str]:
    try:
        return shlex.split(argument)
    except ValueError:
        raise UsageError(
            "a quote is not closed; quote names with blanks: /rollback 3 'my file.txt'"
        ) from None


def _number(word: str) -> int:
    number = word.removeprefix("#")
    if not (number.isascii() and number.isdecimal()):
        raise UsageError(f"no number: {word}; there are {USAGE}")
    return int(number)
