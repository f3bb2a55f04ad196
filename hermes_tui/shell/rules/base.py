"""What a rule for one command is. Most rules are data: a line of flags and what the operands are.

Everything that a rule does not name is refused, abbreviations of long options included. Rules note what
the command reads; they never run it. The notation of `Rule.spec`, flags separated by blanks:

    -a --all       takes no value          -#    a number as a flag: -5
    -n= --lines=   takes a value           -f@   takes a path, which is read
    -u? --color?   may take one, joined to it (-uno, --color=auto)
    -R*            follows links: nobody knows what it reads
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final, Protocol

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.paths import Place
from hermes_tui.shell.trouble import Refused, Trouble
from hermes_tui.shell.words import Word


class Operands(Enum):
    """What the words of a command are that are no flags."""

    NONE = "none"
    """There may be none."""
    TEXT = "text"
    """Plain data."""
    PATHS = "paths"
    """Each is read."""
    PATTERN = "pattern"
    """The first is data unless a flag gave it, the others are read."""


NONE: Final = Operands.NONE
TEXT: Final = Operands.TEXT
PATHS: Final = Operands.PATHS
PATTERN: Final = Operands.PATTERN


class Site(Protocol):
    """The place of a command in its line."""

    @property
    def place(self) -> Place:
        """Notes the paths that it uses."""

    def run(self, words: Sequence[Word], more: bool = False) -> None:
        """Judge a command that this one runs; `more`: arguments that nobody knows are added to it."""


Check = Callable[[Sequence[Word], Site], None]
"""Judges a command, words[0] being its name. Raises `Refused` when it is not proven read-only."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one command, sorted."""

    name: Word
    flags: tuple[tuple[str, Word | None], ...]
    """Each flag with its value: `("-n", Word)`."""
    operands: tuple[Word, ...]

    def has(self, *flags: str) -> bool:
        """Whether one of the flags was given."""
        return any(flag in flags for flag, _ in self.flags)

    def values(self, *flags: str) -> list[Word]:
        """Return the values of these flags, in order."""
        return [value for flag, value in self.flags if flag in flags and value is not None]


def is_number(text: str) -> bool:
    """Whether a program would read the text as a whole number without a sign."""
    return text.isascii() and text.isdecimal()


def names(text: str) -> frozenset[str]:
    """Return the words of a text: a table of names, as it is easiest to read."""
    return frozenset(text.split())


def refuse(word: Word, rule: str, why: str, hazard: Hazard = Hazard.UNKNOWN) -> Refused:
    """Return the refusal of a word."""
    return Refused(Trouble(rule, why, word.span, hazard))


def value_of(word: Word) -> str:
    """Return what the shell makes of the word; raises `Refused` when nobody knows."""
    if word.value is None:
        raise Refused(word.trouble or Trouble("expansion", "is only known when it runs", word.span))
    return word.value


def literal(word: Word) -> str:
    """Return a word's value; raises `Refused` also when it is a pattern for file names."""
    value = value_of(word)
    if word.glob is not None:
        raise refuse(word, "expansion.glob", f"`{word.source}` becomes whatever files match")
    return value


def data(words: Sequence[Word], site: Site) -> None:
    """Judge a command to which every argument is plain text."""
    del site
    for word in words:
        value_of(word)


