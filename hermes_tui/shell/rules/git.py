"""Judges git: the options before the verb by their place, the verb by its own table (git_verbs.py).

The same letter means different things before and behind the verb: `git -p log` starts a pager,
`git log -p` prints patches. What a repository's own config would run (fsmonitor, external diffs,
filters) is switched off by whoever starts a read-only command; it cannot be seen in the line.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.rules.base import Check, Rule, Site, literal, names, refuse, sort, value_of
from hermes_tui.shell.rules.git_verbs import SUBVERBS, VERBS
from hermes_tui.shell.trouble import Refused, Trouble
from hermes_tui.shell.words import Word

_GLOBAL: Final = names(
    "--no-pager -P --no-optional-locks --no-replace-objects --literal-pathspecs --icase-pathspecs"
    " --glob-pathspecs --noglob-pathspecs"
)
_GLOBAL_RUNS: Final = frozenset({"-c", "-p", "--paginate", "--exec-path", "--config-env"})

_NETWORK: Final = frozenset({"push", "fetch", "pull", "clone", "ls-remote", "send-email", "svn"})
_DELETES: Final = frozenset({"clean", "rm", "gc", "prune"})
_OVERWRITES: Final = names(
    "checkout restore switch reset apply am merge rebase revert cherry-pick stash mv read-tree checkout-index"
    " filter-branch update-ref worktree bisect"
)

_CHANGES: Final = names(
    "add commit init archive format-patch bundle pack-refs write-tree hash-object update-index commit-tree"
    " replace sparse-checkout maintenance repack fsck mktag mktree merge-tree fast-import"
)
_SUB_DELETES: Final = frozenset({"drop", "clear", "remove", "rm", "prune", "delete", "expire", "deinit"})
_SUB_NETWORK: Final = frozenset({("remote", "update"), ("submodule", "update"), ("submodule", "add")})


def git(words: Sequence[Word], site: Site) -> None:
    """Judge a git command."""
    folder, at = _before_verb(words)
    if at >= len(words):
        return
    rule, count = _rule(words[at], words[at + 1] if at + 1 < len(words) else None)
    verb = " ".join(word.text for word in words[at : at + count])
    arguments = [replace(words[at], value=f"git {verb}"), *words[at + count :]]
    try:
        rule(arguments, site)
    except Refused as refused:
        trouble = refused.trouble
        if trouble.rule.startswith("expansion"):
            raise
        raise Refused(_in_git(words[at].text, trouble)) from None
    site.place.repository(folder)
    _outside(rule, arguments, folder, site)


def _before_verb(words: Sequence[Word]) -> tuple[str, int]:
    """Return the folder git will run in, and where the verb stands."""
    folder, at = ".", 1
    while at < len(words):
        option = value_of(words[at])
        if not option.startswith("-"):
            return folder, at
        if option == "--version":
            return folder, len(words)
        if option == "-C" and at + 1 < len(words):
            folder = posixpath.join(folder, literal(words[at + 1]))
            at += 2
        elif option in _GLOBAL:
            at += 1
        elif option.split("=")[0] in _GLOBAL_RUNS:
            raise refuse(words[at], "git.global", f"`{option}` before git's verb can run a program")
        else:
            raise refuse(words[at], "git.global", f"`{option}` before git's verb is not known to be safe")
    return folder, at


def _rule(verb: Word, following: Word | None) -> tuple[Rule, int]:
    """Return the rule of the verb, and how many words are its name."""
    name = literal(verb)
    if name in VERBS:
        return VERBS[name], 1
    table = SUBVERBS.get(name)
    if table is None:
        why, hazard = _known_for(name)
        raise refuse(verb, "git.verb" if why.endswith("known to be safe") else f"git.{name}", why, hazard)
    bare = following is None or value_of(following).startswith("-")
    subverb = "" if bare or following is None else literal(following)
    rule = table.get(subverb)
    if rule is None:
        shown = f"git {name} {subverb}".rstrip()
        place = verb if bare or following is None else following
        raise refuse(place, f"git.{name}", f"`{shown}` changes the repository", _sub_hazard(name, subverb))
    return rule, 2 if subverb else 1


def _sub_hazard(verb: str, subverb: str) -> Hazard:
    if subverb in _SUB_DELETES:
        return Hazard.DELETES
    return Hazard.NETWORK if (verb, subverb) in _SUB_NETWORK else Hazard.OVERWRITES


def _known_for(verb: str) -> tuple[str, Hazard]:
    if verb in _NETWORK:
        return f"`git {verb}` uses the network", Hazard.NETWORK
    if verb in _DELETES:
        return f"`git {verb}` deletes files", Hazard.DELETES
    if verb in _OVERWRITES:
        return f"`git {verb}` overwrites files", Hazard.OVERWRITES
    if verb in _CHANGES:
        return f"`git {verb}` changes the repository", Hazard.UNKNOWN
    return f"`git {verb}` is not known to be safe", Hazard.UNKNOWN


def _in_git(verb: str, trouble: Trouble) -> Trouble:
    hazard = Hazard.NETWORK if trouble.rule == "network" else trouble.hazard
    return Trouble(f"git.{verb}.{trouble.rule}", trouble.why, trouble.span, hazard)


def _outside(rule: Rule, words: Sequence[Word], folder: str, site: Site) -> None:
    """Note paths that lead out of the folder: git reads some of them though they are in no repository."""
    arguments = sort(rule, words)
    values = [(value, rule.kinds.get(flag) == "@") for flag, value in arguments.flags if value is not None]
    for word, is_path in (*((operand, False) for operand in arguments.operands), *values):
        path = word.text
        # a link on the way may lead out as well as `..`
        if is_path or "/" in path or path == "..":
            glob = None if word.glob is None else word.glob + len(folder) + 1
            joined = posixpath.join(folder, path)
            site.place.read(Word(word.source, word.span, joined, glob, word.matches))


TABLE: Final[dict[str, Check]] = {"git": git}
