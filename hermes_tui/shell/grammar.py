"""The structure of a command line: pipelines, lists, groups, loops, conditions, as bash reads them.

A recursive descent over the tokens of lexer.py. What the classifier never proves (background, function
definitions, `select`, `coproc`) becomes a `Barred` node that keeps the commands inside it, because they
have to be shown and matched by rules all the same. Must not judge any command.

tree-sitter's bash grammar is the second reader (tree.py), not the first: it reads `cd a && b | c` as
`(cd a && b) | c`, and takes `>` in `[ a > b ]` for a comparison where bash makes a file.
"""

from __future__ import annotations

import re
from typing import Final

from hermes_tui.shell.lexer import Operator, Token
from hermes_tui.shell.nodes import (
    AndOr,
    Barred,
    Case,
    For,
    Group,
    If,
    Node,
    Pipeline,
    Redirect,
    Redirects,
    Sequence,
    Simple,
    Test,
    While,
)
from hermes_tui.shell.trouble import Span, Trouble, Unreadable
from hermes_tui.shell.words import Word

_DEEPEST: Final = 40
"""Compound commands inside each other."""

_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*(?:\[.*\])?\+?=", re.ASCII | re.DOTALL)
_CLOSERS: Final = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
"""Reserved words that end a list when they stand where a command could."""


def parse(tokens: list[Token]) -> tuple[Node, frozenset[int]]:
    """Return the structure, and where bash's own `time` stands; raises `Unreadable`."""
    parser = _Parser(tokens)
    node = parser.sequence()
    if parser.peek() is not None:
        raise parser.unexpected()
    return node, frozenset(parser.timed)


def flat(tokens: list[Token]) -> list[Simple]:
    """Return every run of words between operators as a command: for a line whose structure is broken."""
    commands: list[Simple] = []
    words: list[Word] = []
    for token in [*tokens, None]:
        if isinstance(token, Word):
            if words or token.source not in _OPENERS:
                words.append(token)
        elif words and not (token is not None and token.is_redirect):
            span = (words[0].span[0], words[-1].span[1])
            commands.append(Simple(tuple(words), (), (), span))
            words = []
    return commands


_OPENERS: Final = _CLOSERS | {
    "if",
    "while",
    "until",
    "for",
    "case",
    "{",
    "!",
    "time",
    "function",
    "coproc",
    "select",
}


