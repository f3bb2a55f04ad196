"""Commands that look for files or for text in files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.rules.base import PATTERN, Check, Rule, Site, literal, names, refuse, value_of
from hermes_tui.shell.trouble import Refused
from hermes_tui.shell.words import Word

_GREP: Final = Rule(
    "-# -A= -B= -C= -D= -E -F -G -H -I -L -P -R* -T -U -V -Z -a -b -c -d= -e= -f@ -h -i -l -m= -n -o -q -r"
    " -s -v -w -x -y -z --after-context= --basic-regexp --before-context= --binary --binary-files="
    " --byte-offset --color? --colour? --context= --count --dereference-recursive* --devices= --directories="
    " --exclude= --exclude-dir= --exclude-from@ --extended-regexp --file@ --files-with-matches"
    " --files-without-match --fixed-strings --group-separator= --ignore-case --include= --initial-tab"
    " --invert-match --label= --line-buffered --line-number --line-regexp --max-count= --no-filename"
    " --no-group-separator --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp"
    " --quiet --recursive --regexp= --silent --text --version --help --with-filename --word-regexp",
    PATTERN,
    gives="-e -f --regexp --file",
    walks="-r -R -d --recursive --dereference-recursive --directories",
    tame=True,
)

_RG: Final = Rule(
    "-# -A= -B= -C= -E= -F -H -I -L* -M= -N -P -S -T= -U -V -a -b -c -d= -e= -f@ -g= -h -i -j= -l -m= -n -o"
    " -p -q -r= -s -t= -u -v -w -x -. -0 --after-context= --before-context= --context= --encoding="
    " --fixed-strings --with-filename --no-filename --follow* --max-columns= --max-columns-preview"
    " --no-line-number --pcre2 --smart-case --type-not= --multiline --multiline-dotall --text --byte-offset"
    " --count --count-matches --max-depth= --maxdepth= --regexp= --file@ --glob= --iglob="
    " --glob-case-insensitive --help --ignore-case --threads= --files-with-matches --files-without-match"
    " --max-count= --line-number --only-matching --pretty --quiet --replace= --case-sensitive --type="
    " --unrestricted --invert-match --word-regexp --line-regexp --hidden --null --null-data --files"
    " --type-list --json --stats --vimgrep --heading --no-heading --color= --colors= --column --no-column"
    " --crlf --engine= --max-filesize= --no-config --no-ignore --no-ignore-dot --no-ignore-exclude"
    " --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-ignore-messages"
    " --no-messages --no-require-git --ignore-file@ --one-file-system --passthru --sort= --sortr= --trim"
    " --type-add= --type-clear= --context-separator= --no-context-separator --path-separator="
    " --line-buffered --no-mmap --mmap --binary --include-zero --version --no-hidden"
    " --field-match-separator=",
    PATTERN,
    folder=True,
    searches=True,
    gives="-e -f --regexp --file --files --type-list",
    runs="--pre --pre-glob --hostname-bin -z --search-zip",
)

_FD: Final = Rule(
    "-0 -1 -a -c= -d= -e= -E= -F -g -H -i -I -j= -L* -o= -p -s -S= -t= -u --absolute-path --base-directory@"
    " --changed-before= --changed-within= --color= --exact-depth= --exclude= --extension= --fixed-strings"
    " --full-path --glob --hidden --ignore-case --case-sensitive --max-depth= --max-results= --min-depth="
    " --no-ignore --no-ignore-vcs --print0 --size= --type= --unrestricted --follow* --help --version",
    PATTERN,
    folder=True,
    searches=True,
    runs="-x -X --exec --exec-batch -l --list-details",
)

_AG: Final = Rule(
    "-A= -B= -C= -c -F -G= -H -i -l -L -n -o -Q -s -S -t -u -U -v -w --count --hidden --ignore-case"
    " --literal --files-with-matches --nocolor --nogroup --smart-case --word-regexp --python --js --ts --go"
    " --rust --cpp",
    PATTERN,
    folder=True,
    searches=True,
    runs="--pager",
)

_TREE: Final = Rule(
    "-a -d -f -i -s -h -p -u -g -D -t -r -c -C -n -v -F -J -N -q -Q -x -A -S -L= -P= -I= -l* --dirsfirst"
    " --noreport --prune --gitignore --du --filelimit= --charset= --si --matchdirs --ignore-case --sort="
    " --timefmt= --inodes --device --filesfirst --version --help",
    folder=True,
    searches=True,
    writes="-o -R --output",
)

# -- find ---------------------------------------------------------------------------------------------

_FIND_BARE: Final = names(
    "( ) ! , -not -a -and -o -or -nouser -nogroup -empty -readable -writable -executable -depth -d -mount"
    " -xdev -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -true -false -print -print0 -prune"
    " -quit -ls -help -version -warn -nowarn -H -P"
)
_FIND_VALUE: Final = names(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size -mtime -atime"
    " -ctime -mmin -amin -cmin -perm -user -group -uid -gid -links -inum -lname -ilname -maxdepth -mindepth"
    " -fstype -used -printf -context"
)
_FIND_PATH: Final = frozenset({"-newer", "-anewer", "-cnewer", "-samefile"})
_FIND_LINKS: Final = frozenset({"-L", "-follow", "-xtype"})
_FIND_TARGETS: Final = frozenset({"-readable", "-writable", "-executable"})
"""They ask of a link what it leads to."""
_FIND_RUNS: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FIND_WRITES: Final = frozenset({"-fprint", "-fprint0", "-fprintf", "-fls"})
_NEWER: Final = re.compile(r"-newer[aBcm][aBcmt]")


def find(words: Sequence[Word], site: Site) -> None:
    """find without actions that run, write or delete; its words are no flags but an expression."""
    for word in words:
        value_of(word)
    rest = list(words[1:])
    roots: list[str] = []
    expression = False
    while rest:
        word = rest.pop(0)
        if word.glob == 0:
            raise refuse(word, "expansion.glob", f"`{word.source}` may match a file whose name is an action")
        if word.text.startswith(("-", "(", ")", "!", ",")):
            expression = expression or word.text not in ("-H", "-P", "-L")
            _find_primary(word, rest, site)
        elif expression:
            raise refuse(word, "find.operand", f"`{word.text}` is out of place in `find`")
        else:
            roots.append(word.text)
            site.place.read(word)
    if not roots:
        site.place.read_folder()
    if any(word.value in _FIND_TARGETS for word in words[1:]):
        for root in roots or ["."]:
            site.place.look_through(root, below=True)


def _find_primary(word: Word, rest: list[Word], site: Site) -> None:
    name = literal(word)
    if name in _FIND_LINKS:
        site.place.read_anything()
    if name in _FIND_BARE or name in ("-L", "-follow"):
        return
    newer = _NEWER.fullmatch(name) is not None
    if name in _FIND_VALUE or name in _FIND_PATH or name == "-xtype" or newer:
        if not rest:
            raise refuse(word, "flag.value", f"`{name}` lacks its value")
        value = rest.pop(0)
        if value.glob is not None and (value.glob == 0 or value.text.startswith("-")):
            raise refuse(
                value, "expansion.glob", f"`{value.source}` may match a file whose name is an action"
            )
        if name == "-printf" and "Y" in value.text:
            site.place.read_anything()
        if name in _FIND_PATH or (newer and not name.endswith("t")):
            site.place.read(value)
        return
    if name in _FIND_RUNS:
        end = next((index for index, part in enumerate(rest) if part.text in (";", "+")), len(rest))
        site.run(rest[:end], more=True)
    raise _find_action(word, name)


def _find_action(word: Word, name: str) -> Refused:
    if name in _FIND_RUNS:
        return refuse(word, "find.action", f"`{name}` of `find` runs a program")
    if name == "-delete":
        return refuse(word, "find.action", "`-delete` of `find` deletes", Hazard.DELETES)
    if name in _FIND_WRITES:
        return refuse(word, "find.action", f"`{name}` of `find` writes a file", Hazard.OVERWRITES)
    return refuse(word, "flag.unknown", f"`{name}` of `find` is not known to be safe")


TABLE: Final[dict[str, Check]] = {
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": _RG,
    "fd": _FD,
    "fdfind": _FD,
    "ag": _AG,
    "tree": _TREE,
    "find": find,
}
