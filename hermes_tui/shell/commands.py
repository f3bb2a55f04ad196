"""Judges one simple command: its words by the table of rules, its redirects, the commands it runs in turn.

Must not know the structure of a line; judge.py goes through it and reads the lines inside of words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hermes_tui.engine.footprint import ANYTHING, Hazard
from hermes_tui.shell.findings import Findings
from hermes_tui.shell.nodes import Redirect, Simple
from hermes_tui.shell.paths import Folders, Place, change
from hermes_tui.shell.redirects import check_redirect, here_document_to_expand
from hermes_tui.shell.rules import RULES, is_tame
from hermes_tui.shell.rules.base import literal
from hermes_tui.shell.rules.hazards import known_for, note_writes
from hermes_tui.shell.trouble import Refused, Span, Trouble, Unreadable
from hermes_tui.shell.words import VARIABLE, Scope, Word, bind, closing

Ways = tuple[Folders, Folders]
"""The folders after a command that succeeded, and after one that failed."""

_DEEPEST: Final = 8
"""Command lines inside command lines: substitutions, wrappers, `sh -c`."""

_MOST_INNER: Final = 100

_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_WRAPPERS: Final = frozenset(
    {"sudo", "doas", "nohup", "setsid", "exec", "builtin", "stdbuf", "ionice", "chronic"}
)
"""They run their operands and are not read-only themselves."""


class Commands(ABC):
    """The commands of one line, given as text with its continuations joined."""

    def __init__(self, line: str, folder: str, home: str) -> None:
        self.line, self.root, self.home = line, folder, home
        self.findings = Findings()
        self.scope = Scope(home)
        self.depth = 0
        self.inner = 0
        """Command lines inside of words that were found so far."""

    @abstractmethod
    def read(self, span: Span, folders: Folders) -> None:
        """Judge a command line that stands inside the line."""

    def inside(self, words: Sequence[Word]) -> None:
        """Judge the command lines inside words, for their parts: the words are refused anyway."""
        for word in words:
            for span in word.inner:
                self.deeper(span)

    def deeper(self, span: Span) -> None:
        """Judge a command line one level down."""
        self.inner += 1
        if self.depth < _DEEPEST and self.inner <= _MOST_INNER and not self.findings.full:
            self.depth += 1
            self.read(span, None)
            self.depth -= 1

    def place(self, folders: Folders) -> Place:
        """Return where a command that runs in `folders` notes its paths."""
        return Place(self.root, folders, self.findings.uses)

    def simple(self, command: Simple, folders: Folders) -> Ways:
        """Judge a simple command with its assignments and redirects."""
        if self.findings.full:
            self.findings.note(Trouble("line.long", "the line has too many commands", command.span))
            return folders, folders
        words = tuple(bind(word, self.line, self.scope) for word in command.words)
        self.inside(command.assignments)
        for word in command.assignments:
            name = word.source.partition("=")[0]
            self.findings.part(
                (word,), word.span, Trouble("assignment", f"`{name}=` sets a variable", word.span)
            )
        if words:
            self.findings.starts.add(words[0].span[0])
        ways = (folders, folders)
        if words and words[0].value == "cd":
            ways = self.change(words, command.span, folders)
        elif words:
            self.command(words, command.span, folders)
        self.redirects(command.redirects, folders)
        return ways

    def change(self, words: tuple[Word, ...], span: Span, folders: Folders) -> Ways:
        """Judge a `cd`, the one place where a variable may stay unknown."""
        self.inside(words)
        trouble = next(
            (word.trouble for word in words if word.trouble and word.trouble.rule != VARIABLE), None
        )
        self.findings.part(words, span, trouble)
        target = change(self.root, folders, words[1:], self.home)
        if target is None:
            self.findings.uses.reads.append(ANYTHING)
        else:
            self.findings.entered.extend(target)
            # bash takes back `..` by spelling, but each folder it leaves that way has to be there
            if any("/.." in word.text for word in words[1:]):
                for word in words[1:]:
                    self.place(folders).read(word)
        return target, folders

    def command(
        self, words: Sequence[Word], span: Span, folders: Folders, more: bool = False
    ) -> Trouble | None:
        """Judge the words of a command, keep it as a part and return its trouble."""
        self.inside(words)
        found = self.findings.part(words, span)
        place = self.place(folders)
        try:
            self.check(words, Here(self, folders), more)
        except Refused as refused:
            found.trouble = _named(refused.trouble, words[0])
            self.findings.note(found.trouble)
            note_writes(words, place)
        for word in words:
            if word.matches:
                place.read(word)
        return found.trouble

    def check(self, words: Sequence[Word], here: Here, more: bool) -> None:
        """Raise `Refused` unless the command is known to be read-only; `more`: unknown arguments follow."""
        if self.depth > _DEEPEST or self.findings.full:
            raise Refused(Trouble("line.long", "the line has too many commands", words[0].span))
        name = literal(words[0])
        base = name.rpartition("/")[2]
        self.wrapped(base, words, here)
        rule = RULES.get(name)
        if rule is None:
            hazard, kind, does = known_for(base)
            if base != name and hazard is Hazard.UNKNOWN:
                kind, does = "path-qualified", "may be any program"
            raise Refused(Trouble(kind, f"`{name}` {does}", words[0].span, hazard))
        if more and not is_tame(name):
            why = f"`{name}` may change something with arguments that nobody knows"
            raise Refused(Trouble("xargs", why, words[0].span))
        rule(words, here)

    def wrapped(self, name: str, words: Sequence[Word], here: Here) -> None:
        """Judge what a shell or a wrapper would run, for its parts: they are refused anyway."""
        if name in _WRAPPERS:
            rest = [word for word in words[1:] if not word.text.startswith("-")]
            if rest:
                here.run(rest)
            return
        values = [word.text for word in words[:-1]]
        if name not in _SHELLS or "-c" not in values[1:] or self.depth >= _DEEPEST:
            return
        script = words[values.index("-c", 1) + 1]
        inner = type(self)(script.value or "", self.root, self.home)
        inner.depth = self.depth + 1
        inner.read((0, len(inner.line)), None)
        for found in inner.findings.parts:
            shown = [replace(word, span=script.span, inner=()) for word in found.words]
            trouble = found.trouble and replace(found.trouble, span=script.span)
            self.findings.part(shown, script.span, trouble)

    def redirects(self, redirects: Sequence[Redirect], folders: Folders) -> None:
        """Judge redirects; one that writes is a part of its own: no rule for the command covers it."""
        for redirect in redirects:
            target = bind(redirect.target, self.line, self.scope)
            self.inside([target])
            body = here_document_to_expand(redirect, self.line)
            if body is not None:
                self.here_document(body)
            try:
                check_redirect(replace(redirect, target=target), self.line, self.place(folders))
            except Refused as refused:
                source, span = redirect.operator.source, redirect.operator.span
                self.findings.part((Word(source, span, source), target), redirect.span, refused.trouble)

    def here_document(self, body: Span) -> None:
        """Judge the substitutions in a here-document, for their parts."""
        at = self.line.find("$(", *body)
        while at >= 0 and not self.findings.full:
            try:
                end = closing(self.line, at + 2, body[1], ")")
            except Unreadable:
                return
            self.deeper((at + 2, end))
            at = self.line.find("$(", end, body[1])


@dataclass(frozen=True, slots=True)
class Here:
    """Where a command stands: what the rules see of the line."""

    commands: Commands
    folders: Folders

    @property
    def place(self) -> Place:
        """Notes the paths that the command uses."""
        return self.commands.place(self.folders)

    def run(self, words: Sequence[Word], more: bool = False) -> None:
        """Judge a command that this one runs; raises its trouble."""
        if not words:
            return
        self.commands.depth += 1
        span = (words[0].span[0], words[-1].span[1])
        trouble = self.commands.command(words, span, self.folders, more)
        self.commands.depth -= 1
        if trouble is not None:
            raise Refused(trouble)


def _named(trouble: Trouble, name: Word) -> Trouble:
    """Put the command in front of the rules that every command has."""
    if trouble.rule.partition(".")[0] in ("flag", "operand"):
        return replace(trouble, rule=f"{name.text}.{trouble.rule}")
    return trouble
