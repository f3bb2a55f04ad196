"""Brings a draft onto the disk, file by file, and tells truthfully how far it got."""

from __future__ import annotations

import stat

from hermes_tui.engine.errors import Interrupted, ToolError
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Reads
from hermes_tui.files.diff import counts
from hermes_tui.files.encoding import readable
from hermes_tui.files.open import hash_bytes, hash_of
from hermes_tui.files.reads import stale
from hermes_tui.files.replace import check_writable
from hermes_tui.tools.patch.draft import Draft, Edit


def land(draft: Draft, call: Call, head: list[str]) -> Result:
    """Write every edit of the draft; `head` are lines for the start of the receipt.

    Raises `StaleFile` or `ToolError` before anything is written if one file is stale or not writable. If
    it stops in the middle the error, or the `Interrupted`, says which files were written and which not.
    """
    edits = draft.changed()
    if not edits:
        return Result("the patch changes nothing: every file already is as it asks for", "no change")
    reads = call.state(Reads)
    for edit in edits:
        if not edit.is_link:
            refusal = stale(reads, edit.path, hash_of(edit.before), edit.before, draft.name(edit.path))
            if refusal:
                raise refusal
        check_writable(edit.path)
    landed: list[Edit] = []
    for edit in edits:
        try:
            call.replace(edit.path, edit.after, _expected(edit), _mode(edit))
        except Interrupted as error:
            content = _states(draft, edits, landed, "interrupted") if landed else error.content
            raise Interrupted(content) from None
        except ToolError as error:
            if not landed:
                raise
            raise ToolError(_states(draft, edits, landed, str(error))) from None
        _remember(reads, edit)
        landed.append(edit)
    return _receipt(draft, head)


def _expected(edit: Edit) -> str | None:
    """Return the content hash that must stand there; None for a link, which has none."""
    return None if edit.is_link else hash_of(edit.before)


def _mode(edit: Edit) -> int | None:
    """Return the permission bits that a moved file brings along; None where nothing is moved."""
    return None if edit.source is None else stat.S_IMODE(edit.source.stat().st_mode)


def _remember(reads: Reads, edit: Edit) -> None:
    """Note what the model knows of the file now."""
    if edit.after is None:
        reads.forget(edit.path)
    else:
        reads.note(edit.path, hash_bytes(edit.after), edit.after)


def _states(draft: Draft, edits: list[Edit], landed: list[Edit], why: str) -> str:
    """Return what became of each file when it stopped in the middle."""
    lines = ["only a part of the patch was written; check before you go on."]
    for index, edit in enumerate(edits):
        if index < len(landed):
            state = f"{edit.verb} (done)"
        else:
            state = f"not {edit.verb}" + (f": {why}" if index == len(landed) else "")
        lines.append(f"{draft.name(edit.path)}: {state}")
    return "\n".join(lines)


def _receipt(draft: Draft, head: list[str]) -> Result:
    """Return what was done, a line a file."""
    lines: list[str] = []
    total_added = total_removed = 0
    for edit in draft.told():
        added, removed = counts(_text(draft.origin(edit)), _text(edit.after))
        total_added, total_removed = total_added + added, total_removed + removed
        moved = f"{draft.name(edit.source)} -> " if edit.source else ""
        detail = "symbolic link" if edit.is_link else f"+{added} −{removed}"
        lines.append(f"{edit.verb} {moved}{draft.name(edit.path)} ({detail})")
        lines += [f"  note: {note}" for note in edit.notes]
    files = f"{len(draft.told())} files, " if len(draft.told()) > 1 else ""
    content = "\n".join([*lines[:1], *head, *lines[1:]])
    return Result(content, f"{files}+{total_added} −{total_removed}")


def _text(data: bytes | None) -> str | None:
    return None if data is None else readable(data)
