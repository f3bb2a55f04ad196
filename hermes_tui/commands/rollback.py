"""/rollback: what the agent changed, undone. The user decides; the agent never rolls back by itself."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hermes_tui.checkpoints import report
from hermes_tui.checkpoints.plan_restore import Preview
from hermes_tui.checkpoints.show import CheckpointInfo
from hermes_tui.checkpoints.store import CheckpointStore, Outcome
from hermes_tui.commands.ui import UI
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.messages import Message
from hermes_tui.engine.state import Reads
from hermes_tui.text import one_line

USAGE = "/rollback, /rollback N [path …], /rollback diff N [path], /rollback force N [path …], /rollback undo"

RESTORE: Final = "restore"
FILES: Final = "files only"
BOTH: Final = "files and conversation"
CONVERSATION: Final = "take the conversation back"

_PROMPT: Final = 60
"""Characters of a prompt that are quoted."""


class _Agent(Protocol):
    @property
    def session(self) -> str:
        """The session's id."""

    def do(self, function: Callable[[], Any]) -> Future[Any]:
        """Run a function in the engine's thread, between turns."""

    def prompt_of(self, call: str) -> str | None:
        """Return the prompt whose turn made a call, as long as it is in the conversation."""

    def cut_back(self, call: str) -> Sequence[Message]:
        """Cut the conversation back to before that prompt; return what went. Inside `do`."""


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


@dataclass(frozen=True, slots=True)
class _Way:
    """One way back that the user asked for."""

    title: str
    look: Callable[[], Preview]
    anyway: str
    """The command that takes what was kept as well, with `{}` for the paths."""
    number: int = 0
    """The checkpoint whose turn the conversation can go back to as well; 0: only files are meant."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of it."""

    outcome: Outcome | None
    gone: Sequence[Message] = ()
    """What has left the conversation."""
    left: Sequence[str] = ()
    """Files that calls of that part changed and that were not rolled back."""


async def rollback(hermes: Rollbacks, ui: UI, argument: str) -> None:
    """Undo what the agent changed.

    /rollback lists the checkpoints; /rollback 3 goes back to the state before #3, files only or the
    conversation too; /rollback 3 path … for these paths only (names with blanks in quotes, no patterns);
    /rollback diff 3 shows what that would change; /rollback undo undoes the last rollback. Files that you
    edited since are kept; /rollback force 3 path takes them too.
    """
    match _words(argument):
        case []:
            await _list(hermes, ui)
        case ["undo"]:
            await _undo(hermes, ui)
        case ["diff", number, *paths] if len(paths) < 2:
            await _diff(hermes, ui, _number(number), paths)
        case ["force", number, *paths]:
            await _go_back(hermes, ui, _number(number), paths, True)
        case ["diff" | "force" | "undo", *_]:
            raise UsageError(f"there are {USAGE}")
        case [number, *paths]:
            await _go_back(hermes, ui, _number(number), paths, False)


def complete_rollback(hermes: Rollbacks) -> list[tuple[str, str]]:
    """The numbers, newest first, each with what it was taken before; and the other words."""
    numbers = [(str(info.number), info.label) for info in worth_showing(hermes.checkpoints.list())]
    diffs = [(f"diff {number}", label) for number, label in numbers]
    words = [("diff ", "what it would change"), ("undo", "the last rollback"), ("force ", "edited files too")]
    return [*numbers, *words, *diffs]


def back_to_chosen(
    hermes: Rollbacks, ui: UI, number: int, paths: Collection[str] | None, anyway: Collection[str]
) -> Coroutine[Any, Any, None]:
    """Go back to #`number`: all of it, or just these paths, those in `anyway` whoever edited them.

    No coroutine function, for these are commands; to be awaited all the same.
    """
    if paths is None:
        return _go_back(hermes, ui, number, (), False)
    title = f"Go back to #{number} for {len(paths)} chosen {'path' if len(paths) == 1 else 'paths'}?"
    way = _Way(
        title,
        lambda: hermes.checkpoints.chosen(number, paths, anyway),
        f"/rollback force {number} {{}}",
        number,
    )
    return _restore(hermes, ui, way)


async def _list(hermes: Rollbacks, ui: UI) -> None:
    if worth_showing(await ui.run(hermes.checkpoints.list)):
        await ui.browse_checkpoints()
    else:
        ui.say(report.NONE_YET)


async def _diff(hermes: Rollbacks, ui: UI, number: int, paths: Sequence[str]) -> None:
    preview = await ui.run(lambda: hermes.checkpoints.preview(number, list(paths) or None))
    if not preview.empty:
        ui.say(await ui.run(lambda: hermes.checkpoints.difference(preview)))
    if why := report.not_shown(preview):
        ui.say(_with_next_step(why, preview, f"/rollback force {number} {{}}"))


async def _undo(hermes: Rollbacks, ui: UI) -> None:
    preview = await ui.run(hermes.checkpoints.undo_preview)
    way = _Way("Undo the last rollback?", lambda: preview, f"/rollback force {preview.undoes} {{}}")
    await _restore(hermes, ui, way)


