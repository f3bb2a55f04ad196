"""Commands that tell about files: names, sizes, kinds, what an archive holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.rules.base import TEXT, Arguments, Check, Rule, Site, literal, refuse, sort, value_of
from hermes_tui.shell.words import Word

_LS: Final = Rule(
    "-1 -a -A -b -B -c -C -d -D -f -F -g -G -h -H* -i -k -l -L* -m -n -N -o -p -q -Q -r -R -s -S -t -u -U"
    " -v -x -X -Z --all --almost-all --author --block-size= --classify? --color? --context --dereference*"
    " --dereference-command-line* --dereference-command-line-symlink-to-dir* --directory --escape"
    " --file-type --format= --full-time --group-directories-first --hide= --hide-control-chars"
    " --human-readable --hyperlink? --ignore= --ignore-backups --indicator-style= --inode --kibibytes"
    " --literal --no-group --numeric-uid-gid --quote-name --quoting-style= --recursive --reverse"
    " --show-control-chars --si --size --sort= --time= --time-style= --width= --zero --help --version",
    folder=True,
    tame=True,
)


def ls(words: Sequence[Word], site: Site) -> None:
    """List names; where the kind is shown or sorted by, some ways to list look at what links lead to."""
    _LS(words, site)
    arguments = sort(_LS, words)
    marks = arguments.has("-F", "--classify", "--file-type", "--indicator-style", "--color")
    long = arguments.has("-l", "-g", "-n", "-o", "--format", "--full-time", "--no-group", "--numeric-uid-gid")
    if arguments.has("--group-directories-first", "--color") or (marks and long):
        for root in [operand.text for operand in arguments.operands] or ["."]:
            site.place.look_through(root, arguments.has("-R", "--recursive"))


_DU: Final = Rule(
    "-0 -a -b -B= -c -d= -D* -h -H* -k -l -L* -m -P -s -S -t= -x -X@ --all --apparent-size --block-size="
    " --bytes --count-links --dereference* --dereference-args* --exclude= --exclude-from@ --human-readable"
    " --inodes --max-depth= --no-dereference --null --one-file-system --separate-dirs --si --summarize"
    " --threshold= --time? --time-style= --total --help --version",
    folder=True,
    tame=True,
)
_DF: Final = Rule(
    "-a -B= -h -H -i -k -l -m -P -t= -T -x= --all --block-size= --exclude-type= --human-readable --inodes"
    " --local --output? --portability --print-type --si --total --type= --help --version",
    loose=True,
    tame=True,
)
_STAT: Final = Rule(
    "-c= -f -L -t -x --dereference --file-system --format= --printf= --terse --help --version", tame=True
)
_FILE: Final = Rule(
    "-b -i -L -h -k -n -N -r -0 -E -F= -e= --brief --mime --mime-type --mime-encoding --extension"
    " --dereference --no-dereference --keep-going --separator= --version --help",
    writes="-C --compile",
    runs="-m --magic-file -z -Z --uncompress -f --files-from",
)

# -- archives -----------------------------------------------------------------------------------------

_TAR: Final = Rule(
    "-t -v -f@ -z -j -J -a --list --verbose --file@ --gzip --gunzip --bzip2 --xz --zstd --auto-compress"
    " --wildcards --full-time --utc --numeric-owner --exclude= --force-local --occurrence?"
    " --show-transformed-names",
    TEXT,
    needs="-t --list",
    runs="--to-command --checkpoint-action -I --use-compress-program --rsh-command --rmt-command -F"
    " --info-script --new-volume-script",
)
_UNZIP: Final = frozenset(
    {"-l", "-v", "-t", "-p", "-Z", "-Z1", "-q", "-qq", "-lv", "-lq", "-ql", "-vq", "-tq", "-qt"}
)
_ZIPINFO: Final = frozenset({"-1", "-2", "-s", "-m", "-l", "-v", "-h", "-t", "-T", "-z"})


def tar(words: Sequence[Word], site: Site) -> None:
    """Tar that lists; the first word may be a bundle without its dash (`tar tzf a`)."""
    if len(words) > 1 and not value_of(words[1]).startswith("-"):
        words = [words[0], _dashed(words[1]), *words[2:]]
    arguments = sort(_TAR, words)
    for name in arguments.values("-f", "--file"):
        if ":" in literal(name) and not arguments.has("--force-local"):
            raise refuse(
                name, "network", f"`{name.text}` names an archive on another machine", Hazard.NETWORK
            )
    _TAR(words, site)


def _dashed(word: Word) -> Word:
    """Return an old-style bundle as flags, its `f` last: only that one takes a value."""
    bundle = literal(word)
    if "f" in bundle[:-1]:
        bundle = bundle.replace("f", "") + "f"
    return Word(word.source, word.span, f"-{bundle}")


def unzip(words: Sequence[Word], site: Site) -> None:
    """Unzip that lists, tests or prints; everything else extracts."""
    flags, archive = _leading_flags(words)
    for flag in flags:
        if flag.value not in _UNZIP:
            raise refuse(flag, "flag.unknown", f"`{flag.text}` of `unzip` is not known to be safe")
    if not any(letter in flag.text for flag in flags for letter in "lvtpZ"):
        raise refuse(words[0], "flag.missing", "`unzip` without `-l` extracts files", Hazard.OVERWRITES)
    _archive(archive, site)


def zipinfo(words: Sequence[Word], site: Site) -> None:
    """Zipinfo, which only lists."""
    flags, archive = _leading_flags(words)
    for flag in flags:
        if flag.value not in _ZIPINFO:
            raise refuse(flag, "flag.unknown", f"`{flag.text}` of `zipinfo` is not known to be safe")
    _archive(archive, site)


def _leading_flags(words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Split behind the last leading flag; a flag among the members is refused."""
    for word in words:
        literal(word)
    first = next(
        (index for index, word in enumerate(words[1:], 1) if not word.text.startswith("-")), len(words)
    )
    for word in words[first:]:
        if word.text.startswith("-"):
            raise refuse(word, "flag.unknown", f"`{word.text}` stands behind the archive")
    return list(words[1:first]), list(words[first:])


