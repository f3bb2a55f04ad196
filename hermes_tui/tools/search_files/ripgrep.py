"""The fast engine: ripgrep, started with nothing of the user's own settings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from hermes_tui.engine.interrupt import Token
from hermes_tui.files.temporary import GLOB
from hermes_tui.files.walk import in_repository
from hermes_tui.processes.helper import Helper, find
from hermes_tui.tools.search_files.events import files
from hermes_tui.tools.search_files.glob import name_part
from hermes_tui.tools.search_files.inside import Inside, inside
from hermes_tui.tools.search_files.request import BadPattern, FileHits, Request

_ALWAYS: Final = (
    "--no-config", "--hidden", "--sort", "path", "--color", "never", "--glob", "!.git", "--glob", f"!{GLOB}",
)  # fmt: skip


def binary() -> str | None:
    """Return the ripgrep to use, or None."""
    return find("rg")


class Ripgrep:
    """Implements `Engine`."""

    def __init__(self, program: str) -> None:
        self._program = program
        self.unreadable = 0

    def content(self, request: Request, keep: int, token: Token) -> Iterator[FileHits]:
        """Yield each file with a match."""
        options = ["--json", "--crlf", "--no-mmap", "--context", str(request.context)]
        if request.glob is not None and (name := name_part(request.glob)):
            options += ["--type-add", f"wanted:{name}", "--type", "wanted"]
        words = [*options, "-e", request.pattern]
        with inside(request.root) as root, self._started(words, request, root, token) as helper:
            yield from files(helper.lines(), keep, root.has_line)
            self.unreadable += len(root.refused)
            if helper.exit_code() == 2:
                self._judge(helper.errors)

    def names(self, request: Request, token: Token) -> Iterator[str]:
        """Yield the path of each file."""
        words = ["--files", "--null"]
        with inside(request.root) as root, self._started(words, request, root, token) as helper:
            for line in helper.lines(b"\0"):
                path = os.fsdecode(line).removeprefix("./")
                if root.has_file(path):
                    yield path
            self.unreadable += len(helper.errors) + len(root.refused)

    def _started(self, options: list[str], request: Request, root: Inside, token: Token) -> Helper:
        """Start ripgrep in the root, or beside it if that is a file."""
        target = "./" if root.is_folder else f"./{request.root.name}"
        everywhere = [] if in_repository(request.root) else ["--no-require-git"]
        argv = [self._program, *_ALWAYS, *everywhere, *options, "--", target]
        return Helper([os.fsencode(word) for word in argv], root.descriptor, dict(os.environ), token)

    def _judge(self, errors: list[str]) -> None:
        """Tell a bad pattern, which is an error, from files that could not be read."""
        about_files = [line for line in errors if "(os error " in line]
        if errors and not about_files:
            raise BadPattern(_reason(errors))
        self.unreadable += len(about_files)


def _reason(errors: list[str]) -> str:
    """Return why ripgrep refused a pattern, without advice that only its own users can follow."""
    stated = [line.removeprefix("error: ") for line in errors if line.startswith("error: ")]
    return stated[0] if stated else errors[0].removeprefix("rg: ").strip()
