"""What a patch would do to the disk, worked out in full before any of it is done.

Reads files; writes none. Every operation sees what the earlier ones of the same patch made.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hermes_tui.engine.errors import ToolError
from hermes_tui.files.encoding import decoded
from hermes_tui.files.names import near, printable
from hermes_tui.files.open import NoSuchFile, read
from hermes_tui.files.paths import canonical, display, entry
from hermes_tui.tools.patch.grammar import Operation
from hermes_tui.tools.patch.hunks import applied


@dataclass(slots=True)
class Edit:
    """One path before and after the patch. None: no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    verb: str = "updated"
    """What the receipt says: updated, added, deleted, moved."""
    notes: list[str] = field(default_factory=list)
    source: Path | None = None
    """Where its content was moved from."""
    is_link: bool = False
    """Whether it is a symbolic link that goes, not the file it leads to."""


class Draft:
    """The files that a patch touches, as they would be."""

    def __init__(self, folder: Path, declared: Callable[[Path], Path] = lambda path: path) -> None:
        """`declared`: as `Call.declared`; a preview, which nobody but the user sees, goes without."""
        self.folder = folder
        self._declared = declared
        self.edits: dict[Path, Edit] = {}

    def name(self, path: Path) -> str:
        """Return a path as the receipt names it."""
        return printable(display(path, self.folder))

    def content(self, path: Path) -> bytes | None:
        """Return what stands at `path` by now, None for no file; `ToolError` for what is no file."""
        return self.edit(path).after

    def edit(self, path: Path) -> Edit:
        """Return the edit of a path, one that changes nothing if there is none yet."""
        if path not in self.edits:
            try:
                before = read(self._declared(path))
            except NoSuchFile:
                before = None
            self.edits[path] = Edit(path, before, before)
        return self.edits[path]

    def existing(self, text: str) -> Edit:
        """Return the edit of a file that has to be there."""
        path = canonical(text, self.folder)
        edit = self.edit(path)
        if edit.after is None:
            close = ", ".join(map(self.name, near(path)))
            hint = f". Did you mean {close}?" if close else ""
            raise NoSuchFile(f"no such file: {self.name(path)}{hint}")
        return edit

    def changed(self) -> list[Edit]:
        """Return the edits that change something: targets of moves first, removals last."""
        edits = [edit for edit in self.edits.values() if edit.before != edit.after or edit.is_link]
        return sorted(edits, key=lambda edit: (edit.after is None, edit.source is None))

    def told(self) -> list[Edit]:
        """Return the edits as a person counts them: a move is one, told with its target."""
        edits = self.changed()
        sources = {edit.source for edit in edits}
        return [edit for edit in edits if edit.after is not None or edit.path not in sources]

    def origin(self, edit: Edit) -> bytes | None:
        """Return the content that an edit started from: for a move that of its source."""
        return edit.before if edit.source is None else self.edits[edit.source].before


def apply(draft: Draft, operation: Operation) -> None:
    """Work one operation of a patch into the draft; `ToolError` says why it cannot be."""
    if operation.verb == "Add":
        _add(draft, operation)
    elif operation.verb == "Delete":
        _delete(draft, operation.path)
    else:
        _update(draft, operation)


def _add(draft: Draft, operation: Operation) -> None:
    """Make a file that must not be there."""
    path = canonical(operation.path, draft.folder)
    edit = draft.edit(path)
    if edit.after is not None:
        raise ToolError(f"{draft.name(path)} exists already: use *** Update File: to change it")
    edit.after = "".join(f"{line}\n" for line in operation.content).encode()
    edit.verb = "added"


def _delete(draft: Draft, text: str) -> None:
    """Remove a file, or the link itself where a link is named."""
    named = entry(text, draft.folder)
    if named.is_symlink():
        draft.edits[named] = Edit(named, None, None, "deleted", is_link=True)
        return
    edit = draft.existing(text)
    edit.after = None
    edit.verb = "deleted"


def _update(draft: Draft, operation: Operation) -> None:
    """Change a file's text, and move it if a target is named."""
    edit = draft.existing(operation.path)
    before = edit.after or b""
    after = before
    notes: list[str] = []
    if operation.hunks:
        old = decoded(before)
        text, notes = applied(old.text, operation.hunks)
        after = old.encoded(text)
    target = edit.path if operation.target is None else canonical(operation.target, draft.folder)
    if same_place(edit.path, target):
        edit.after = after
        edit.notes += notes
        return
    if entry(operation.path, draft.folder).is_symlink():
        raise ToolError(
            f"{operation.path} is a symbolic link: a patch moves files only; move it by a command"
        )
    moved = draft.edit(target)
    if moved.after is not None:
        raise ToolError(f"cannot move {draft.name(edit.path)}: {draft.name(target)} exists already")
    moved.after, moved.verb, moved.source = after, "moved", edit.path
    moved.notes += [*edit.notes, *notes]
    edit.after, edit.verb = None, "moved"


def same_place(source: Path, target: Path) -> bool:
    """Whether two canonical paths are one file, also where the file system ignores case."""
    if source == target:
        return True
    if str(source).casefold() != str(target).casefold():
        return False
    try:
        return os.path.samefile(source, target)
    except OSError:
        return False
