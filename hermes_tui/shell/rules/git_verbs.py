"""The git verbs that only read, with their flags. Data; git.py reads the command line around them.

Left out on purpose, though they look like reading:

* `whatchanged`: newer versions of git let the repository's config give the name to an alias, which may run
  a program;
* `describe --dirty` and `--broken` write the index; `log --remerge-diff` writes objects;
* `--show-signature`, `%G` and `signature` in a format run the program that the config names;
* `diff --no-index`, `-O` and `--output` name files outside of what git reads.
"""

from __future__ import annotations

from typing import Final

from hermes_tui.shell.rules.base import NONE, TEXT, Arguments, Rule, refuse

_FORMAT: Final = """
    --oneline --pretty? --format= --abbrev? --abbrev-commit --no-abbrev-commit --date= --decorate?
    --no-decorate --decorate-refs= --decorate-refs-exclude= --graph --no-graph --color? --no-color
    --encoding= --relative-date --parents --children --left-right --notes? --no-notes --mailmap
    --use-mailmap --no-mailmap --source --no-commit-id
"""
_RANGE: Final = """
    -# -n= --max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author=
    --committer= --grep= --all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F
    --fixed-strings -P --perl-regexp --merges --no-merges --min-parents= --max-parents= --first-parent --not
    --all --branches? --tags? --remotes? --glob= --exclude= --reflog -g --walk-reflogs --cherry-pick
    --cherry-mark --cherry --left-only --right-only --boundary --simplify-by-decoration --full-history
    --dense --sparse --simplify-merges --ancestry-path? --date-order --topo-order --author-date-order
    --reverse --no-walk? --follow -L= --full-diff --remove-empty --ignore-missing --show-pulls --stdin
    --root
"""
_DIFF: Final = """
    -p -u --patch -s --no-patch -U= --unified= --raw --patch-with-raw --minimal --patience --histogram
    --anchored= --diff-algorithm= --stat? --stat-width= --stat-name-width= --stat-count= --compact-summary
    --numstat --shortstat --dirstat? -X? --cumulative --dirstat-by-file? --summary --patch-with-stat -z
    --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved
    --color-moved-ws= --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty
    --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? -B? --break-rewrites?
    -M? --find-renames? -C? --find-copies? --find-copies-harder -D --irreversible-delete -l= --diff-filter=
    -S= -G= --find-object= --pickaxe-all --pickaxe-regex -R --relative? --no-relative -a --text
    --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space
    --ignore-blank-lines -I= --ignore-matching-lines= --inter-hunk-context= -W --function-context
    --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix=
    --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index -t -r -m -c --cc
    --combined-all-paths --no-diff-merges --diff-merges= --rotate-to= --skip-to=
"""
_REFS: Final = """
    --sort= --format= --color? --no-color --points-at= --contains? --no-contains? --merged? --no-merged? -i
    --ignore-case --omit-empty
"""


def _no_programs(arguments: Arguments) -> None:
    """Some values make git verify signatures, with a program from the config, or write objects."""
    for flag, value in arguments.flags:
        text = value.text if value is not None else ""
        if "%G" in text or "signature" in text:
            raise refuse(
                value or arguments.name, "signature", f"`{text}` runs the program that checks signatures"
            )
        if flag == "--diff-merges" and text in ("r", "remerge"):
            raise refuse(value or arguments.name, "flag.writes", f"`{text}` writes objects")


def _list_only(arguments: Arguments) -> None:
    """An operand of `branch` and `tag` is a new name, unless they list."""
    _no_programs(arguments)
    listing: tuple[str, ...] = (
        "--list",
        "--contains",
        "--no-contains",
        "--merged",
        "--no-merged",
        "--points-at",
    )
    if arguments.name.text == "git tag":
        listing += ("-l",)
    if arguments.operands and not arguments.has(*listing):
        name, made = arguments.name.text, arguments.operands[0]
        raise refuse(made, "operand", f"`{name} {made.text}` makes one of that name")


_CONFIG_READS: Final = ("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list", "--get-color")


