"""Splits a command line into words and operators as bash does, here-documents included.

Must not know which words are commands; grammar.py gives the tokens their structure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from hermes_tui.shell.trouble import Span, Trouble, Unreadable
from hermes_tui.shell.words import Scope, Word, read_word

MOST_TOKENS: Final = 1_000
"""Words and operators of a line; what stands behind them is not read."""

REDIRECTS: Final = frozenset({"<", ">", ">>", "<<", "<<-", "<<<", "<&", ">&", "<>", ">|", "&>", "&>>"})

_BLANKS: Final = re.compile(r"[ \t]+")
_COMMENT: Final = re.compile(r"#[^\n]*")
_REDIRECT: Final = re.compile(
    r"(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)", re.ASCII
)
_OPERATOR: Final = re.compile(r"\n|;;&|;;|;&|;|&&|\|\||\|&|&|\||\(|\)")


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator; a newline is one too."""

    text: str
    """Without the descriptor: `>`, `&&`, a newline."""
    span: Span
    fd: str = ""
    """What stood in front of a redirect: `2`, `{name}`; else empty."""
    body: Span | None = None
    """The lines of a here-document without the one that ends it; None: none, or it does not end."""

    @property
    def source(self) -> str:
        """The operator as written."""
        return self.fd + self.text

    @property
    def is_redirect(self) -> bool:
        """Whether a word has to follow that it redirects to or from."""
        return self.text in REDIRECTS


Token = Word | Operator


def read_tokens(line: str, span: Span, scope: Scope) -> tuple[list[Token], Trouble | None]:
    """Return the tokens of a part of the line, and what stopped the reading before its end."""
    lexer = _Lexer(line, span, scope)
    try:
        lexer.run()
    except Unreadable as unreadable:
        return lexer.tokens, unreadable.trouble
    return lexer.tokens, None


class _Lexer:
    def __init__(self, line: str, span: Span, scope: Scope) -> None:
        self.line, self.scope = line, scope
        self.at, self.end = span
        self.tokens: list[Token] = []
        self.waiting: list[int] = []
        """Indexes in `tokens` of here-document operators whose lines have not come yet."""

    def run(self) -> None:
        line, end = self.line, self.end
        while True:
            blanks = _BLANKS.match(line, self.at, end)
            if blanks is not None:
                self.at = blanks.end()
            if self.at >= end:
                return
            if len(self.tokens) >= MOST_TOKENS:
                raise Unreadable(Trouble("line.long", "the line has too many words", (self.at, self.at)))
            if line[self.at] == "#":
                self.at = _COMMENT.match(line, self.at, end).end()  # type: ignore[union-attr]  # it starts with #
            else:
                self.token()

    def token(self) -> None:
        line = self.line
        match = _REDIRECT.match(line, self.at, self.end)
        if match is not None:
            if match[2] in ("<<", "<<-"):
                self.waiting.append(len(self.tokens))
            self.tokens.append(Operator(match[2], match.span(), match[1] or ""))
            self.at = match.end()
            return
        match = _OPERATOR.match(line, self.at, self.end)
        if match is None:
            word = read_word(line, self.at, self.end, self.scope)
            self.tokens.append(word)
            self.at = word.span[1]
            return
        self.tokens.append(Operator(match[0], match.span()))
        self.at = match.end()
        if match[0] == "\n" and self.waiting:
            self.here_documents()

    def here_documents(self) -> None:
        """Skip the lines of the here-documents that were announced on the line just ended."""
        for index in self.waiting:
            operator = self.tokens[index]
            delimiter = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
            if not isinstance(operator, Operator) or not isinstance(delimiter, Word):
                raise Unreadable(Trouble("syntax", "a here-document has no name", operator.span))
            self.tokens[index] = replace(
                operator, body=self.body(_unquoted(delimiter), operator.text == "<<-")
            )
        self.waiting.clear()

    def body(self, name: str, tabs: bool) -> Span:
        start = self.at
        while self.at < self.end:
            stop = self.line.find("\n", self.at, self.end)
            stop = self.end if stop < 0 else stop
            row = self.line[self.at : stop]
            begin = self.at
            self.at = min(stop + 1, self.end)
            if (row.lstrip("\t") if tabs else row) == name:
                return (start, begin)
        raise Unreadable(Trouble("syntax", f"the here-document `{name}` does not end", (start, self.end)))


def _unquoted(delimiter: Word) -> str:
    """Return the line that ends a here-document: its word with the quotes removed, nothing expanded."""
    return delimiter.source if delimiter.value is None else delimiter.value