def _archive(operands: list[Word], site: Site) -> None:
    """The first operand is the archive; these programs expand patterns in it themselves."""
    if operands and any(char in operands[0].text for char in "*?["):
        site.place.read_anything()
    elif operands:
        site.place.read(operands[0])


def _to_screen(arguments: Arguments) -> None:
    """With -d the last of several modes may win, so only -c is sure to leave the file alone."""
    looks = arguments.has("-l", "-t", "--list", "--test") and not arguments.has("-d", "--decompress")
    if not looks and not arguments.has("-c", "--stdout", "--to-stdout"):
        raise refuse(
            arguments.name, "flag.missing", f"`{arguments.name.text}` replaces files", Hazard.OVERWRITES
        )


_GZIP: Final = Rule(
    "-c -d -k -l -q -t -v --stdout --to-stdout --decompress --keep --list --quiet --test --verbose",
    ordered=True,
    check=_to_screen,
)

TABLE: Final[dict[str, Check]] = {
    "ls": ls,
    "dir": ls,
    "vdir": ls,
    "du": _DU,
    "df": _DF,
    "stat": _STAT,
    "file": _FILE,
    "basename": Rule("-a -s= -z --multiple --suffix= --zero --help --version", TEXT, tame=True),
    "dirname": Rule("-z --zero --help --version", TEXT, tame=True),
    "realpath": Rule(
        "-e -L -m -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --no-symlinks"
        " --physical --quiet --relative-base@ --relative-to@ --strip --zero --help --version",
        tame=True,
    ),
    "readlink": Rule(
        "-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline"
        " --quiet --silent --verbose --zero --help --version",
        tame=True,
    ),
    "tar": tar,
    "unzip": unzip,
    "zipinfo": zipinfo,
    "gzip": _GZIP,
    "gunzip": _GZIP,
    "bzip2": _GZIP,
    "xz": _GZIP,
}