@dataclass(frozen=True)
class Rule:
    """A command that is read-only with the flags and operands named here."""

    spec: str = ""
    """Allowed flags, in the notation above."""
    operands: Operands = PATHS
    most: int | None = None
    """How many operands at most; None: any number."""
    folder: bool = False
    """Without a path it reads the folder it runs in."""
    walks: str = ""
    """Flags with which it reads the folder it runs in, when no path is given."""
    searches: bool = False
    """It honours the ignore files above what it searches."""
    loose: bool = False
    """Nobody knows what it reads, whatever its arguments."""
    tame: bool = False
    """No argument at all can make it write or run something: a file named like a flag is harmless."""
    ordered: bool = False
    """Flags stand before the operands; elsewhere they may be operands."""
    bundles: bool = True
    """`-ab` is `-a -b`."""
    gives: str = ""
    """Flags that give the pattern instead of the first operand."""
    needs: str = ""
    """One of these flags has to be there: without it the command does something else."""
    writes: str = ""
    """Flags that write a file: refused, and said so."""
    deletes: str = ""
    """Flags that delete: refused, and said so."""
    runs: str = ""
    """Flags that run a program: refused, and said so."""
    check: Callable[[Arguments], None] | None = None
    """A last look at the sorted arguments; raises `Refused`."""

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each allowed flag with the mark behind it: "" or one of `= @ ? *`."""
        return {flag.rstrip("=@?*"): flag[len(flag.rstrip("=@?*")) :] for flag in self.spec.split()}

    def __call__(self, words: Sequence[Word], site: Site) -> None:
        """Judge the command and note what it reads."""
        arguments = sort(self, words)
        if self.check is not None:
            self.check(arguments)
        self._note(arguments, site.place)

    def _note(self, arguments: Arguments, place: Place) -> None:
        if self.loose or any(self.kinds.get(flag) == "*" for flag, _ in arguments.flags):
            place.read_anything()
        for flag, value in arguments.flags:
            if value is not None and self.kinds[flag] == "@":
                place.read(value)
        paths = self._paths(arguments)
        for path in paths:
            if path.value != "-":
                place.read(path)
        if not paths and (self.folder or arguments.has(*self.walks.split())):
            place.read_folder()
        if self.searches:
            for root in [path.text for path in paths] or ["."]:
                place.search(root)

    def _paths(self, arguments: Arguments) -> Sequence[Word]:
        if self.operands is PATHS or (self.operands is PATTERN and arguments.has(*self.gives.split())):
            return arguments.operands
        return arguments.operands[1:] if self.operands is PATTERN else ()


def sort(rule: Rule, words: Sequence[Word]) -> Arguments:
    """Sort the arguments of a command into flags and operands; raises `Refused` at the first not allowed."""
    sorter = _Sorter(rule, words)
    sorter.run()
    arguments = Arguments(words[0], tuple(sorter.flags), tuple(sorter.operands))
    _count(rule, arguments)
    return arguments


def _count(rule: Rule, arguments: Arguments) -> None:
    name = arguments.name.text
    if rule.needs and not arguments.has(*rule.needs.split()):
        raise refuse(
            arguments.name, "flag.missing", f"`{name}` without `{rule.needs.split()[0]}` changes files"
        )
    most = 0 if rule.operands is NONE else rule.most
    if most is None:
        return
    if len(arguments.operands) > most:
        why = f"`{arguments.operands[most].text}` is an operand that `{name}` may change"
        raise refuse(arguments.operands[most], "operand", why, Hazard.OVERWRITES)
    for operand in arguments.operands:
        literal(operand)


class _Sorter:
    """Reads the words of one command from the left, as getopt does."""

    def __init__(self, rule: Rule, words: Sequence[Word]) -> None:
        self.rule, self.words = rule, words
        self.at = 1
        self.flags: list[tuple[str, Word | None]] = []
        self.operands: list[Word] = []

    def run(self) -> None:
        while self.at < len(self.words):
            word = self.words[self.at]
            value = value_of(word)
            self.at += 1
            if value == "--":
                self.operands.extend(self.words[self.at :])
                for operand in self.operands:
                    value_of(operand)
                return
            if word.glob == 0 and not self.rule.tame:
                why = f"`{word.source}` may match a file named like a flag; `./{word.source}` would not"
                raise refuse(word, "expansion.glob", why)
            if word.glob == 0 or value == "-" or not value.startswith("-"):
                self.operands.append(word)
            elif self.rule.ordered and self.operands:
                raise self.late(word, value)
            elif value.startswith("--"):
                self.long(word, value)
            else:
                self.short(word, value)

    def long(self, word: Word, value: str) -> None:
        name, equals, _ = value.partition("=")
        mark = self.mark(word, name)
        start = len(name) + len(equals)
        self.literal_to(word, start)
        if equals and mark in ("", "*"):
            raise self.unknown(word, name)
        if not equals and mark in ("=", "@"):
            self.flags.append((name, self.following(word, name)))
        else:
            self.flags.append((name, word.tail(start) if equals else None))

    def short(self, word: Word, value: str) -> None:
        if "-#" in self.rule.kinds and is_number(value[1:]):
            self.flags.append(("-#", word.tail(1)))
            return
        if value in self.rule.kinds:
            self.literal_to(word, len(value))
            self.one(word, value, len(value))
            return
        for index in range(1, len(value)):
            name = f"-{value[index]}"
            self.literal_to(word, index + 1)
            if self.one(word, name, index + 1):
                return
            if not self.rule.bundles:
                raise self.unknown(word, value)

    def one(self, word: Word, name: str, end: int) -> bool:
        """Take one short flag that ends at `end`; True when it took the rest of the word as its value."""
        mark = self.mark(word, name)
        joined = len(word.text) > end
        if mark in ("", "*"):
            self.flags.append((name, None))
            return False
        if mark == "?":
            self.flags.append((name, word.tail(end) if joined else None))
        else:
            self.flags.append((name, word.tail(end) if joined else self.following(word, name)))
        return True

    def following(self, word: Word, name: str) -> Word:
        """Take the next word as the value of a flag."""
        if self.at >= len(self.words):
            raise refuse(word, "flag.value", f"`{name}` lacks its value")
        found = self.words[self.at]
        value = literal(found)
        trusted = self.rule.tame or name in self.rule.gives.split()
        if value.startswith("-") and not (trusted or value == "-" or is_number(value[1:])):
            raise refuse(found, "flag.value", f"`{value}` may be a flag of its own")
        self.at += 1
        return found

    def mark(self, word: Word, name: str) -> str:
        mark = self.rule.kinds.get(name)
        if mark is None:
            raise self.unknown(word, name)
        return mark

    def literal_to(self, word: Word, end: int) -> None:
        """Refuse a word that is a pattern already in its flag."""
        if word.glob is not None and word.glob < end:
            raise refuse(word, "expansion.glob", f"`{word.source}` may match a file whose name is a flag")

    def late(self, word: Word, value: str) -> Refused:
        flag = value.partition("=")[0]
        if flag not in self.rule.kinds and flag[:2] not in self.rule.kinds:
            return self.unknown(word, flag)
        name = self.words[0].text
        return refuse(
            word, "flag.late", f"`{value}` stands behind an operand, where `{name}` may not see a flag"
        )

    def unknown(self, word: Word, flag: str) -> Refused:
        name = self.words[0].text
        if flag in self.rule.writes.split():
            return refuse(word, "flag.writes", f"`{flag}` of `{name}` writes a file", Hazard.OVERWRITES)
        if flag in self.rule.deletes.split():
            return refuse(word, "flag.deletes", f"`{flag}` of `{name}` deletes", Hazard.DELETES)
        if flag in self.rule.runs.split():
            return refuse(word, "flag.runs", f"`{flag}` of `{name}` runs a program")
        return refuse(word, "flag.unknown", f"`{flag}` of `{name}` is not known to be safe")
