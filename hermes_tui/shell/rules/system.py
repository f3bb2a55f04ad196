"""Commands that tell about the machine, the user and the shell itself, and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes_tui.shell.rules.base import (
    NONE,
    TEXT,
    Arguments,
    Check,
    Rule,
    Site,
    data,
    is_number,
    literal,
    refuse,
    value_of,
)
from hermes_tui.shell.words import Word

# -- conditions ---------------------------------------------------------------------------------------

_ABOUT_FILES: Final = frozenset(f"-{letter}" for letter in "abcdefghkprsuwxGLNOS")
_ABOUT_TEXT: Final = frozenset({"-n", "-z", "-t", "-o"})
_NUMERIC: Final = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_BETWEEN_FILES: Final = frozenset({"-nt", "-ot", "-ef"})
_JOINTS: Final = frozenset({"=", "==", "!=", "<", ">", "!", "(", ")", "-a", "-o"})
_KNOWN: Final = _ABOUT_FILES | _ABOUT_TEXT | _NUMERIC | _BETWEEN_FILES | _JOINTS


def test(words: Sequence[Word], site: Site) -> None:
    """`test` and `[`: no `-v` or `-R`, whose names are evaluated and may run commands."""
    inner = list(words[1:])
    if words[0].value == "[" and (not inner or value_of(inner.pop()) != "]"):
        raise refuse(words[0], "syntax", "`[` lacks its `]`")
    for word in inner:
        value_of(word)
        if word.matches:
            raise refuse(word, "expansion.glob", f"`{word.source}` becomes whatever files match")
        if word.text.startswith("-") and word.text not in _KNOWN and not is_number(word.text[1:]):
            raise refuse(word, "test.operator", f"`{word.text}` may evaluate what it is given")
    files(inner, site)


def files(words: Sequence[Word], site: Site) -> None:
    """Note the paths that a condition looks at."""
    for index, word in enumerate(words):
        around = (*words[max(index - 1, 0) : index], *words[index + 1 : index + 2])
        if word.value in _ABOUT_FILES and index + 1 < len(words):
            site.place.read(words[index + 1])
        elif word.value in _BETWEEN_FILES:
            for operand in around:
                site.place.read(operand)


def double_bracket(words: Sequence[Word], site: Site) -> None:
    """Judge the words between `[[` and `]]`: numbers are arithmetic there, which can run commands."""
    for index, word in enumerate(words):
        value = value_of(word)
        if value in _NUMERIC:
            for operand in (*words[max(index - 1, 0) : index], *words[index + 1 : index + 2]):
                if not is_number(operand.text.lstrip("-")) and operand.text not in ("$?", "$#"):
                    raise refuse(
                        operand, "expansion.arithmetic", f"`{operand.text}` is evaluated as arithmetic"
                    )
        elif value.startswith("-") and value not in _KNOWN and not is_number(value[1:]):
            raise refuse(word, "test.operator", f"`{value}` may evaluate what it is given")
    files(words, site)


# -- the rest -----------------------------------------------------------------------------------------


def _only_formats(arguments: Arguments) -> None:
    """The other operand of date is the time to set."""
    for operand in arguments.operands:
        if not operand.text.startswith("+"):
            raise refuse(operand, "operand", f"`{operand.text}` may set the clock")


def processes(words: Sequence[Word], site: Site) -> None:
    """Ps takes words in three styles, none of which changes anything."""
    data(words, site)
    site.place.read_anything()


def look_up(words: Sequence[Word], site: Site) -> None:
    """`type`, `which`: they look through the folders of PATH, which may lie in the project."""
    data(words, site)
    site.place.read_anything()


def command(words: Sequence[Word], site: Site) -> None:
    """`command -v name` looks a command up, `command name …` runs it."""
    rest = words[1:]
    if rest and value_of(rest[0]) in ("-v", "-V"):
        look_up(words, site)
    elif rest and rest[0].text.startswith("-"):
        raise refuse(rest[0], "flag.unknown", f"`{rest[0].text}` of `command` is not known to be safe")
    elif rest:
        site.run(rest)


def environment(words: Sequence[Word], site: Site) -> None:
    """Env without assignments or flags: it prints, or runs a command as it stands."""
    if len(words) == 1:
        site.place.read_anything()  # keys of whatever kind stand there
        return
    first = value_of(words[1])
    if "=" in first:
        if len(words) > 2:
            site.run(words[2:])
        raise refuse(words[1], "assignment", f"`{first}` sets a variable for the command")
    if first.startswith("-"):
        raise refuse(words[1], "flag.runs", f"`{first}` of `env` changes what runs")
    site.run(words[1:])


def timeout(words: Sequence[Word], site: Site) -> None:
    """`timeout 5 cmd`, `nice cmd`: only plain numbers before the command."""
    rest = list(words[1:])
    name = words[0].value
    while rest and value_of(rest[0]).startswith("-"):
        flag = literal(rest.pop(0))
        if flag in ("-k", "-s", "-n", "--adjustment", "--kill-after", "--signal") and rest:
            literal(rest.pop(0))
        elif not (is_number(flag[1:]) or flag in ("--foreground", "--preserve-status", "-v")):
            raise refuse(words[1], "flag.unknown", f"`{flag}` of `{name}` is not known to be safe")
    if name == "timeout" and rest:
        literal(rest.pop(0))
    if rest:
        site.run(rest)


_XARGS_BARE: Final = frozenset({"-0", "-r", "-t", "-x", "--null", "--no-run-if-empty", "--verbose", "--exit"})
_XARGS_VALUE: Final = frozenset(
    {"-n", "-P", "-L", "-d", "-I", "-s", "--max-args", "--max-procs", "--max-lines", "--delimiter"}
)


def xargs(words: Sequence[Word], site: Site) -> None:
    """Xargs with a command that no argument whatever can make unsafe; what it reads comes from its input."""
    rest = list(words[1:])
    site.place.read_anything()
    while rest and value_of(rest[0]).startswith("-"):
        word = rest.pop(0)
        flag = literal(word)
        if flag in _XARGS_VALUE and rest:
            literal(rest.pop(0))
        elif flag not in _XARGS_BARE and not _joined(flag):
            raise refuse(word, "flag.unknown", f"`{flag}` of `xargs` is not known to be safe")
    if rest:
        site.run(rest, more=True)


def _joined(flag: str) -> bool:
    """Whether it is a flag with its value behind it: `-n1`, `-I{}`."""
    if flag.startswith("--"):
        name, equals, _ = flag.partition("=")
        return bool(equals) and name in _XARGS_VALUE
    return flag[:2] in _XARGS_VALUE and len(flag) > 2


_FREE: Final = Rule("-b -k -m -g -h -l -t -w --bytes --kibi --mebi --gibi --human --si --total --wide", NONE)
_LSCPU: Final = Rule("-a -b -s -J -e? -p? --json --all --extended? --parse?", NONE)

TABLE: Final[dict[str, Check]] = {
    "test": test,
    "[": test,
    "true": data,
    "false": data,
    ":": data,
    "exit": Rule("", TEXT, most=1),
    "pwd": Rule("-L -P", NONE),
    "type": look_up,
    "which": look_up,
    "whereis": look_up,
    "command": command,
    "env": environment,
    "timeout": timeout,
    "nice": timeout,
    "xargs": xargs,
    "printenv": Rule("-0 --null", TEXT, loose=True),
    "date": Rule(
        "-d= -f@ -I? -r@ -R -u --date= --file@ --iso-8601? --reference@ --rfc-3339= --rfc-email --utc"
        " --universal --help --version",
        TEXT,
        check=_only_formats,
        ordered=True,
    ),
    "cal": Rule("-1 -3 -y -m -j -n=", TEXT),
    "uname": Rule("-a -s -n -r -v -m -p -i -o --all --kernel-name --kernel-release --machine", NONE),
    "arch": Rule("", NONE),
    "nproc": Rule("--all", NONE),
    "hostname": Rule("-s -I", NONE),
    "hostid": Rule("", NONE),
    "whoami": Rule("", NONE),
    "logname": Rule("", NONE),
    "id": Rule("-u -g -G -n -r -z --user --group --groups --name", TEXT),
    "groups": Rule("", TEXT),
    "users": Rule("", NONE),
    "who": Rule("-a -b -q -u -H", NONE),
    "w": Rule("-h -s", NONE),
    "tty": Rule("-s", NONE),
    "uptime": Rule("-p -s", NONE),
    "free": _FREE,
    "ps": processes,
    "pgrep": Rule("-a -c -f -i -l -n -o -v -x -u= -U= -P= -g= -t= -d=", TEXT, loose=True),
    "pidof": Rule("-s -x", TEXT, loose=True),
    "lsof": Rule("-a -c= -i? -l -n -N -p= -P -t -u= -U", TEXT, loose=True),
    "lscpu": _LSCPU,
    "lsblk": Rule("-a -b -d -f -l -m -n -o= -p -J", NONE, loose=True),
    "locale": Rule("-a -m", TEXT),
    "getconf": Rule("-a", TEXT, loose=True),
}
