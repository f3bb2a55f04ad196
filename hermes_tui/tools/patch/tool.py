"""The patch tool: what it takes, what it touches, and how a worked-out draft gets onto the disk.

Nothing is written before every part of the patch is known to fit.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import Access, Footprint, Hazard, Level, Subject
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.files.diff import unified
from hermes_tui.files.encoding import decoded, readable
from hermes_tui.files.names import printable
from hermes_tui.files.paths import display, entry
from hermes_tui.tools.base import TypedTool, footprint_of, path_subject, read_path, write_path
from hermes_tui.tools.patch.draft import Draft, Edit, apply
from hermes_tui.tools.patch.grammar import EXAMPLE, Operation, parsed
from hermes_tui.tools.patch.landing import land
from hermes_tui.tools.patch.replace import replaced


class PatchArguments(msgspec.Struct):
    """What patch takes."""

    mode: Annotated[
        Literal["replace", "patch"] | None,
        msgspec.Meta(
            description="replace (default): old_string by new_string in one file. patch: a V4A patch text."
        ),
    ] = None
    path: Annotated[
        str | None, msgspec.Meta(description="For replace: the file.", examples=["src/app.py"])
    ] = None
    old_string: Annotated[
        str | None,
        msgspec.Meta(
            description="For replace: the exact text, with enough lines around it to be unique.",
            examples=["x = 1\n"],
        ),
    ] = None
    new_string: Annotated[
        str | None,
        msgspec.Meta(description="For replace: what stands there instead.", examples=["x = 2\n"]),
    ] = None
    replace_all: Annotated[bool, msgspec.Meta(description="For replace: change every occurrence.")] = False
    patch: Annotated[
        str | None, msgspec.Meta(description="For patch: the patch text.", examples=[EXAMPLE])
    ] = None


class Patch(TypedTool[PatchArguments]):
    """Changes parts of files; every byte outside the change stays."""

    name = "patch"
    description = (
        "Edit files. mode=replace exchanges one exact, unique text. mode=patch takes a V4A patch over "
        "several files (*** Add File, *** Update File with @@ hunks and *** Move to, *** Delete File, "
        "*** Move File: a -> b); all of it is checked before anything is written. Line ends, byte order "
        "mark, encoding and mode of a file are kept. Refused if a file changed since you last read it."
    )
    Arguments = PatchArguments

    def declare(self, args: PatchArguments, folder: Path) -> Footprint:
        """Return writes of every file named, both ends of moves; undeclared if a link or folder would go."""
        operations = _operations(args)
        if operations is None:
            return footprint_of(Level.SCOPED, _changed(args.path or "", folder))
        subjects: list[Subject] = []
        why = ""
        for operation in operations:
            subjects += _subjects(operation, folder)
            why = why or _special(operation, folder)
        return footprint_of(Level.UNDECLARED if why else Level.SCOPED, subjects, why)

    def show(self, args: PatchArguments, folder: Path) -> str:
        """Return the diff of every file, or why the patch would fail."""
        draft = Draft(folder)
        try:
            _work_out(draft, args)
        except ToolError as error:
            return f"this patch will fail: {error}"
        return "".join(_shown(draft, edit) for edit in draft.told())

    def act(self, args: PatchArguments, call: Call) -> Result:
        """Work the whole patch out, then write it file by file."""
        draft = Draft(call.folder, call.declared)
        head = _work_out(draft, args)
        return land(draft, call, head)


def _operations(args: PatchArguments) -> list[Operation] | None:
    """Return the operations of a patch text, None for one replacement; `BadArguments` if it is neither."""
    mode = args.mode or ("patch" if args.patch is not None and args.old_string is None else "replace")
    needed = ("patch",) if mode == "patch" else ("path", "old_string", "new_string")
    absent = [field for field in needed if getattr(args, field) is None]
    if absent:
        raise BadArguments(f"patch: mode={mode} needs {', '.join(needed)}; {', '.join(absent)} is missing")
    for field in needed[-1:]:
        _must_be_text(field, getattr(args, field))
    return parsed(args.patch or "") if mode == "patch" else None


def _must_be_text(field: str, text: str) -> None:
    """Refuse a text that no UTF-8 file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadArguments(
            f"patch: {field} holds half a surrogate pair at character {error.start + 1}; send the whole one"
        ) from None


def _subjects(operation: Operation, folder: Path) -> list[Subject]:
    """Return what one operation touches, with what a person would want to be asked about."""
    if operation.verb == "Delete":
        path = entry(operation.path, folder)
        subject = path_subject(path, Access.WRITE, Hazard.DELETES, f"deletes {display(path, folder)}")
        return [subject, *_missing(subject, operation.path, folder)]
    if operation.verb == "Add":
        return [write_path(operation.path, folder)]
    subjects = _changed(operation.path, folder)
    if operation.target is not None:
        subjects.append(write_path(operation.target, folder))
    return subjects


def _changed(text: str, folder: Path) -> list[Subject]:
    """Return a file that is changed."""
    subject = write_path(text, folder)
    return [subject, *_missing(subject, text, folder)]


def _missing(subject: Subject, text: str, folder: Path) -> list[Subject]:
    """Return the read of a path that is not there: the answer names what is near it."""
    return [] if os.path.lexists(subject.text) else [read_path(text, folder)]


def _special(operation: Operation, folder: Path) -> str:
    """Return why an operation is undeclared: a link or a folder would be removed or moved; else empty."""
    if operation.verb != "Delete" and operation.target is None:
        return ""
    named = entry(operation.path, folder)
    if named.is_symlink():
        return f"{display(named, folder)} is a symbolic link"
    return f"{display(named, folder)} is a folder" if named.is_dir() else ""


def _work_out(draft: Draft, args: PatchArguments) -> list[str]:
    """Put all that the call asks for into the draft; return lines for the head of the receipt."""
    operations = _operations(args)
    if operations is None:
        return [_replace(draft, args)]
    failures = 0
    states: list[str] = []
    for operation in operations:
        name = printable(operation.path)
        try:
            apply(draft, operation)
            states.append(f"{name}: would be changed")
        except ToolError as error:
            failures += 1
            states.append(f"{name}: {error}")
    if failures:
        raise ToolError(
            f"nothing was written: {failures} of {len(operations)} parts of the patch do not fit.\n"
            + "\n".join(states)
        )
    return []


def _replace(draft: Draft, args: PatchArguments) -> str:
    """Work one replacement into the draft; return what the model is told of the match."""
    edit = draft.existing(args.path or "")
    old = decoded(edit.after or b"")
    try:
        made = replaced(old.text, args.old_string or "", args.new_string or "", args.replace_all)
    except ToolError as error:
        raise ToolError(f"{draft.name(edit.path)}: {error}") from None
    edit.after = old.encoded(made.text)
    edit.notes += [made.note] if made.note else []
    lines = ", ".join(map(str, made.at[:10])) + (", …" if len(made.at) > 10 else "")
    return f"{len(made.at)} replacement{'s' if len(made.at) > 1 else ''} at line {lines}"


def _shown(draft: Draft, edit: Edit) -> str:
    """Return one edit as the question shows it."""
    if edit.is_link:
        return f"removes the symbolic link {draft.name(edit.path)}\n"
    before, after = (None if data is None else readable(data) for data in (draft.origin(edit), edit.after))
    moved = f"moves {draft.name(edit.source)} -> {draft.name(edit.path)}\n" if edit.source else ""
    return moved + unified(before, after, draft.name(edit.path))


TOOL = Patch()
