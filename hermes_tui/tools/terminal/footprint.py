"""From the classifier's verdict to a footprint: what the call touches, and what a person is asked about."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from hermes_tui.engine.footprint import ANYTHING, Access, Footprint, Hazard, Level, Subject, undeclared
from hermes_tui.shell.classify import Part, Verdict, classify
from hermes_tui.shell.paths import folder_of
from hermes_tui.tools.base import path_subject
from hermes_tui.tools.terminal.reads import reads_of, resolved


def judge(command: str, folder: Path) -> Verdict:
    """Return what is known of a command line that starts in a canonical folder."""
    return classify(command, str(folder), os.path.expanduser("~"))


def is_proven(verdict: Verdict) -> bool:
    """Whether it may run as a read-only command: nothing in it is left to be found out."""
    return verdict.read_only and ANYTHING not in verdict.repositories


def footprint_of(command: str, folder: Path) -> Footprint:
    """Return the footprint of a command that runs in the foreground."""
    verdict = judge(command, folder)
    if is_proven(verdict):
        reads = reads_of(verdict)
        # a folder that does not exist: the call fails, until somebody makes it
        reads += () if folder.is_dir() else (str(next(each for each in folder.parents if each.is_dir())),)
        return Footprint(Level.SAFE, reads, subjects=_subjects(verdict))
    reason = "git runs in a folder that nobody knows before" if verdict.read_only else verdict.reason
    return undeclared(reason, (*_loose_end(command, verdict), *_subjects(verdict)), _worst(verdict))


def unproven(command: str, folder: Path, why: str) -> Footprint:
    """Return the footprint of a command that is asked about and runs alone, whatever it does."""
    verdict = judge(command, folder)
    subjects = tuple(
        Subject("command", part.text, Access.RUN, part.hazard, part.span, part.pattern, part.why or why)
        for part in verdict.parts
    )
    subjects = subjects or (Subject("command", command, Access.RUN, Hazard.UNKNOWN, why=why),)
    return undeclared(why, (*_loose_end(command, verdict), *subjects, *_writes(verdict)), _worst(verdict))


def _subjects(verdict: Verdict) -> tuple[Subject, ...]:
    """Return one subject for each simple command, and one for each path."""
    reads = () if ANYTHING in verdict.reads else resolved(verdict.reads)
    paths = tuple(path_subject(path, Access.READ) for path in dict.fromkeys(reads))
    return (*map(_command, verdict.parts), *_writes(verdict), *paths)


def _command(part: Part) -> Subject:
    """Return a simple command as the subject of a rule."""
    access = Access.READ if part.read_only else Access.RUN
    if part.hazard is Hazard.NETWORK:
        access = Access.NETWORK
    return Subject("command", part.text, access, part.hazard, part.span, part.pattern, part.why)


def _writes(verdict: Verdict) -> tuple[Subject, ...]:
    """Return the paths that it is seen to write; none is no promise."""
    named = [path for path in verdict.writes if path != ANYTHING]
    narrow: dict[str, list[str]] = {}
    for pattern in verdict.patterns:
        narrow.setdefault(folder_of(pattern), []).append(pattern)
    subjects = {}
    for text, path in zip(named, resolved(named), strict=True):
        subject = path_subject(path, Access.WRITE, Hazard.OVERWRITES if path.exists() else Hazard.NONE)
        subjects[path] = replace(subject, matches=tuple(narrow.get(text, ())))
    return tuple(subjects.values())


def _worst(verdict: Verdict) -> Hazard:
    """Return the worst hazard of its parts; unknown when none tells."""
    hazards = [part.hazard for part in verdict.parts if not part.read_only]
    return max(hazards, key=list(Hazard).index, default=Hazard.UNKNOWN)


def _loose_end(command: str, verdict: Verdict) -> tuple[Subject, ...]:
    """Return the whole line as a subject if what decided belongs to none of its commands.

    Rules settle the question about each command: what is left of the line must be asked about every time.
    """
    if verdict.read_only or any(part.why == verdict.reason for part in verdict.parts):
        return ()
    return (Subject("command", command, Access.RUN, Hazard.UNKNOWN, verdict.span, "", verdict.reason),)
