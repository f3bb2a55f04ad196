"""Reads one word of a command line as bash would build it: quotes removed, expansions seen.

What is only known when the line runs (`$x`, `$(…)`, `{a,b}`, `~user`) leaves the word without a value
and with the trouble that says why. Must not know any command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hermes_tui.shell.trouble import Span, Trouble, Unreadable

VARIABLE: Final = "expansion.variable"
"""The trouble of a word that holds nothing worse than `$name`."""

_PLAIN: Final = re.compile(r"[^ \t\n|&;()<>\\'\"`$*?\[{~]+")
_DOUBLE: Final = re.compile(r'[^\\"$`]+')
_END: Final = frozenset(" \t\n|&;()<>")
_NAME: Final = re.compile(r"\$(?:\{([A-Za-z_]\w*|\d)\}|([A-Za-z_]\w*))", re.ASCII)
_NUMBER: Final = re.compile(r"\$(?:\{[?#]\}|[?#$])")
"""Always a decimal number: never a flag, never a path of more than one part."""
_SPECIAL: Final = re.compile(r"\$[@*!0-9-]")
_ANSI: Final = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ANSI_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ANSI_VALUES: Final = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "?": "?"}
_BACKQUOTED: Final = re.compile(r"`((?:[^`\\]|\\.)*)`", re.DOTALL)
_BRACKETS: Final = re.compile(r"\\.|'[^']*'|\$\(|[(){}\"]", re.DOTALL)
_OPENED: Final = {"(": ")", "{": "}", '"': '"'}
_SPLITS: Final = re.compile(r"[\s*?\[\\]|\A\Z")
"""In the value of an unquoted `$name`: it would become several words, another one or none."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a reader of words knows beforehand."""

    home: str
    """What `~` stands for; empty: nobody knows."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables with a known value: those of enclosing loops over literal words."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, as written and as built."""

    source: str
    span: Span
    """In the joined text of the line."""
    value: str | None
    """None when only known at run time."""
    glob: int | None = None
    """Where in `value` it stops being literal: a `*`, `?` or `[` pattern, or the number of `$?`."""
    matches: bool = False
    """Whether file names are matched, so that the shell reads a folder."""
    trouble: Trouble | None = None
    """Why there is no value."""
    inner: tuple[Span, ...] = ()
    """Command lines inside it: the bodies of its substitutions."""

    @property
    def text(self) -> str:
        """What is shown and matched by rules: the value, or the source where there is none."""
        return self.source if self.value is None else self.value

    def tail(self, start: int) -> Word:
        """Return the part of a word with a value from index `start` on, as a word."""
        if self.value is None:
            raise ValueError("a word without a value has no tail")
        glob = None if self.glob is None else max(self.glob - start, 0)
        return Word(self.source, self.span, self.value[start:], glob, self.matches)


def read_word(line: str, start: int, end: int, scope: Scope) -> Word:
    """Read the word that starts at `start`; raises `Unreadable` for a quote or bracket without its end."""
    return _Reader(line, start, end, scope).read()


def bind(word: Word, line: str, scope: Scope) -> Word:
    """Return the word with the variables of the scope put in, if that is all it lacks."""
    if word.trouble is None or word.trouble.rule != VARIABLE or not scope.variables:
        return word
    return read_word(line, word.span[0], word.span[1], scope)


def closing(line: str, start: int, end: int, bracket: str) -> int:
    """Return where the bracket that was opened before `start` closes; quotes are skipped.

    Only used to find the extent of an expansion, which rules the line out anyway.
    """
    waiting = [bracket]
    at = start
    while (match := _BRACKETS.search(line, at, end)) is not None:
        text, at = match[0], match.end()
        quoted = waiting[-1] == '"'
        if text == waiting[-1]:
            waiting.pop()
            if not waiting:
                return match.start()
        elif text == "$(":
            waiting.append(")")
        elif quoted and text[0] == "'":
            at = match.start() + 1
        elif text in _OPENED and not quoted:
            waiting.append(_OPENED[text])
    raise Unreadable(Trouble("syntax", "a bracket is not closed", (start - 1, start)))


