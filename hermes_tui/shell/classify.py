"""The verdict about a command line: is it proven to read only, and if not, what decided. Pure: no disk.

Two readers have to agree: our own (lexer.py, grammar.py), which knows how bash builds words and which folder
a command runs in, and tree-sitter's bash grammar (tree.py). Read-only is about scheduling, not permission:
reading outside the project still asks.

What the caller has to see to when it runs a read-only line: `bash -c`, with PWD set to `folder` and without
CDPATH, BASH_ENV, exported functions and the variables that configure the programs.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hermes_tui.engine.footprint import ANYTHING, Hazard
from hermes_tui.shell import tree
from hermes_tui.shell.findings import Findings, Found
from hermes_tui.shell.judge import Judge
from hermes_tui.shell.paths import folder_of, tidy
from hermes_tui.shell.rules.hazards import pattern_for
from hermes_tui.shell.source import Source, read_source
from hermes_tui.shell.trouble import Span, Trouble
from hermes_tui.shell.words import Word

_CLAUSES: Final = ("a ", "an ", "the ", "its ", "two ")

_SHORT: Final = 2_000
"""Verdicts of lines shorter than this are remembered: one call is judged several times on its way."""


@dataclass(frozen=True, slots=True)
class Part:
    """One simple command of the line, also one inside a substitution or behind a wrapper.

    A redirect that writes and an assignment are parts of their own, so that a rule for the command does not
    cover them; a line that cannot be read has itself as its first part.
    """

    words: tuple[str, ...]
    """As the shell would build them; an expansion only known when it runs stays as written."""
    text: str
    """The words joined by single blanks: what permission rules match."""
    span: Span
    """Characters of the command line."""
    read_only: bool
    hazard: Hazard
    why: str
    """Why it is not read-only: "`rm` deletes"; else empty."""
    pattern: str
    """The narrowest useful pattern for "always": `git commit *`; empty: none is safe to offer."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a command line."""

    read_only: bool
    reason: str
    """One line for a person, never empty."""
    rule: str
    """Short stable id of the rule that decided: `redirect.write`."""
    word: str
    """The offending word, as written; empty when read-only."""
    span: Span | None
    """Its characters in the line."""
    reads: tuple[str, ...]
    """Absolute, complete, or `("*",)`. A `..` behind what may be a link is kept: only the disk knows."""
    writes: tuple[str, ...]
    """Paths seen to be written or removed; may be incomplete for a line that is not read-only."""
    parts: tuple[Part, ...]
    network: bool
    """Whether it talks to another machine."""
    repositories: tuple[str, ...] = ()
    """Folders of `reads` in which a git verb runs: it reads the whole work tree around each."""
    searches: tuple[str, ...] = ()
    """Roots of searches: the ignore files of the folders above each are read as well."""
    globs: tuple[str, ...] = ()
    """Patterns whose folders are in `reads`; where a match is a link, its target is read as well."""
    patterns: tuple[str, ...] = ()
    """Patterns whose folders are in `writes`, and of these folders only what matches is written."""

    @property
    def git(self) -> bool:
        """Whether a git verb runs."""
        return bool(self.repositories)

    def as_dict(self) -> dict[str, object]:
        """Return what `classify` prints."""
        return {
            "read_only": self.read_only,
            "reason": self.reason,
            "rule": self.rule,
            "word": self.word,
            "span": None if self.span is None else list(self.span),
            "reads": _spelled(self.reads),
            "writes": _spelled(self.writes),
        }


def classify(command: str, folder: str, home: str) -> Verdict:
    """Judge a command line that starts in `folder` (absolute, canonical); `home` is what `~` stands for."""
    return _remembered(command, folder, home) if len(command) < _SHORT else _classify(command, folder, home)


def _classify(command: str, folder: str, home: str) -> Verdict:
    source, trouble = read_source(command)
    if trouble is not None and trouble.rule in ("line.long", "line.deep"):
        return _unread(source, trouble)
    start = posixpath.normpath(folder)
    whole = (0, len(source.text))
    judge = Judge(source.text, start, home)
    judge.read(whole, (start,))
    findings = judge.findings
    if trouble is not None:
        findings.unproven = True
    elif findings.trouble is None and not tree.agrees(source.text, findings.starts, judge.timed):
        why = "two readers of the line disagree about its commands"
        findings.part((Word(source.text, whole, None),), whole, Trouble("syntax.second", why, (0, 0)))
    return _verdict(source, findings, trouble or findings.trouble)


_remembered = lru_cache(maxsize=512)(_classify)


def _verdict(source: Source, findings: Findings, trouble: Trouble | None) -> Verdict:
    uses = findings.uses
    parts = tuple(_part(source, found) for found in findings.parts)
    reads = (ANYTHING,) if findings.unproven else tidy(uses.reads, findings.entered)
    # what is named is told also where another part may write anything: a checkpoint can save it beforehand
    patterns = [pattern for pattern in uses.patterns if pattern != ANYTHING]
    exact = [path for path in uses.writes if path != ANYTHING]
    named = tidy([*exact, *map(folder_of, patterns)], [])
    others = (ANYTHING,) if ANYTHING in (*uses.writes, *uses.patterns) or not named else ()
    span = None if trouble is None else source.place(trouble.span)
    return Verdict(
        read_only=trouble is None,
        reason=_reason(parts) if trouble is None else _sentence(source, trouble),
        rule="read-only" if trouble is None else trouble.rule,
        word="" if trouble is None else source.word(trouble.span),
        span=span,
        reads=reads,
        writes=() if trouble is None else named + others,
        parts=parts,
        network=uses.network or any(part.hazard is Hazard.NETWORK for part in parts),
        repositories=tidy(uses.repositories, []),
        searches=tidy(uses.searches, []),
        globs=tidy(uses.globs, []),
        patterns=tuple(p for p in dict.fromkeys(patterns) if folder_of(p) not in tidy(exact, [])),
    )


def _part(source: Source, found: Found) -> Part:
    trouble = found.trouble
    hazard = Hazard.NONE if trouble is None else trouble.hazard
    words = tuple(word.text for word in found.words)
    return Part(
        words=words,
        text=" ".join(words),
        span=source.place(found.span),
        read_only=trouble is None,
        hazard=hazard,
        why="" if trouble is None else _sentence(source, trouble),
        pattern=pattern_for(found.words, hazard),
    )


def _reason(parts: tuple[Part, ...]) -> str:
    if not parts:
        return "there is nothing to run"
    if len(parts) == 1:
        return f"`{parts[0].words[0]}` only reads here"
    if len(parts) == 2:
        return "both commands only read"
    return f"all {len(parts)} commands only read"


def _sentence(source: Source, trouble: Trouble) -> str:
    """Return the trouble as one line; what does not stand by itself is said of its word."""
    alone = "`" in trouble.why or trouble.why.startswith(_CLAUSES)
    return " ".join((trouble.why if alone else f"`{source.word(trouble.span)}` {trouble.why}").split())


def _unread(source: Source, trouble: Trouble) -> Verdict:
    text = source.original
    part = Part((text,), text, (0, len(text)), False, Hazard.UNKNOWN, trouble.why, "")
    return Verdict(
        False,
        trouble.why,
        trouble.rule,
        "",
        source.place(trouble.span),
        (ANYTHING,),
        (ANYTHING,),
        (part,),
        False,
    )


def _spelled(paths: tuple[str, ...]) -> list[str]:
    """Return the paths as a person would write them."""
    return list(dict.fromkeys(path if path == ANYTHING else posixpath.normpath(path) for path in paths))
