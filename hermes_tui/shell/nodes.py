"""The parts a command line is made of. Plain data: grammar.py makes them, judge.py walks them."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_tui.shell.lexer import Operator, Token
from hermes_tui.shell.trouble import Span, Trouble
from hermes_tui.shell.words import Word


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection."""

    operator: Operator
    target: Word

    @property
    def span(self) -> Span:
        """From the operator to the end of its target."""
        return (self.operator.span[0], self.target.span[1])


Redirects = tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Simple:
    """Assignments, then a command and its arguments."""

    words: tuple[Word, ...]
    redirects: Redirects
    assignments: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Test:
    """`[[ … ]]`, with all of its tokens."""

    tokens: tuple[Token, ...]
    redirects: Redirects
    span: Span


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by `|`, in shells of their own when there are several; `!` turns the status round."""

    commands: tuple[Node, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class AndOr:
    """Pipelines joined by `&&` and `||`, from the left."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other, whatever the status."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`{ … }`, or `( … )` with its own shell."""

    body: Node
    redirects: Redirects
    own_shell: bool


@dataclass(frozen=True, slots=True)
class If:
    """Conditions with what follows each, and what follows none."""

    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node | None
    redirects: Redirects


@dataclass(frozen=True, slots=True)
class While:
    """`while` and `until`."""

    condition: Node
    body: Node
    redirects: Redirects


@dataclass(frozen=True, slots=True)
class For:
    """`for name in words`; words None: the arguments of the shell."""

    name: Word
    words: tuple[Word, ...] | None
    body: Node
    redirects: Redirects


@dataclass(frozen=True, slots=True)
class Case:
    """`case word in pattern) …`."""

    word: Word
    patterns: tuple[Word, ...]
    bodies: tuple[Node, ...]
    redirects: Redirects


@dataclass(frozen=True, slots=True)
class Barred:
    """Something that is never proven read-only, with the commands inside it."""

    trouble: Trouble
    bodies: tuple[Node, ...]


Node = Simple | Test | Pipeline | AndOr | Sequence | Group | If | While | For | Case | Barred
