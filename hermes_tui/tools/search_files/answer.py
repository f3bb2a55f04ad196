"""Turns what an engine finds into one page for the model, and says how to get the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from hermes_tui.engine.protocols import Result
from hermes_tui.files.names import printable
from hermes_tui.tools.search_files.request import FileHits, Line


@dataclass(slots=True)
class Page:
    """The entries `offset` to `offset + limit - 1`, and whether there are more."""

    offset: int
    limit: int
    lines: list[str] = field(default_factory=list)
    taken: int = 0
    """How many entries it holds."""
    more: bool = False

    @property
    def end(self) -> int:
        """The number after its last entry."""
        return self.offset + self.limit


def listed(entries: Iterable[str], page: Page) -> None:
    """Fill a page with one line an entry: paths, or paths with counts."""
    for number, entry in enumerate(entries):
        if number >= page.end:
            page.more = True
            return
        if number >= page.offset:
            page.lines.append(printable(entry))
            page.taken += 1


def matches(found: Iterable[FileHits], page: Page, context: int, name: Callable[[str], str]) -> None:
    """Fill a page with matching lines as `path:number:text`, lines of context as `path-number-text`."""
    seen = 0
    for hits in found:
        first, last = page.offset - seen, page.end - seen
        seen += hits.count
        wanted = [line.number for line in hits.lines if line.matches][max(0, first) : last]
        if wanted:
            path = printable(name(hits.path))
            page.taken += len(wanted)
            for block in _blocks(hits.lines, wanted, context):
                page.lines += ["--"] if context and page.lines else []
                page.lines += [_line(path, line, line.number in wanted) for line in block]
        if seen > page.end:
            page.more = True
            return


def _blocks(lines: list[Line], wanted: list[int], context: int) -> Iterator[list[Line]]:
    """Yield the lines around those wanted, cut where lines are missing between them."""
    block: list[Line] = []
    for line in lines:
        if not any(abs(line.number - number) <= context for number in wanted):
            continue
        if block and line.number > block[-1].number + 1:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _line(path: str, line: Line, matches: bool) -> str:
    mark = ":" if matches else "-"
    return f"{path}{mark}{line.number}{mark}{line.text}"


def result(page: Page, what: str, nothing: str, unreadable: int) -> Result:
    """Return the page as a result; `what` names its entries, `nothing` says that there are none at all."""
    notes = []
    if page.more:
        notes.append(f"{what} {page.offset + 1}-{page.end}, there are more; go on with offset={page.end}")
    elif page.offset and page.taken:
        notes.append(f"{what} {page.offset + 1}-{page.offset + page.taken}, there are no more")
    elif page.offset:
        notes.append(f"no more {what}: offset={page.offset} is past their end")
    elif not page.taken:
        notes.append(nothing)
    if unreadable:
        notes.append(f"{unreadable} files or folders could not be read")
    text = "\n".join([*page.lines, *(f"[{note}]" for note in notes)])
    one = page.taken == 1 and not page.more
    counted = {"matches": "match", "files": "file"}[what] if one else what
    return Result(text, display=f"{page.taken}{'+' if page.more else ''} {counted}")


def escaped(pattern: str) -> str:
    """Return the pattern that finds `pattern` literally."""
    return re.sub(r"[\\.+*?()|\[\]{}^$#&~-]", r"\\\g<0>", pattern)
