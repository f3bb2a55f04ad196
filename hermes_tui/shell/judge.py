"""Goes through a line the way bash would, and follows the folder that its commands run in.

`cd x && y` runs y in x, `cd x; y` in x or where it was, a subshell keeps its `cd` to itself. The first
trouble decides the verdict; the commands behind it are judged all the same, because each is shown, and
matched by permission rules, as a part of the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from hermes_tui.shell import grammar, nodes
from hermes_tui.shell.commands import Commands, Here, Ways
from hermes_tui.shell.lexer import Operator, read_tokens
from hermes_tui.shell.nodes import AndOr, Barred, Case, For, Group, If, Node, Pipeline, Simple, Test, While
from hermes_tui.shell.paths import Folders, either
from hermes_tui.shell.rules.system import double_bracket
from hermes_tui.shell.trouble import Refused, Span, Trouble, Unreadable
from hermes_tui.shell.words import Word, bind

_MOST_TURNS: Final = 24
"""Words of a `for` that are followed one by one."""

_IN_BRACKETS: Final = frozenset({"&&", "||", "(", ")", "<", ">", "\n"})


class Judge(Commands):
    """Judges one line, given as text with its continuations joined."""

    def __init__(self, line: str, folder: str, home: str) -> None:
        super().__init__(line, folder, home)
        self.timed: set[int] = set()
        """Where bash's own `time` stands, for the second reader."""

    def read(self, span: Span, folders: Folders) -> None:
        """Read and judge a command line; one that cannot be read gives its words as parts."""
        tokens, trouble = read_tokens(self.line, span, self.scope)
        try:
            if trouble is not None:
                raise Unreadable(trouble)
            node, timed = grammar.parse(tokens)
        except Unreadable as unreadable:
            whole = self.line[span[0] : span[1]]
            self.findings.part((Word(whole, span, None),), span, unreadable.trouble)
            for command in grammar.flat(tokens):
                self.simple(command, None)
            return
        self.timed |= timed
        self._walk(node, folders)

    def _walk(self, node: Node, folders: Folders) -> Ways:
        """Judge a node that runs in one of `folders`; return where the shell is afterwards."""
        match node:
            case Simple():
                return self.simple(node, folders)
            case nodes.Sequence():
                return self._sequence(node.items, folders)
            case AndOr():
                return self._and_or(node, folders)
            case Pipeline():
                return self._pipeline(node, folders)
            case Barred():
                self.findings.note(node.trouble)
                self._sequence(node.bodies, folders)
                return None, None
            case _:
                ways = self._compound(node, folders)
                self.redirects(node.redirects, folders)
                return ways

    def _compound(self, node: Test | Group | If | While | For | Case, folders: Folders) -> Ways:
        match node:
            case Test():
                return self._condition(node, folders)
            case Group():
                ways = self._walk(node.body, folders)
                return (folders, folders) if node.own_shell else ways
            case If():
                return self._branches(node, folders)
            case While():
                return self._loop(node, folders)
            case For():
                return self._turns(node, folders)
            case Case():
                return self._cases(node, folders)

    # -- lists ----------------------------------------------------------------------------------------

    def _sequence(self, items: Sequence[Node], folders: Folders) -> Ways:
        ways: Ways = (folders, folders)
        for item in items:
            ways = self._walk(item, either(*ways))
        return ways

    def _and_or(self, node: AndOr, folders: Folders) -> Ways:
        done, failed = self._walk(node.first, folders)
        for joint, item in node.rest:
            if joint == "&&":
                done, also = self._walk(item, done)
                failed = either(failed, also)
            else:
                also, failed = self._walk(item, failed)
                done = either(done, also)
        return done, failed

    def _pipeline(self, node: Pipeline, folders: Folders) -> Ways:
        if len(node.commands) == 1:
            done, failed = self._walk(node.commands[0], folders)
            return failed, done
        for command in node.commands:
            self._walk(command, folders)
        return folders, folders

    # -- conditions -----------------------------------------------------------------------------------

    def _branches(self, node: If, folders: Folders) -> Ways:
        after: list[Folders] = []
        failed = folders
        for condition, body in node.branches:
            done, failed = self._walk(condition, failed)
            after.append(either(*self._walk(body, done)))
        after.append(failed if node.otherwise is None else either(*self._walk(node.otherwise, failed)))
        return _any_of(after)

    def _cases(self, node: Case, folders: Folders) -> Ways:
        for word in (node.word, *node.patterns):
            self._known(word)
        return _any_of([folders, *(either(*self._walk(body, folders)) for body in node.bodies)])

    def _condition(self, node: Test, folders: Folders) -> Ways:
        """Judge `[[ … ]]`."""
        self.findings.starts.add(node.span[0])
        words = [bind(token, self.line, self.scope) for token in node.tokens if isinstance(token, Word)]
        self.inside(words)
        found = self.findings.part(words, node.span)
        try:
            for token in node.tokens:
                if isinstance(token, Operator) and token.text not in _IN_BRACKETS:
                    raise Refused(Trouble("syntax", "is out of place", token.span))
            double_bracket(words[1:-1], Here(self, folders))
        except Refused as refused:
            found.trouble = refused.trouble
            self.findings.note(refused.trouble)
        return folders, folders

    # -- loops ----------------------------------------------------------------------------------------

    def _loop(self, node: While, folders: Folders) -> Ways:
        """A body that changes the folder may have run any number of times."""
        after = self._once(node, folders)
        if after != folders:
            after = self._once(node, None)
        return after, after

    def _once(self, node: While, folders: Folders) -> Folders:
        done, failed = self._walk(node.condition, folders)
        return either(either(folders, failed), either(*self._walk(node.body, done)))

    def _turns(self, node: For, folders: Folders) -> Ways:
        """Judge the body of a `for` once for each of its words, where they are known."""
        values = self._values(node)
        outer, after = self.scope, folders
        for value in values:
            self.scope = replace(outer, variables={**outer.variables, node.name.text: value})
            after = either(after, either(*self._walk(node.body, after)))
        self.scope = outer
        if not values:
            after = either(*self._walk(node.body, folders))
            if after != folders:
                after = either(*self._walk(node.body, None))
        return after, after

    def _values(self, node: For) -> list[str]:
        """Return the words that a `for` goes through; empty when they are only known when it runs."""
        name = node.name
        if node.words is None or not _is_loop_name(name.text) or name.text in self.scope.variables:
            self.findings.note(
                Trouble("assignment", f"`{name.text}` may be a variable that matters", name.span)
            )
            return []
        words = [bind(word, self.line, self.scope) for word in node.words]
        for word in words:
            self._known(word)
            if word.matches:
                self.place(None).read(word)
        known = all(word.value is not None and word.glob is None for word in words)
        return [word.text for word in words] if known and len(words) <= _MOST_TURNS else []

    def _known(self, word: Word) -> None:
        """Refuse a word outside of a command that nobody knows."""
        word = bind(word, self.line, self.scope)
        self.inside([word])
        if word.trouble is not None:
            self.findings.note(word.trouble)


def _any_of(ways: Sequence[Folders]) -> Ways:
    together = reduce(either, ways)
    return together, together


def _is_loop_name(name: str) -> bool:
    """Whether no program looks at a variable of this name: lower case, and not a proxy."""
    return name.isidentifier() and name.isascii() and name.islower() and not name.endswith("_proxy")
