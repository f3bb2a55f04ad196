"""/sessions, /resume, /fork, /rename, /export: earlier conversations, and what to do with this one."""

from __future__ import annotations

import os
from errno import ENOENT
from pathlib import Path
from typing import Final, Protocol

from hermes_tui.commands.ui import UI
from hermes_tui.config.paths import private_write
from hermes_tui.engine.errors import UsageError
from hermes_tui.sessions import report
from hermes_tui.sessions.current import CurrentSession
from hermes_tui.sessions.title import WIDTH
from hermes_tui.text import one_line

ENDINGS: Final = {".md": "markdown", ".json": "json", ".jsonl": "stream-json"}
"""The format that a file's name asks for."""
FORMS: Final = ("markdown", "json", "stream-json")
OFFERED: Final = 30
"""Sessions that Tab offers."""


class HasSessions(Protocol):
    """What these commands need of the program."""

    @property
    def session(self) -> CurrentSession:
        """The session that is written, and all others."""

    @property
    def project(self) -> Path | None:
        """The project."""

    @property
    def folder(self) -> Path:
        """Where relative paths start."""

    def resume(self, wanted: str) -> None:
        """Go on in another session, once the running turn has ended."""

    def fork(self, title: str = "") -> None:
        """Go on in a copy of the session, likewise."""


async def sessions(hermes: HasSessions, ui: UI, argument: str) -> None:
    """Find, take up, rename or delete earlier conversations.

    /sessions, or /sessions TEXT to see only those in which the text was said
    """
    await ui.browse_sessions(argument)


async def resume(hermes: HasSessions, ui: UI, argument: str) -> None:
    """Go on with an earlier conversation.

    /resume ID; the first digits are enough
    """
    if not argument:
        await ui.browse_sessions("")
        return
    await ui.run(lambda: hermes.resume(argument))
    await ui.show_past()


def complete_resume(hermes: HasSessions) -> list[tuple[str, str]]:
    """The project's newest sessions."""
    found = hermes.session.store.recent(hermes.project or hermes.folder, OFFERED)
    return [(each.short, report.title(each)) for each in found if each.id != hermes.session.id]


async def fork(hermes: HasSessions, ui: UI, argument: str) -> None:
    """Go on in a copy of this conversation; the original stays as it is.

    /fork, or /fork TITLE
    """
    before = hermes.session.id
    await ui.run(lambda: hermes.fork(one_line(argument, WIDTH)))
    ui.say(f"this is a copy now, {hermes.session.id[:8]}; /resume {before[:8]} goes back to the original")


async def rename(hermes: HasSessions, ui: UI, argument: str) -> None:
    """Give this conversation a title.

    /rename TITLE
    """
    title = one_line(argument, WIDTH)
    if not title:
        raise UsageError("give a title: /rename TITLE")
    hermes.session.rename(title)
    ui.say(f"this session is called “{title}” now")


async def export(hermes: HasSessions, ui: UI, argument: str) -> None:
    """Write this conversation into a file.

    /export [FILE] [markdown|json|stream-json]; stream-json is what `hermes-tui replay` plays
    """
    path, form = _target(hermes, argument)
    if os.path.lexists(path) and not await ui.confirm("Export", f"{path} exists already.", "replace it"):
        return

    def write() -> int:
        hermes.session.flush()
        text = hermes.session.store.export(hermes.session.id, form)
        if not path.parent.is_dir():
            raise FileNotFoundError(ENOENT, "there is no such folder")
        private_write(path, text)
        return len(text)

    try:
        size = await ui.run(write)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; name another file") from None
    ui.say(f"wrote {path} ({form}, {size} characters)")


def complete_export(hermes: HasSessions) -> list[str]:
    """The formats."""
    return list(FORMS)


def _target(hermes: HasSessions, argument: str) -> tuple[Path, str]:
    """Return the file and the format that the argument of /export names; a name may hold blanks."""
    name, _, last = argument.rpartition(" ")
    if last in FORMS:
        form, name = last, name.strip()
    else:
        form, name = "", argument
    if name:
        path = Path(hermes.folder, Path(name).expanduser())
        return path, form or ENDINGS.get(path.suffix, "markdown")
    form = form or "markdown"
    ending = next(ending for ending, of in ENDINGS.items() if of == form)
    return hermes.folder / f"session-{hermes.session.id[:8]}{ending}", form
