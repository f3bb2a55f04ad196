"""write_file: the whole content of one file, new or replaced. Must not write past `call.replace`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import Footprint, Hazard, Level
from hermes_tui.engine.protocols import ABSENT, Call, Result
from hermes_tui.engine.state import Reads
from hermes_tui.files.diff import summary, unified
from hermes_tui.files.encoding import binary_kind, readable
from hermes_tui.files.names import printable
from hermes_tui.files.open import NoSuchFile, TooLarge, hash_bytes, hash_file, read
from hermes_tui.files.paths import canonical, display
from hermes_tui.files.reads import stale
from hermes_tui.tools.base import TypedTool, footprint_of, write_path


class WriteArguments(msgspec.Struct):
    """What write_file takes."""

    path: Annotated[
        str, msgspec.Meta(description="The file; missing folders are made.", examples=["src/app.py"])
    ]
    content: Annotated[
        str, msgspec.Meta(description="The whole content, written as UTF-8.", examples=["print('hi')\n"])
    ]


class WriteFile(TypedTool[WriteArguments]):
    """Makes a file hold exactly the content given."""

    name = "write_file"
    description = (
        "Write a whole file: new, or replacing what was there. It is refused if the file changed since you "
        "last read it. To change a part of a file, patch it instead."
    )
    Arguments = WriteArguments

    def declare(self, args: WriteArguments, folder: Path) -> Footprint:
        """Return a write of the file the path leads to; over a folder, the call is undeclared (and fails)."""
        path = canonical(args.path, folder)
        if path.is_dir():
            subject = write_path(args.path, folder)
            return footprint_of(Level.UNDECLARED, [subject], f"{display(path, folder)} is a folder")
        if path.exists():
            name = display(path, folder)
            subject = write_path(args.path, folder, Hazard.OVERWRITES, f"replaces {name}")
        else:
            subject = write_path(args.path, folder)
        return footprint_of(Level.SCOPED, [subject])

    def show(self, args: WriteArguments, folder: Path) -> str:
        """Return the diff against what is there now."""
        path = canonical(args.path, folder)
        name = printable(display(path, folder))
        try:
            before = read(path)
        except NoSuchFile:
            return unified(None, args.content, name)
        except ToolError as error:
            return f"replaces {name}: {error}" if isinstance(error, TooLarge) else str(error)
        if kind := binary_kind(before):
            return f"replaces {name}, which is {kind} of {len(before)} bytes"
        return unified(readable(before), args.content, name)

    def act(self, args: WriteArguments, call: Call) -> Result:
        """Write it, and remember that the model knows this content."""
        path = call.declared(canonical(args.path, call.folder))
        name = printable(display(path, call.folder))
        data = _encoded(args.content)
        found, before = _standing(path)
        reads = call.state(Reads)
        if refusal := stale(reads, path, found, before, name):
            raise refusal
        unread = found != ABSENT and reads.hash(path) is None
        if before != data:
            call.replace(path, data, found)
        reads.note(path, hash_bytes(data), data)
        if found == ABSENT:
            return Result(
                f"wrote {name}: new file, {_counted(args.content)}", f"new, {_counted(args.content)}"
            )
        if before == data:
            return Result(f"{name} already has exactly this content; nothing was changed", "no change")
        changed = "replaced a large file" if before is None else summary(readable(before), args.content)
        warning = ". It replaced a file that you had not read in this session" if unread else ""
        return Result(f"wrote {name}: {_counted(args.content)} ({changed}){warning}", changed)


def _counted(content: str) -> str:
    lines = content.count("\n") + (content != "" and not content.endswith("\n"))
    return f"{lines} line{'' if lines == 1 else 's'}"


def _standing(path: Path) -> tuple[str, bytes | None]:
    """Return the hash and the content of what stands there; no content for no file and for a large one."""
    try:
        data = read(path)
    except NoSuchFile:
        return ABSENT, None
    except TooLarge:
        return hash_file(path), None
    return hash_bytes(data), data


def _encoded(content: str) -> bytes:
    """Return the bytes to write."""
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise BadArguments(
            f"write_file: the content holds half a surrogate pair at character {error.start + 1}, which no "
            "UTF-8 file can hold; send the whole character"
        ) from None


TOOL = WriteFile()
