"""Cut a Markdown answer into pieces that can be drawn on their own, while it streams.

A piece is closed once nothing that follows can change how it looks, so only the open tail is drawn again.
Where the cuts fall depends on the text alone, never on how it arrived: streaming and loading give the same
pieces. Pieces end at blank lines (outside fences and lists), before and after fences; what would grow
without limit (code, one endless line) is cut at fixed sizes. Draws nothing and drops nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hermes_tui.text import harmless

LINE_LIMIT = 4_096
"""A line is cut after this many characters, at a blank if it has one."""
PIECE_LIMIT = 8_192
"""Text of this many characters is cut at the next line end."""
LIST_LIMIT = 2_048
"""A list longer than this is cut before an item that follows a blank line."""
CODE_SOFT, CODE_HARD = 40, 120
"""Code of this many lines is cut before the next unindented line after a blank one; at the latest here."""

_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$")
_ITEM = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
_UNDECIDED = re.compile(r"\s*(?:`{3,}[^`]*|[-#>*+=_~`|.)\d\s]*)$")
"""A line so far that may still become a fence, a heading, a list item, a rule: not shown until decided."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an answer: Markdown, or the code of one fence (or a part of it)."""

    text: str
    """Harmless text without the fence's own lines, no new line at the end."""
    info: str | None = None
    """None for Markdown; for code what stood behind the fence's marks: the language and what follows."""
    joined: bool = False
    """Whether it goes on where the piece before was cut: no blank line between them."""


@dataclass(frozen=True, slots=True)
class _Fence:
    mark: str
    length: int
    indent: int
    info: str
    inner: bool
    """Whether it stands in a list: then it stays part of the Markdown piece."""

    def closed_by(self, line: str) -> bool:
        bare = line.strip()
        return len(bare) >= self.length and set(bare) == {self.mark}


class Splitter:
    """Takes an answer in chunks and gives its pieces.

    `feed` returns the pieces that closed, `tail` what is open now (for showing), `close` the rest.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._lines: list[str] = []
        self._size = 0
        self._fence: _Fence | None = None
        self._in_list = False
        self._after_blank = False
        self._joined = False
        self._closed: list[Piece] = []

    def feed(self, text: str) -> list[Piece]:
        """Take the next chunk; return the pieces it closed."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._line(self._shorten(line))
        self._rest = self._shorten(self._rest)
        return self._take()

    def close(self) -> list[Piece]:
        """End the answer; return the pieces that were open. An open fence ends here."""
        if self._rest:
            self._line(self._rest)
            self._rest = ""
        self._end_piece(joined=False)
        self._fence = None
        return self._take()

    def tail(self) -> Piece | None:
        """Return the open piece as it can be shown now; None when there is nothing to show yet."""
        lines = self._lines
        if self._rest and not self._undecided():
            lines = [*lines, harmless(self._rest)]
        if self._fence is not None and not self._fence.inner:
            return Piece("\n".join(lines), self._fence.info, self._joined) if lines else None
        text = "\n".join(lines).strip("\n")
        return Piece(text, None, self._joined) if text.strip() else None

    def _undecided(self) -> bool:
        if self._fence is None:
            return _UNDECIDED.match(self._rest) is not None
        return set(self._rest.strip()) <= {self._fence.mark}

    def _take(self) -> list[Piece]:
        closed, self._closed = self._closed, []
        return closed

    def _shorten(self, line: str) -> str:
        while len(line) > LINE_LIMIT:
            cut = line.rfind(" ", 1, LINE_LIMIT) + 1 or LINE_LIMIT
            self._line(line[:cut])
            line = line[cut:]
        return line

    def _line(self, raw: str) -> None:
        line = harmless(raw.removesuffix("\r"))
        if self._fence is not None:
            self._fenced(self._fence, line)
        elif not line.strip():
            self._after_blank = True
            if self._lines:
                self._add("")
        else:
            self._text(line)
            self._after_blank = False

    def _text(self, line: str) -> None:
        fence = self._opens(line)
        if fence is not None and not fence.inner:
            self._end_piece(joined=False)
            self._fence = fence
            return
        item = _ITEM.match(line) is not None
        if self._boundary(line, item):
            self._end_piece(joined=False)
        elif self._size > PIECE_LIMIT:
            self._end_piece(joined=not self._after_blank)
        self._fence = fence
        self._in_list |= item
        self._add(line)

    def _opens(self, line: str) -> _Fence | None:
        if not (match := _FENCE.match(line)):
            return None
        indent = len(match[1])
        if indent > 3 and not self._in_list:
            return None
        return _Fence(match[2][0], len(match[2]), indent, match[3].strip(), self._in_list and indent >= 2)

    def _boundary(self, line: str, item: bool) -> bool:
        if not (self._after_blank and self._lines) or line[0] in " \t":
            return False
        return not (self._in_list and item and self._size < LIST_LIMIT)

    def _fenced(self, fence: _Fence, line: str) -> None:
        if fence.inner:
            self._add(line)
            if fence.closed_by(line):
                self._fence = None
            elif self._size > PIECE_LIMIT:
                self._end_piece(joined=True)
                self._fence = replace(fence, inner=False)
        elif fence.closed_by(line):
            self._end_piece(joined=False)
            self._fence = None
        else:
            if self._code_is_long(line):
                self._end_piece(joined=True)
            self._add(_unindent(line, fence.indent))

    def _code_is_long(self, line: str) -> bool:
        count = len(self._lines)
        soft = count >= CODE_SOFT and not self._lines[-1].strip() and line[:1].strip() != ""
        return soft or count >= CODE_HARD or self._size > PIECE_LIMIT

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._size += len(line) + 1

    def _end_piece(self, *, joined: bool) -> None:
        text = "\n".join(self._lines)
        if self._fence is not None and not self._fence.inner:
            if self._lines or self._fence.info:
                self._closed.append(Piece(text, self._fence.info, self._joined))
        elif text.strip():
            self._closed.append(Piece(text.strip("\n"), None, self._joined))
        self._lines, self._size, self._joined = [], 0, joined
        self._in_list = self._after_blank = False


def _unindent(line: str, indent: int) -> str:
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(indent, blanks) :]


def split(text: str) -> list[Piece]:
    """Return all pieces of a whole answer."""
    splitter = Splitter()
    return [*splitter.feed(text), *splitter.close()]