class _Parser:
    """Each method reads one construct; `at` is the next token."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.timed: list[int] = []

    # -- tokens ---------------------------------------------------------------------------------------

    def peek(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def operator(self, *texts: str) -> Operator | None:
        """Take the next token if it is one of these operators."""
        token = self.peek()
        if isinstance(token, Operator) and token.text in texts and not token.fd:
            self.at += 1
            return token
        return None

    def reserved(self, *texts: str) -> Word | None:
        """Take the next token if it is one of these words, unquoted."""
        token = self.peek()
        if isinstance(token, Word) and token.source in texts:
            self.at += 1
            return token
        return None

    def expect(self, *texts: str) -> None:
        if self.reserved(*texts) is None and self.operator(*texts) is None:
            raise self.unexpected()

    def word(self) -> Word:
        token = self.peek()
        if not isinstance(token, Word):
            raise self.unexpected()
        self.at += 1
        return token

    def newlines(self) -> None:
        while self.operator("\n"):
            pass

    def unexpected(self) -> Unreadable:
        token = self.peek()
        if token is None:
            end = self.tokens[-1].span[1] if self.tokens else 0
            return Unreadable(Trouble("syntax", "the line ends too early", (end, end)))
        return Unreadable(Trouble("syntax", "is out of place", token.span))

    # -- lists ----------------------------------------------------------------------------------------

    def sequence(self) -> Node:
        """Read commands up to something that closes them."""
        items: list[Node] = []
        self.newlines()
        while not self.closed():
            item = self.and_or()
            background = self.operator("&")
            if background is not None:
                item = Barred(Trouble("background", "leaves a command running", background.span), (item,))
            items.append(item)
            if background is None and self.operator(";", "\n") is None:
                break
            self.newlines()
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def body(self) -> Node:
        """Read commands, at least one: bash has no empty bodies."""
        node = self.sequence()
        if node == Sequence(()):
            raise self.unexpected()
        return node

    def here(self) -> Span:
        token = self.peek()
        return (0, 0) if token is None else token.span

    def closed(self) -> bool:
        token = self.peek()
        if isinstance(token, Operator):
            return token.text in (")", ";;", ";&", ";;&")
        return token is None or token.source in _CLOSERS

    def and_or(self) -> Node:
        first = self.pipeline()
        rest: list[tuple[str, Node]] = []
        while (joint := self.operator("&&", "||")) is not None:
            self.newlines()
            rest.append((joint.text, self.pipeline()))
        return AndOr(first, tuple(rest)) if rest else first

    def pipeline(self) -> Node:
        negated = False
        while (prefix := self.reserved("!", "time")) is not None:
            if prefix.source == "time":
                self.timed.append(prefix.span[0])
                self.reserved("-p")
            else:
                negated = not negated
        commands = [self.command()]
        while self.operator("|", "|&") is not None:
            self.newlines()
            commands.append(self.command())
        return commands[0] if len(commands) == 1 and not negated else Pipeline(tuple(commands), negated)

    # -- commands -------------------------------------------------------------------------------------

    def command(self) -> Node:
        if self.depth >= _DEEPEST:
            raise Unreadable(Trouble("line.deep", "its commands are nested too deeply", self.here()))
        self.depth += 1
        node = self.any_command()
        self.depth -= 1
        return node

    def any_command(self) -> Node:
        token = self.peek()
        if isinstance(token, Operator):
            if token.text == "(" and not token.fd:
                return self.subshell()
            return self.simple()
        read = None if token is None else _COMPOUNDS.get(token.source)
        return self.simple() if read is None else read(self)

    def redirects(self) -> Redirects:
        found: list[Redirect] = []
        while (redirect := self.redirect()) is not None:
            found.append(redirect)
        return tuple(found)

    def redirect(self) -> Redirect | None:
        token = self.peek()
        if not isinstance(token, Operator) or not token.is_redirect:
            return None
        self.at += 1
        return Redirect(token, self.word())

    def simple(self) -> Node:
        start = self.at
        words: list[Word] = []
        redirects: list[Redirect] = []
        assignments: list[Word] = []
        while True:
            redirect = self.redirect()
            if redirect is not None:
                redirects.append(redirect)
                continue
            token = self.peek()
            if not isinstance(token, Word):
                break
            self.at += 1
            (words if words or not _ASSIGNMENT.match(token.source) else assignments).append(token)
        if self.at == start:
            raise self.unexpected()
        if self.operator("("):
            return self.function(words, assignments)
        span = (self.tokens[start].span[0], self.tokens[self.at - 1].span[1])
        return Simple(tuple(words), tuple(redirects), tuple(assignments), span)

    def function(self, words: list[Word], assignments: list[Word]) -> Node:
        """Read on behind `name (`."""
        if len(words) != 1 or assignments or self.operator(")") is None:
            self.at -= 1
            raise self.unexpected()
        return self.defined(words[0])

    def defined(self, name: Word) -> Node:
        self.newlines()
        return Barred(Trouble("function", "defines a function", name.span), (self.command(),))

    def subshell(self) -> Node:
        opened = self.here()
        self.expect("(")
        following = self.peek()
        if following is not None and following.source == "(" and following.span[0] == opened[1]:
            raise Unreadable(Trouble("expansion.arithmetic", "is arithmetic, which can run commands", opened))
        body = self.body()
        self.expect(")")
        return Group(body, self.redirects(), own_shell=True)

    def group(self) -> Node:
        self.expect("{")
        body = self.body()
        self.expect("}")
        return Group(body, self.redirects(), own_shell=False)

    def condition(self) -> Node:
        self.expect("if")
        branches: list[tuple[Node, Node]] = []
        otherwise: Node | None = None
        while True:
            test = self.body()
            self.expect("then")
            branches.append((test, self.body()))
            if self.reserved("elif") is None:
                break
        if self.reserved("else") is not None:
            otherwise = self.body()
        self.expect("fi")
        return If(tuple(branches), otherwise, self.redirects())

    def loop(self) -> Node:
        self.expect("while", "until")
        test = self.body()
        return While(test, self.do(), self.redirects())

    def do(self) -> Node:
        self.expect("do")
        body = self.body()
        self.expect("done")
        return body

    def iteration(self) -> Node:
        keyword = self.word()
        if isinstance(self.peek(), Operator):
            raise self.unexpected()
        name = self.word()
        words: tuple[Word, ...] | None = None
        self.newlines()
        if self.reserved("in") is not None:
            found: list[Word] = []
            while isinstance(self.peek(), Word):
                found.append(self.word())
            words = tuple(found)
        self.operator(";")
        self.newlines()
        body = self.group() if getattr(self.peek(), "source", "") == "{" else self.do()
        node = For(name, words, body, self.redirects())
        if keyword.source == "select":
            return Barred(Trouble("builtin", "asks the person at the terminal", keyword.span), (node,))
        return node

    def case(self) -> Node:
        self.expect("case")
        subject = self.word()
        self.newlines()
        self.expect("in")
        self.newlines()
        patterns: list[Word] = []
        bodies: list[Node] = []
        while self.reserved("esac") is None:
            self.operator("(")
            patterns.append(self.word())
            while self.operator("|") is not None:
                patterns.append(self.word())
            self.expect(")")
            bodies.append(self.sequence())
            if self.operator(";;", ";&", ";;&") is None:
                self.expect("esac")
                break
            self.newlines()
        return Case(subject, tuple(patterns), tuple(bodies), self.redirects())

    def double_bracket(self) -> Node:
        start = self.at
        self.expect("[[")
        while (token := self.peek()) is not None and token.source != "]]":
            self.at += 1
        self.expect("]]")
        tokens = tuple(self.tokens[start : self.at])
        span = (self.tokens[start].span[0], self.tokens[self.at - 1].span[1])
        return Test(tokens, self.redirects(), span)

    def named_function(self) -> Node:
        self.expect("function")
        name = self.word()
        if self.operator("(") is not None:
            self.expect(")")
        return self.defined(name)

    def coprocess(self) -> Node:
        keyword = self.word()
        return Barred(Trouble("background", "leaves a command running", keyword.span), (self.command(),))


_COMPOUNDS: Final = {
    "{": _Parser.group,
    "if": _Parser.condition,
    "while": _Parser.loop,
    "until": _Parser.loop,
    "for": _Parser.iteration,
    "select": _Parser.iteration,
    "case": _Parser.case,
    "[[": _Parser.double_bracket,
    "function": _Parser.named_function,
    "coproc": _Parser.coprocess,
}
