"""memory: notes for later sessions, in Markdown files that the user can read and edit.

`memory` is about the project, `user` about the person. What is noted reaches the model with the next
session: one snapshot stands in the system text, so that the server's cache stays warm.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from hermes_tui.config.paths import private_folder, private_write
from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import Access, Footprint, Level, Subject
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Memory, NotesOn
from hermes_tui.text import harmless
from hermes_tui.tools.base import TypedTool

STATE: Final = "state:memory"

CAPS: Final[dict[NotesOn, int]] = {"project": 4_000, "user": 2_000}
"""Characters of all notes of a target: they stand in every request."""

TITLES: Final[dict[NotesOn, str]] = {"project": "Notes on this project", "user": "Notes on the user"}


class MemoryArguments(msgspec.Struct):
    """What memory takes."""

    action: Annotated[
        Literal["add", "replace", "remove"],
        msgspec.Meta(description="replace and remove need old_text.", examples=["add"]),
    ]
    target: Annotated[
        Literal["memory", "user"],
        msgspec.Meta(
            description="memory: facts about this project; user: what the person prefers, in all projects.",
            examples=["memory"],
        ),
    ] = "memory"
    content: Annotated[
        str,
        msgspec.Meta(
            description="The note, one fact, complete in itself.", examples=["tests run with `make check`"]
        ),
    ] = ""
    old_text: Annotated[
        str, msgspec.Meta(description="A part of the note that is meant, so long that it fits only that one.")
    ] = ""

    @property
    def on(self) -> NotesOn:
        """What the note is on."""
        return "user" if self.target == "user" else "project"


class MemoryTool(TypedTool[MemoryArguments]):
    """Adds, replaces and removes notes."""

    name = "memory"
    description = (
        "Keep a note for later sessions: facts about this project that are hard to find out again (target "
        "memory), or what the person prefers (target user). The notes of earlier sessions stand in your "
        "instructions. Note only what will still be true and useful; never secrets, never the task at hand."
    )
    Arguments = MemoryArguments
    for_agents = False

    def declare(self, args: MemoryArguments, folder: Path) -> Footprint:
        """Return that it changes the notes, and no file of the project."""
        _check(args)
        why = f"{args.action}s a note that later sessions go by"
        subject = Subject("note", args.target, Access.WRITE, pattern=args.target, why=why)
        return Footprint(Level.UNDECLARED, (STATE,), (STATE,), subjects=(subject,), why=why)

    def show(self, args: MemoryArguments, folder: Path) -> str:
        """Return what would change."""
        lines = [f"{args.action} ({TITLES[args.on]})"]
        lines += [f"- {args.old_text}"] if args.old_text else []
        lines += [f"+ {args.content}"] if args.content and args.action != "remove" else []
        return "\n".join(lines)

    def act(self, args: MemoryArguments, call: Call) -> Result:
        """Return the notes of the target as they are now."""
        memory = call.state(Memory)
        content = " ".join(args.content.split())
        if args.action == "add":
            memory.add(args.on, content)
        elif args.action == "replace":
            memory.replace(args.on, args.old_text, content)
        else:
            memory.remove(args.on, args.old_text)
        entries = memory.entries(args.on)
        used = sum(map(len, entries))
        text = "\n".join(f"- {entry}" for entry in entries) or "(none)"
        done = {"add": "noted", "replace": "replaced", "remove": "removed"}[args.action]
        return Result(f"{text}\n({used} of {CAPS[args.on]} characters used)", display=done)


class MemoryFiles:
    """Implements `engine.state.Memory`: one file for the user, one for each project."""

    def __init__(
        self, folder: Path, project: Path | None, changed: Callable[[str], None] | None = None
    ) -> None:
        """`changed` is told of each change, in words."""
        key = hashlib.sha256(str(project or "").encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._folder = folder
        self.files: dict[NotesOn, Path] = {"project": folder / f"{key}.md", "user": folder / "user.md"}
        self._heads: dict[NotesOn, str] = {
            "project": f"# {TITLES['project']}: {project or 'no project'}\n\n",
            "user": f"# {TITLES['user']}\n\n",
        }
        self._changed = changed
        self._lock = threading.Lock()

    def snapshot(self) -> str:
        """Return all notes for the system text; empty when there are none, or none can be read."""
        parts = []
        for target, title in TITLES.items():
            entries: list[str] = []
            with suppress(ToolError):
                entries = self.entries(target)
            if entries:
                parts.append(f"{title}:\n" + "\n".join(f"- {harmless(entry)}" for entry in entries))
        return "\n\n".join(parts)

    def entries(self, target: NotesOn) -> list[str]:
        """Return the notes, oldest first; what the user wrote around them is no note."""
        return [entry for entry, _, _ in _found(self._text(target))]

    def add(self, target: NotesOn, content: str) -> None:
        """Add a note at the end."""
        with self._writing():
            text = self._text(target)
            if content in [entry for entry, _, _ in _found(text)]:
                return
            self._put(target, f"{text.rstrip()}\n{_line(content)}" if text.strip() else _line(content))
        self._tell("noted", content)

    def replace(self, target: NotesOn, old: str, content: str) -> None:
        """Put another in the place of one note."""
        with self._writing():
            text = self._text(target)
            _, start, end = _the_one(text, old)
            self._put(target, text[:start] + _line(content) + text[end:])
        self._tell("noted", content)

    def remove(self, target: NotesOn, old: str) -> None:
        """Remove one note."""
        with self._writing():
            text = self._text(target)
            entry, start, end = _the_one(text, old)
            self._put(target, text[:start] + text[end:])
        self._tell("forgot", entry)

    def _text(self, target: NotesOn) -> str:
        try:
            return self.files[target].read_text("utf-8", "replace")
        except (FileNotFoundError, NotADirectoryError):
            return self._heads[target]
        except OSError as error:
            raise ToolError(
                f"{self.files[target]} cannot be read: {error.strerror}; nothing was noted"
            ) from None

    def _put(self, target: NotesOn, text: str) -> None:
        entries = [entry for entry, _, _ in _found(text)]
        size, cap = sum(map(len, entries)), CAPS[target]
        if size > cap:
            raise ToolError(
                f"the notes ({target}) would have {size} characters, and {cap} fit: "
                "remove or shorten others first\n" + "\n".join(f"- {entry}" for entry in entries)
            )
        try:
            private_write(self.files[target], text)
        except OSError as error:
            raise ToolError(f"{self.files[target]} cannot be written: {error.strerror}") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Keep other sessions from writing meanwhile."""
        with self._lock:
            try:
                lock = os.open(private_folder(self._folder) / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
            except OSError as error:
                raise ToolError(f"{self._folder} cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
            finally:
                os.close(lock)

    def _tell(self, done: str, entry: str) -> None:
        if self._changed is not None:
            self._changed(f"{done}: {harmless(entry)[:100]} · /memory shows all notes")


def _check(args: MemoryArguments) -> None:
    if args.action != "remove" and not args.content.strip():
        raise BadArguments(f"memory: {args.action} needs content: the note in one sentence")
    if args.action != "add" and not args.old_text.strip():
        raise BadArguments(f"memory: {args.action} needs old_text: a part of the note that is meant")


def _line(content: str) -> str:
    return f"- {content}\n"


def _found(text: str) -> list[tuple[str, int, int]]:
    """Return (note, start, end) of each: a list item with the indented lines below it."""
    pattern = re.compile(r"^[-*] (.*(?:\n[ \t]+\S.*)*)(?:\n|\Z)", re.MULTILINE)
    return [(" ".join(m[1].split()), m.start(), m.end()) for m in pattern.finditer(text)]


def _the_one(text: str, old: str) -> tuple[str, int, int]:
    """Return the one note that holds a text; `ToolError` shows all when it is not one."""
    wanted = " ".join(old.split())
    found = _found(text)
    fitting = [each for each in found if wanted in each[0]]
    if len(fitting) == 1:
        return fitting[0]
    which = "no note holds" if not fitting else f"{len(fitting)} notes hold"
    shown = "\n".join(f"- {entry}" for entry, _, _ in found) or "(there are none)"
    raise ToolError(f"{which} {wanted!r}; give a part of exactly one of these as old_text:\n{shown}")


TOOL = MemoryTool()
