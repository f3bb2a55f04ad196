"""Planners that are broken on purpose, each by leaving out one rule. The tests have to tell them from ours.

Each alters what the calls declare, or the plan that was made of it; none reaches into the package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from os.path import join, normpath, realpath
from pathlib import Path
from typing import Final

from hermes_tui.engine.footprint import ANYTHING, Footprint, Level
from hermes_tui.engine.judge import Judged
from hermes_tui.engine.plan import Plan, plan
from hermes_tui.shell.classify import classify
from tests.equivalence.world import Planner

Alter = Callable[[Judged, Path], Footprint]

_NAMED: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete|Move) (?:File|to): (.*)$", re.MULTILINE)


def declaring(alter: Alter) -> Planner:
    """Return the planner to which every call declares something else."""

    def broken(calls: Sequence[Judged], schedule: str, folder: Path) -> Plan:
        return plan([replace(call, footprint=alter(call, folder)) for call in calls], schedule, folder)

    return broken


# -- the five of issue 3 -------------------------------------------------------------------------------


def _without_reads(call: Judged, folder: Path) -> Footprint:
    return replace(call.footprint, reads=())


def _without_search_roots(call: Judged, folder: Path) -> Footprint:
    is_search = call.name == "search_files" and call.footprint.level is Level.SAFE
    return replace(call.footprint, reads=()) if is_search else call.footprint


def _with_one_patch_path(call: Judged, folder: Path) -> Footprint:
    is_patch = call.name == "patch" and call.footprint.level is Level.SCOPED
    return replace(call.footprint, writes=call.footprint.writes[:1]) if is_patch else call.footprint


def _with_links_not_resolved(call: Judged, folder: Path) -> Footprint:
    if call.footprint.level not in (Level.SAFE, Level.SCOPED):
        return call.footprint
    arguments = call.arguments or {}
    if call.name == "terminal":
        start = join(folder, arguments.get("workdir") or ".")
        reads = classify(arguments["command"], normpath(start), "/").reads
        return replace(call.footprint, reads=tuple(map(normpath, reads)) if ANYTHING not in reads else reads)
    names = [arguments["path"]] if "path" in arguments else []
    names += [name for found in _NAMED.findall(arguments.get("patch") or "") for name in found.split(" -> ")]
    spelled = tuple(normpath(join(folder, name)) for name in names)
    return replace(
        call.footprint,
        reads=spelled if call.footprint.reads else (),
        writes=spelled if call.footprint.writes else (),
    )


def _without_prefixes(call: Judged, folder: Path) -> Footprint:
    """Names without a slash are compared as a whole."""

    def whole(paths: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(path.replace("/", ":") for path in paths)

    return replace(call.footprint, reads=whole(call.footprint.reads), writes=whole(call.footprint.writes))


# -- other rules of design.md 3.3 ----------------------------------------------------------------------


def _with_missing_paths_themselves(call: Judged, folder: Path) -> Footprint:
    """A read of a missing path reads that path alone, not the folder around it."""
    if call.name != "read_file" or call.footprint.level is not Level.SCOPED:
        return call.footprint
    return replace(call.footprint, reads=(realpath(join(folder, (call.arguments or {})["path"])),))


def _with_roots_alone(call: Judged, folder: Path) -> Footprint:
    """A search reads no ignore file above its root."""
    is_search = call.name == "search_files" and call.footprint.level is Level.SAFE
    return replace(call.footprint, reads=call.footprint.reads[:1]) if is_search else call.footprint


def _with_links_that_go(call: Judged, folder: Path) -> Footprint:
    """A patch that removes a link is scoped like any other."""
    return replace(call.footprint, level=Level.SCOPED) if call.name == "patch" else call.footprint


def _with_git_in_its_folder(call: Judged, folder: Path) -> Footprint:
    """A git verb reads the folder it runs in, not its repository's top."""
    command = (call.arguments or {}).get("command", "") if call.name == "terminal" else ""
    if "git -C src" not in command or call.footprint.level is not Level.SAFE:
        return call.footprint
    return replace(call.footprint, reads=(str(folder / "src"),))


def _with_commands_known_by_their_paths(call: Judged, folder: Path) -> Footprint:
    """A command that is seen to write is scheduled by what it is seen to write."""
    if call.name != "terminal" or call.footprint.level is not Level.UNDECLARED:
        return call.footprint
    verdict = classify(json.loads(call.call.arguments).get("command", ""), str(folder), "/")
    return replace(call.footprint, level=Level.SCOPED, reads=(), writes=verdict.writes)


def without_behind(calls: Sequence[Judged], schedule: str, folder: Path) -> Plan:
    """Behind an undeclared call, paths are trusted as if nothing had changed what they mean."""
    made = plan(calls, schedule, folder)
    if schedule != "graph":
        return made
    kept = [
        replace(
            call,
            after=tuple(
                i
                for i in call.after
                if plan([calls[i], call.judged], "graph", folder).calls[1].after or len(calls) < 2
            ),
        )
        for call in made.calls
    ]
    return replace(made, calls=tuple(kept))


FIVE: Final[dict[str, Planner]] = {
    "reads are ignored": declaring(_without_reads),
    "search roots are ignored": declaring(_without_search_roots),
    "of a patch only the first path counts": declaring(_with_one_patch_path),
    "links are not resolved": declaring(_with_links_not_resolved),
    "a folder does not hold its files": declaring(_without_prefixes),
}

MORE: Final[dict[str, Planner]] = {
    "behind an undeclared call": without_behind,
    "missing paths": declaring(_with_missing_paths_themselves),
    "ignore files above": declaring(_with_roots_alone),
    "links that go": declaring(_with_links_that_go),
    "repository top": declaring(_with_git_in_its_folder),
    "unproven commands": declaring(_with_commands_known_by_their_paths),
}
