"""search_files: the tool itself: its arguments, what it reads, which engine answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.files.names import near, printable
from hermes_tui.files.paths import canonical, display
from hermes_tui.files.walk import ignore_files_above
from hermes_tui.tools.base import TypedTool, footprint_of, read_path
from hermes_tui.tools.search_files import ripgrep
from hermes_tui.tools.search_files.answer import Page, escaped, listed, matches, result
from hermes_tui.tools.search_files.fallback import Fallback
from hermes_tui.tools.search_files.glob import matcher
from hermes_tui.tools.search_files.request import BadPattern, Engine, FileHits, Request
from hermes_tui.tools.search_files.ripgrep import Ripgrep


class SearchArguments(msgspec.Struct):
    """What search_files takes."""

    pattern: Annotated[
        str,
        msgspec.Meta(
            description="content: a regular expression (ripgrep's), matched line by line. files: a glob.",
            examples=["def main"],
        ),
    ]
    target: Annotated[
        Literal["content", "files"],
        msgspec.Meta(description="Search in files, or for files by name."),
    ] = "content"
    path: Annotated[str, msgspec.Meta(description="The folder or file to search.", examples=["src"])] = "."
    file_glob: Annotated[
        str | None,
        msgspec.Meta(description="Only files whose name fits, or path if it has a slash.", examples=["*.py"]),
    ] = None
    limit: Annotated[int, msgspec.Meta(description="Entries of one answer, 1 to 1000.", ge=1, le=1000)] = 50
    offset: Annotated[int, msgspec.Meta(description="Entries to skip.", ge=0)] = 0
    output_mode: Annotated[
        Literal["content", "files_only", "count"],
        msgspec.Meta(description="content: matching lines. files_only: paths. count: matching lines a file."),
    ] = "content"
    context: Annotated[
        int, msgspec.Meta(description="Lines shown before and after each match, 0 to 50.", ge=0, le=50)
    ] = 0


class SearchFiles(TypedTool[SearchArguments]):
    """Finds text in files, or files."""

    name = "search_files"
    description = (
        "Search file contents with a regular expression (target=content), or find files with a glob "
        "(target=files: `*.py` by name, `src/**/*.py` by path). Hidden files are searched; .git, binary "
        "files and what .gitignore and its like name are not, unless path names it. Sorted by path; the "
        "answer says how to go on. To find special characters literally, escape them: `foo\\(`."
    )
    Arguments = SearchArguments

    def __init__(self, engine: Callable[[], Engine] | None = None) -> None:
        self._engine = engine or _best

    def declare(self, args: SearchArguments, folder: Path) -> Footprint:
        """Return a read of the root and of the ignore files above it."""
        subject = read_path(args.path, folder)
        above = [str(file) for file in ignore_files_above(Path(subject.text))]
        footprint = footprint_of(Level.SAFE, [subject])
        return Footprint(Level.SAFE, (*footprint.reads, *above), subjects=footprint.subjects)

    def act(self, args: SearchArguments, call: Call) -> Result:
        """Return one page of what was found."""
        root = call.declared(canonical(args.path, call.folder))
        where = printable(display(root, call.folder))
        if not root.exists():
            raise ToolError(_missing(root, where, call.folder))
        if not root.is_dir() and not root.is_file():
            raise ToolError(f"{where} is neither a folder nor a regular file; it cannot be searched")
        search = _Search(self._engine(), root, call)
        if args.target == "files":
            return search.files(args, where)
        return search.content(args, where)


class _Search:
    """One search under way."""

    def __init__(self, engine: Engine, root: Path, call: Call) -> None:
        self._engine = engine
        self._root = root
        self._token: Token = call.token
        self._folder = call.folder

    def files(self, args: SearchArguments, where: str) -> Result:
        """Return the files whose name fits pattern and file_glob."""
        fits = _glob(args.pattern, "pattern")
        also = _glob(args.file_glob, "file_glob")
        names = self._engine.names(Request(self._root), self._token)
        page = Page(args.offset, args.limit)
        listed((self._name(path) for path in names if fits(path) and also(path)), page)
        nothing = f"no files in {where} whose name fits {args.pattern}; ignored files are not listed"
        return result(page, "files", nothing, self._engine.unreadable)

    def content(self, args: SearchArguments, where: str) -> Result:
        """Return matching lines, their files or their numbers."""
        if not args.pattern:
            raise BadArguments("search_files: the pattern is empty; give a text, or use target=files")
        if "\0" in args.pattern or not _is_text(args.pattern):
            raise BadArguments("search_files: the pattern holds a NUL or half a surrogate pair; leave it out")
        page = Page(args.offset, args.limit)
        lines = args.output_mode == "content"
        found = self._found(args, page.end + 1 if lines else 0)
        try:
            if lines:
                matches(found, page, args.context, self._name)
            else:
                count = args.output_mode == "count"
                listed((self._name(hits.path) + (f": {hits.count}" if count else "") for hits in found), page)
        except BadPattern as error:
            raise ToolError(_not_a_pattern(error, args.pattern)) from None
        nothing = f"no matches in {where}; ignored and binary files are not searched"
        return result(page, "matches" if lines else "files", nothing, self._engine.unreadable)

    def _found(self, args: SearchArguments, keep: int) -> Iterator[FileHits]:
        """Yield the files with matches whose name fits."""
        fits = _glob(args.file_glob, "file_glob")
        context = args.context if args.output_mode == "content" else 0
        request = Request(self._root, args.pattern, args.file_glob, context)
        return (hits for hits in self._engine.content(request, keep, self._token) if fits(hits.path))

    def _name(self, path: str) -> str:
        """Return a found path as the model names it."""
        file = self._root / path if self._root.is_dir() else self._root
        return display(file, self._folder)


def _is_text(pattern: str) -> bool:
    """Whether it can be handed to a program."""
    try:
        pattern.encode()
    except UnicodeEncodeError:
        return False
    return True


def _best() -> Engine:
    """Return ripgrep, or what stands in for it."""
    program = ripgrep.binary()
    return Ripgrep(program) if program else Fallback()


def _glob(glob: str | None, argument: str) -> Callable[[str], bool]:
    """Return whether a path fits; `BadArguments` when the glob is none."""
    if glob is None:
        return lambda path: True
    try:
        return matcher(glob)
    except ValueError as error:
        raise BadArguments(
            f"search_files: {argument} {glob!r} is no glob: {error}. Example: *.py, src/**/*.{{ts,tsx}}"
        ) from None


def _not_a_pattern(error: BadPattern, pattern: str) -> str:
    """Return why a search was refused, and how to search for the text itself."""
    return f"the pattern does not compile: {error}. To find the text itself, send {escaped(pattern)!r}"


def _missing(root: Path, where: str, folder: Path) -> str:
    """Return that the root is missing, and what may be meant."""
    close = ", ".join(printable(display(each, folder)) for each in near(root))
    return f"no such folder or file: {where}." + (f" Did you mean {close}?" if close else "")


TOOL = SearchFiles()