class _Reader:
    """Builds one word. Each method reads one kind of piece and moves `at` behind it."""

    def __init__(self, line: str, start: int, end: int, scope: Scope) -> None:
        self.line, self.start, self.end, self.scope = line, start, end, scope
        self.at = start
        self.pieces: list[str] = []
        self.length = 0
        self.glob: int | None = None
        self.matches = False
        self.brace: int | None = None
        self.trouble: Trouble | None = None
        self.inner: list[Span] = []

    def read(self) -> Word:
        line, end = self.line, self.end
        while self.at < end:
            match = _PLAIN.match(line, self.at, end)
            if match is not None:
                self.add(match[0])
                self.at = match.end()
                continue
            char = line[self.at]
            if char in _END and not (char in "<>" and line.startswith("(", self.at + 1)):
                break
            _PIECES[char](self)
        return self.word()

    def word(self) -> Word:
        span = (self.start, self.at)
        source = self.line[self.start : self.at]
        if self.brace is not None and re.search(r",|\.\.", self.line[self.brace : self.at]):
            self.refuse("expansion.brace", "is a brace expansion", self.brace, self.at)
        if source in ("[", "[["):
            self.glob, self.matches = None, False
        if self.trouble is not None:
            return Word(source, span, None, None, self.matches, self.trouble, tuple(self.inner))
        return Word(source, span, "".join(self.pieces), self.glob, self.matches)

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def refuse(self, rule: str, why: str, start: int, end: int) -> None:
        if self.trouble is None or self.trouble.rule == VARIABLE:
            self.trouble = Trouble(rule, why, (start, end))

    def take(self, count: int = 1) -> None:
        self.add(self.line[self.at : self.at + count])
        self.at += count

    def pattern(self) -> None:
        self.matches = True
        if self.glob is None:
            self.glob = self.length
        self.take()

    def brace_open(self) -> None:
        if self.brace is None:
            self.brace = self.at
        self.take()

    def tilde(self) -> None:
        after = self.line[self.at + 1 : self.at + 2] if self.at + 1 < self.end else ""
        if self.at != self.start:
            if self.line[self.at - 1] in "=:" and self.line[self.start : self.at] != "=":
                self.refuse("expansion.tilde", "may become a home folder", self.at, self.at + 1)
            self.take()
        elif (not after or after in "/ \t\n|&;()<>") and self.scope.home.startswith("/"):
            self.add(self.scope.home.rstrip("/") or ("" if after == "/" else "/"))
            self.at += 1
        else:
            self.refuse("expansion.tilde", "becomes a folder only known when it runs", self.at, self.at + 1)
            self.take()

    def escape(self) -> None:
        following = self.line[self.at + 1 : min(self.at + 2, self.end)]
        if following in ("", "\n"):
            raise Unreadable(
                Trouble("line.continuation", "a line continuation stands here", (self.at, self.at + 1))
            )
        self.at += 1
        self.take()

    def single(self) -> None:
        close = self.line.find("'", self.at + 1, self.end)
        if close < 0:
            raise Unreadable(Trouble("syntax", "a quote is not closed", (self.at, self.at + 1)))
        self.add(self.line[self.at + 1 : close])
        self.at = close + 1

    def double(self) -> None:
        line, end, opened = self.line, self.end, self.at
        self.at += 1
        while self.at < end:
            match = _DOUBLE.match(line, self.at, end)
            if match is not None:
                self.add(match[0])
                self.at = match.end()
            elif line[self.at] == '"':
                self.at += 1
                return
            elif line[self.at] == "\\":
                self.double_escape()
            elif line[self.at] == "$":
                self.dollar(quoted=True)
            else:
                self.backquote()
        raise Unreadable(Trouble("syntax", "a quote is not closed", (opened, opened + 1)))

    def double_escape(self) -> None:
        following = self.line[self.at + 1 : min(self.at + 2, self.end)]
        if following == "\n":
            self.escape()
        elif following and following in '$`"\\':
            self.at += 1
            self.take()
        else:
            self.take()

    def dollar(self, quoted: bool = False) -> None:
        following = self.line[self.at + 1 : min(self.at + 2, self.end)]
        if following == "(":
            self.substitution()
        elif not quoted and following == "'":
            self.ansi()
        elif not quoted and following == '"':
            self.refuse("expansion.locale", "is translated when it runs", self.at, self.at + 2)
            self.at += 1
        elif following == "[":
            self.refuse("expansion.arithmetic", "is arithmetic, which can run commands", self.at, self.at + 2)
            self.at += 2
        elif not self.known(quoted):
            if following == "{":
                self.parameter()
            else:
                self.take()

    def known(self, quoted: bool) -> bool:
        """Read `$name`, `${name}` or a special parameter; False if there is none here."""
        line, at, end = self.line, self.at, self.end
        match = _NUMBER.match(line, at, end)
        if match is not None:
            if self.glob is None:
                self.glob = self.length
            self.take(len(match[0]))
            return True
        match = _NAME.match(line, at, end)
        value = self.scope.variables.get(match[1] or match[2]) if match else None
        match = match or _SPECIAL.match(line, at, end)
        if match is None:
            return False
        self.at = match.end()
        if value is None or (not quoted and _SPLITS.search(value)):
            self.refuse(VARIABLE, f"`{match[0]}` is only known when it runs", match.start(), match.end())
        else:
            self.add(value)
        return True

    def parameter(self) -> None:
        close = closing(self.line, self.at + 2, self.end, "}")
        self.refuse("expansion.parameter", "may change or run what it names", self.at, close + 1)
        self.nested(self.at + 2, close)
        self.at = close + 1

    def substitution(self) -> None:
        close = closing(self.line, self.at + 2, self.end, ")")
        if self.line.startswith("$((", self.at):
            self.refuse("expansion.arithmetic", "is arithmetic, which can run commands", self.at, close + 1)
            self.nested(self.at + 2, close)
        else:
            self.refuse("expansion.command", "runs a command inside a word", self.at, close + 1)
            self.inner.append((self.at + 2, close))
        self.at = close + 1

    def process(self) -> None:
        close = closing(self.line, self.at + 2, self.end, ")")
        self.refuse("expansion.process", "runs a command beside the line", self.at, close + 1)
        self.inner.append((self.at + 2, close))
        self.at = close + 1

    def backquote(self) -> None:
        match = _BACKQUOTED.match(self.line, self.at, self.end)
        if match is None:
            raise Unreadable(Trouble("syntax", "a backquote is not closed", (self.at, self.at + 1)))
        self.refuse("expansion.command", "runs a command inside a word", self.at, match.end())
        self.inner.append(match.span(1))
        self.at = match.end()

    def ansi(self) -> None:
        match = _ANSI.match(self.line, self.at, self.end)
        if match is None:
            raise Unreadable(Trouble("syntax", "a quote is not closed", (self.at, self.at + 1)))
        if any(found[1] not in _ANSI_VALUES for found in _ANSI_ESCAPE.finditer(match[1])):
            self.refuse("quote.ansi", "is written in escapes", self.at, match.end())
        self.add(_ANSI_ESCAPE.sub(lambda found: _ANSI_VALUES.get(found[1], ""), match[1]))
        self.at = match.end()

    def nested(self, start: int, end: int) -> None:
        """Note a command substitution inside another expansion, so that its commands are seen."""
        at = self.line.find("$(", start, end)
        if at >= 0:
            self.inner.append((at + 2, closing(self.line, at + 2, self.end, ")")))
        quoted = _BACKQUOTED.search(self.line, start, end)
        if quoted is not None:
            self.inner.append(quoted.span(1))


_PIECES: Final = {
    "\\": _Reader.escape,
    "'": _Reader.single,
    '"': _Reader.double,
    "$": _Reader.dollar,
    "`": _Reader.backquote,
    "*": _Reader.pattern,
    "?": _Reader.pattern,
    "[": _Reader.pattern,
    "{": _Reader.brace_open,
    "~": _Reader.tilde,
    "<": _Reader.process,
    ">": _Reader.process,
}