def _config_reads(arguments: Arguments) -> None:
    """`git config name` reads, `git config name value` writes."""
    if len(arguments.operands) > 1 and not arguments.has(*_CONFIG_READS):
        raise refuse(arguments.operands[1], "operand", "`git config` with a value writes it")
    if arguments.operands and arguments.operands[0].text == "edit":
        raise refuse(arguments.operands[0], "operand", "`git config edit` starts an editor in newer gits")


def _symbolic_ref_reads(arguments: Arguments) -> None:
    if len(arguments.operands) > 1:
        raise refuse(arguments.operands[1], "operand", "`git symbolic-ref` with two names changes the first")


def _without_asking(arguments: Arguments) -> None:
    if not arguments.has("-n"):
        raise refuse(arguments.name, "network", "`git remote show` without `-n` asks the remote")


def _history(spec: str, *, bundles: bool = False) -> Rule:
    return Rule(
        spec, TEXT, bundles=bundles, check=_no_programs, writes="--output", runs="--ext-diff --textconv -O"
    )


_LOG: Final = _history(_FORMAT + _RANGE + _DIFF + " --log-size --show-linear-break?")
_DIFFS: Final = _history(_DIFF + " --cached --staged --merge-base --base --ours --theirs")
_PLUMBING: Final = _history(_DIFF + _FORMAT + " --cached --root --stdin -v --always --merge-base")
_BLAME: Final = Rule(
    "-b -c -e -f -l -n -p -s -t -w -L= -M? -C? --root --show-stats --porcelain --line-porcelain"
    " --incremental --date= --since= --color-lines --color-by-age --abbrev= --show-name --show-number"
    " --show-email --ignore-rev= --ignore-revs-file@ --contents@ --first-parent --reverse --minimal",
    TEXT,
    bundles=False,
)
_GREP: Final = Rule(
    "-# -a -b -c -e= -E -f@ -F -G -h -H -i -I -l -L -m= -n -o -p -P -q -r -v -w -W -z -A= -B= -C= --and"
    " --or --not --all-match --cached --untracked --no-exclude-standard --exclude-standard"
    " --recurse-submodules --text --word-regexp --line-number --column --files-with-matches --name-only"
    " --files-without-match --count --color? --no-color --break --heading --show-function --function-context"
    " --max-depth= --max-count= --threads= --full-name --ignore-case --extended-regexp --fixed-strings"
    " --perl-regexp --basic-regexp --only-matching --quiet --null --invert-match --context= --after-context="
    " --before-context=",
    TEXT,
    runs="-O --open-files-in-pager --textconv --ext-grep",
)
_STATUS: Final = Rule(
    "-s -b -z -v -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files?"
    " --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames"
    " --no-renames --find-renames?",
    TEXT,
)
_LS_FILES: Final = Rule(
    "-z -t -v -f -c -d -m -o -i -s -u -k -x= -X@ --cached --deleted --modified --others --ignored --stage"
    " --unmerged --killed --directory --no-empty-directory --eol --exclude= --exclude-from@"
    " --exclude-per-directory= --exclude-standard --error-unmatch --full-name --recurse-submodules --abbrev?"
    " --deduplicate --sparse --format= --with-tree=",
    TEXT,
)
_REV_PARSE: Final = Rule(
    "--show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir"
    " --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository"
    " --is-shallow-repository --abbrev-ref? --short? --verify -q --quiet --symbolic --symbolic-full-name"
    " --all --branches? --tags? --remotes? --glob= --exclude= --revs-only --no-revs --flags --no-flags"
    " --default= --not --sq --git-path= --since= --after= --until= --before= --show-object-format?"
    " --show-ref-format --path-format= --local-env-vars --disambiguate=",
    TEXT,
    bundles=False,
)
_SHORTLOG: Final = Rule(
    "-s -n -e -c -w? --summary --numbered --email --committer --group= --format= --since= --after= --until="
    " --before= --author= --grep= --all --branches? --tags? --remotes? --merges --no-merges --no-mailmap"
    " --first-parent",
    TEXT,
    check=_no_programs,
)