async def _go_back(hermes: Rollbacks, ui: UI, number: int, paths: Sequence[str], force: bool) -> None:
    title = f"Go back to #{number}?" + (" Files that you edited are taken too." if force else "")
    store, wanted = hermes.checkpoints, list(paths) or None
    way = _Way(
        title,
        lambda: store.preview(number, wanted, force),
        f"/rollback force {number} {{}}",
        0 if paths else number,
    )
    await _restore(hermes, ui, way)


async def _restore(hermes: Rollbacks, ui: UI, way: _Way) -> None:
    """Show what would be done, ask, do it, tell the user and the model."""
    preview = await ui.run(way.look)
    call = await ui.run(lambda: hermes.checkpoints.call_of(way.number, hermes.agent.session))
    prompt = hermes.agent.prompt_of(call) if call else None
    body = _with_next_step(report.preview_text(preview), preview, way.anyway)
    options = _options(preview, prompt)
    if not options:
        ui.say(body)
        return
    if prompt is not None:
        body += f"\n\nThe conversation can go back too, to before {quoted(prompt)}"
    elif way.number:
        body += f"\n\nFiles only: this conversation does not hold the turn of #{way.number}"
    chosen = await ui.decide(way.title, body, options)
    if chosen is None:
        ui.say("Nothing was changed.")
        return
    back_to = call if options[chosen] in (BOTH, CONVERSATION) else ""
    files = preview if options[chosen] != CONVERSATION else None
    done = await ui.run(
        lambda: hermes.agent.do(lambda: _carry_out(hermes, files, back_to, way.number)).result()
    )
    _tell(hermes, ui, done, way, prompt or "")


def _options(preview: Preview, prompt: str | None) -> list[str]:
    """Return what the user may decide for."""
    if prompt is None:
        return [] if preview.empty else [RESTORE]
    return [CONVERSATION] if preview.empty else [FILES, BOTH]


def _carry_out(hermes: Rollbacks, files: Preview | None, call: str, number: int) -> _Done:
    """Do it, in the engine's thread: the files first, since nothing else may happen when they cannot be."""
    outcome = hermes.checkpoints.restore(files) if files is not None else None
    for path in (*outcome.restored, *outcome.deleted) if outcome else ():
        hermes.reads.forget(hermes.checkpoints.path(path))
    if not call:
        return _Done(outcome)
    gone = hermes.agent.cut_back(call)
    if gone:
        hermes.reads.forget()  # what the model read may have been read in what it no longer knows
    return _Done(outcome, gone, _left(hermes, gone, number))


def _left(hermes: Rollbacks, gone: Sequence[Message], number: int) -> list[str]:
    """Return the files that earlier calls of the part that is gone changed: they stand as these left them."""
    calls = {call.id for message in gone for call in message.calls}
    session = hermes.agent.session
    made = [
        i for i in hermes.checkpoints.list() if i.number < number and i.session == session and i.call in calls
    ]
    return sorted({file.path for info in made for file in info.files})


def _tell(hermes: Rollbacks, ui: UI, done: _Done, way: _Way, prompt: str) -> None:
    outcome = done.outcome
    if outcome is not None:
        hint = report.anyway(way.anyway, outcome.edited)
        ui.say("\n".join(filter(None, (report.outcome_text(outcome), hint))))
        if outcome.saved_as is not None:
            ui.rolled_back(outcome.number, outcome.saved_as)
    if done.gone:
        ui.went_back(prompt, len(done.gone))
    if done.left:
        ui.say(f"Calls before #{way.number} in the same turn changed what stays: {', '.join(done.left)}")
    if note := for_the_model(done):
        hermes.tell_model(note)


def for_the_model(done: _Done) -> str:
    """Return the note that the model gets: without it, it would go on from what is no longer there."""
    outcome, parts = done.outcome, []
    if outcome is not None and (outcome.restored or outcome.deleted):
        undid = f"The user undid the rollback #{outcome.number}."
        parts = [undid if outcome.undid else f"The user rolled back files to checkpoint #{outcome.number}."]
        for paths, word in ((outcome.restored, "Restored"), (outcome.deleted, "Deleted")):
            if paths:
                parts.append(f"{word}: {', '.join(paths)}.")
        parts.append("What you know of these files is out of date: read them again before you use them.")
    if done.gone:
        parts.insert(0, "The user took back the last part of this conversation.")
    if done.left:
        parts.append(f"Calls in that part changed files that stay as they are: {', '.join(done.left)}.")
    return " ".join(parts)


def went_back(prompt: str, count: int) -> str:
    """Return what to say when the conversation was cut back."""
    messages = "message is" if count == 1 else "messages are"
    return f"The conversation is back to before {quoted(prompt)}: {count} {messages} out of it"


def quoted(prompt: str) -> str:
    """Return a prompt in one line."""
    return f"“{one_line(prompt, _PROMPT)}”"


def worth_showing(checkpoints: Sequence[CheckpointInfo]) -> list[CheckpointInfo]:
    """Return those after which something changed, whether it can be brought back or not."""
    return [info for info in checkpoints if info.files or info.lost]


def _with_next_step(text: str, preview: Preview, command: str) -> str:
    edited = [item.path for item in preview.items if item.edited]
    return "\n".join(filter(None, (text, report.anyway(command, edited))))


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
