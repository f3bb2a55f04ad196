"""read_file: numbered lines of a text file, capped, and how to go on.

A line is shown as `     7|text`. Must not open anything that could block or never end.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Annotated, Final

import msgspec

from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Reads
from hermes_tui.files.encoding import binary_kind, decoded, is_utf16
from hermes_tui.files.lines import LineWindow
from hermes_tui.files.names import listing, near, printable
from hermes_tui.files.open import NoSuchFile, chunks, hash_bytes, opened, read
from hermes_tui.files.paths import canonical, display
from hermes_tui.files.reads import MAX_CONTENT
from hermes_tui.tools.base import TypedTool, footprint_of, read_path

MAX_LINES: Final = 2000
MAX_BYTES: Final = 100_000
"""Bytes of one answer."""


class ReadArguments(msgspec.Struct):
    """What read_file takes."""

    path: Annotated[
        str, msgspec.Meta(description="The file; relative to the working folder.", examples=["src/app.py"])
    ]
    offset: Annotated[int, msgspec.Meta(description="The first line, from 1.")] = 1
    limit: Annotated[int, msgspec.Meta(description="How many lines, at most 2000.")] = 500


class ReadFile(TypedTool[ReadArguments]):
    """Shows a file to the model, and remembers which content it has seen."""

    name = "read_file"
    description = (
        "Read a text file. Lines come numbered as `     1|text`; the number and the bar are not part of the "
        "file. At most 2000 lines or 100 kB at once: the answer says how to go on. Folders, devices and "
        "binary files are refused."
    )
    Arguments = ReadArguments

    def declare(self, args: ReadArguments, folder: Path) -> Footprint:
        """Return a read of that path; of its nearest folder if it is missing."""
        return footprint_of(Level.SCOPED, [read_path(args.path, folder)])

    def act(self, args: ReadArguments, call: Call) -> Result:
        """Return the numbered lines."""
        path = call.declared(canonical(args.path, call.folder))
        name = printable(display(path, call.folder))
        if path.is_dir():
            raise ToolError(_folder_text(path, name))
        window = LineWindow(max(1, args.offset), min(max(1, args.limit), MAX_LINES))
        try:
            content_hash, content = _load(path, name, window, call.token)
        except NoSuchFile:
            raise NoSuchFile(_missing_text(path, name, call.folder)) from None
        call.state(Reads).note(path, content_hash, content)
        return _answer(window, name)


def _load(path: Path, name: str, window: LineWindow, token: Token) -> tuple[str, bytes]:
    """Feed a file to the window; return its hash, and its content if that is small."""
    digest = hashlib.sha256()
    content = bytearray()
    with opened(path) as descriptor:
        for number, piece in enumerate(chunks(descriptor, path)):
            token.raise_if_set()
            if number == 0 and (kind := binary_kind(piece)):
                size = os.fstat(descriptor).st_size
                raise ToolError(f"{name} is {kind} of {size} bytes, not text; it cannot be read as lines")
            if number == 0 and is_utf16(piece):
                return _load_utf16(path, window)
            digest.update(piece)
            window.feed(piece)
            if len(content) <= MAX_CONTENT:
                content += piece
    return digest.hexdigest(), bytes(content)


def _load_utf16(path: Path, window: LineWindow) -> tuple[str, bytes]:
    """Do the same for a file whose line ends are no single bytes."""
    data = read(path)
    window.feed(decoded(data).text.encode("utf-8", "replace"))
    return hash_bytes(data), data


def _answer(window: LineWindow, name: str) -> Result:
    """Return what the window holds, with what is left out and why."""
    if not window.total:
        return Result(f"{name}: file is empty", "empty")
    if not window.lines:
        return Result(f"{name} has {window.total} lines: offset={window.first} is past its end", ok=False)
    shown: list[str] = []
    size = 0
    for number, line in enumerate(window.lines, start=window.first):
        text = f"{number:6}|{line.shown}"
        size += len(text.encode()) + 1
        if shown and size > MAX_BYTES:
            break
        shown.append(text)
    last = window.first + len(shown) - 1
    notes = []
    if any(line.is_damaged for line in window.lines[: len(shown)]):
        notes.append("bytes that are no UTF-8 are shown as �; an edit elsewhere keeps them as they are")
    if last < window.total:
        notes.append(f"lines {window.first}-{last} of {window.total}; go on with offset={last + 1}")
    elif window.first > 1:
        notes.append(f"lines {window.first}-{last} of {window.total}")
    whole = f"{window.total} line{'s' * (window.total != 1)}"
    display_text = whole if len(shown) == window.total else f"lines {window.first}–{last}"
    return Result("\n".join([*shown, *(f"[{note}]" for note in notes)]), display_text)


def _folder_text(path: Path, name: str) -> str:
    """Return what to do instead of reading a folder."""
    names = listing(path)
    some = ", ".join(names[:20]) or "nothing"
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return f"{name} is a folder, not a file. It holds {some}{more}. Read one of its files, or search in it."


def _missing_text(path: Path, name: str, folder: Path) -> str:
    """Return that a file is missing, and what may be meant."""
    close = ", ".join(printable(display(each, folder)) for each in near(path))
    return f"no such file: {name}." + (f" Did you mean {close}?" if close else " Search for it by name.")


TOOL = ReadFile()