VERBS: Final[dict[str, Rule]] = {
    "status": _STATUS,
    "log": _LOG,
    "show": _LOG,
    "diff": _DIFFS,
    "diff-tree": _PLUMBING,
    "diff-index": _PLUMBING,
    "diff-files": _PLUMBING,
    "rev-list": _history(
        _FORMAT
        + _RANGE
        + " --objects --objects-edge --timestamp --header --count --no-object-names --in-commit-order"
        " --quiet --disk-usage? --commit-header --no-commit-header"
    ),
    "blame": _BLAME,
    "annotate": _BLAME,
    "grep": _GREP,
    "ls-files": _LS_FILES,
    "ls-tree": Rule(
        "-d -r -t -l -z --long --name-only --name-status --full-name --full-tree --abbrev? --format="
        " --object-only",
        TEXT,
    ),
    "rev-parse": _REV_PARSE,
    "describe": Rule(
        "--all --tags --long --contains --abbrev= --always --exact-match --candidates= --match= --exclude="
        " --first-parent",
        TEXT,
        writes="--dirty --broken",
    ),
    "shortlog": _SHORTLOG,
    "cat-file": Rule(
        "-t -s -e -p --batch? --batch-check? --buffer --unordered --batch-all-objects --follow-symlinks", TEXT
    ),
    "name-rev": Rule(
        "--tags --refs= --exclude= --all --name-only --always --no-undefined --annotate-stdin", TEXT
    ),
    "merge-base": Rule("-a --all --octopus --independent --is-ancestor --fork-point", TEXT),
    "for-each-ref": Rule(_REFS + " --count= --shell --exclude= --stdin", TEXT, check=_no_programs),
    "show-ref": Rule(
        "--head --heads --branches --tags -d --dereference -s --hash? --verify -q --quiet --abbrev? --exists",
        TEXT,
    ),
    "count-objects": Rule("-v -H --verbose --human-readable", NONE),
    "check-ignore": Rule("-q -v -n -z --quiet --verbose --non-matching --no-index --stdin", TEXT),
    "check-attr": Rule("-a --all --cached -z --stdin --source=", TEXT),
    "symbolic-ref": Rule("-q --quiet --short", TEXT, check=_symbolic_ref_reads),
    "var": Rule("-l", TEXT),
    "version": Rule("--build-options", NONE),
    "cherry": Rule("-v --abbrev?", TEXT),
    "branch": Rule(
        _REFS + "  -a -r -v --all --remotes --verbose --list --show-current --abbrev? --no-abbrev --column?"
        " --no-column",
        TEXT,
        check=_list_only,
        ordered=True,
        deletes="-d -D --delete",
    ),
    "tag": Rule(
        _REFS + " -l --list -n? --column? --no-column",
        TEXT,
        check=_list_only,
        ordered=True,
        deletes="-d --delete",
    ),
    "config": Rule(
        "--get --get-all --get-regexp --get-urlmatch -l --list --global --local --system --worktree -f@"
        " --file@ --show-origin --show-scope -z --null --name-only --type= --bool --int --bool-or-int --path"
        " --default= --includes --no-includes",
        TEXT,
        check=_config_reads,
        ordered=True,
    ),
}
"""Verbs that are judged by their flags and operands."""

SUBVERBS: Final[dict[str, dict[str, Rule]]] = {
    "stash": {"list": _LOG, "show": _history(_DIFF + " --include-untracked --only-untracked")},
    "remote": {
        "": Rule("-v --verbose", NONE),
        "get-url": Rule("--push --all", TEXT),
        "show": Rule("-n", TEXT, check=_without_asking, ordered=True),
    },
    "reflog": {"": _history(_FORMAT + _RANGE), "show": _LOG, "exists": Rule("", TEXT)},
    "worktree": {"list": Rule("-v -z --verbose --porcelain", NONE)},
    "submodule": {
        "": Rule("--cached --recursive", NONE),
        "status": Rule("--cached --recursive", TEXT),
        "summary": Rule("--cached --files", TEXT),
    },
    "notes": {"list": Rule("", TEXT), "show": Rule("", TEXT)},
    "bisect": {"log": Rule("", NONE)},
}
"""Verbs with verbs of their own; "" stands for none, where a first operand would be one."""
