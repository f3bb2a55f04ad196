"""Commands that read text and print it: whole, in part, counted, sorted, compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.rules.base import (
    TEXT,
    Arguments,
    Check,
    Rule,
    Site,
    data,
    is_number,
    literal,
    names,
    refuse,
    value_of,
)
from hermes_tui.shell.words import Word

_HELP: Final = " --help --version"

_SUM: Final = Rule(
    "-b -c* -t -w -z --binary --check* --text --quiet --status --strict --warn --ignore-missing --tag --zero"
    + _HELP,
    tame=True,
)
"""With -c the paths come from the list in the file."""

_BASE: Final = Rule("-d -D -i -w= --decode --ignore-garbage --wrap=" + _HELP, most=1)

_SORT: Final = Rule(
    "-b -d -f -g -h -i -k= -M -n -r -R -s -S= -t= -u -V -z -c -C -m --ignore-leading-blanks"
    " --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting"
    " --key= --month-sort --numeric-sort --reverse --random-sort --stable --buffer-size= --field-separator="
    " --unique --version-sort --zero-terminated --check? --merge --sort= --parallel= --debug" + _HELP,
    writes="-o --output -T --temporary-directory",
    runs="--compress-program --files0-from",
)

_DIFF: Final = Rule(
    "-# -a -b -B -c -C= -d -D= -e -E -F= -i -I= -n -N -p -q -r* -s -S= -t -T -u -U= -w -W= -x= -X@ -y -Z"
    " --brief --text --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines"
    " --ignore-trailing-space --ignore-tab-expansion --ignore-matching-lines= --unified? --context? --normal"
    " --side-by-side --width= --suppress-common-lines --left-column --recursive* --no-dereference --new-file"
    " --report-identical-files --exclude= --exclude-from@ --label= --color? --strip-trailing-cr --minimal"
    " --show-c-function --show-function-line= --expand-tabs --tabsize= --speed-large-files --from-file@"
    " --to-file@ --unidirectional-new-file --starting-file= --horizon-lines=" + _HELP,
    runs="-l --paginate",
)


def _no_at_files(arguments: Arguments) -> None:
    """Binutils read further arguments from `@file`."""
    for operand in arguments.operands:
        if operand.text.startswith("@"):
            raise refuse(operand, "operand", f"`{operand.text}` holds further arguments")


_STRINGS: Final = Rule(
    "-a -d -f -n= -t= -w -o -e= -s= --all --data --bytes= --radix= --encoding= --print-file-name",
    check=_no_at_files,
)
_NM: Final = Rule(
    "-a -A -B -C -D -e -g -j -l -n -o -p -P -r -S -s -u -U -W -t= -f= --debug-syms --print-file-name"
    " --demangle? --no-demangle --dynamic --extern-only --format= --just-symbols --line-numbers"
    " --numeric-sort --no-sort --portability --reverse-sort --print-size --radix= --size-sort"
    " --undefined-only --defined-only",
    runs="--plugin",
    check=_no_at_files,
)
_OBJDUMP: Final = Rule(
    "-a -f -p -h -x -d -D -s -t -T -r -R -C -w -z -j= -M= -m= -b= --archive-headers --file-headers"
    " --private-headers --section-headers --headers --all-headers --disassemble? --disassemble-all"
    " --full-contents --syms --dynamic-syms --reloc --dynamic-reloc --demangle? --wide --section="
    " --disassembler-options= --architecture= --start-address= --stop-address= --no-show-raw-insn"
    " --show-raw-insn --no-addresses",
    check=_no_at_files,
)
_READELF: Final = Rule(
    "-h -l -S -s -e -n -r -d -V -W -C -x= -p= --file-header --program-headers --segments --section-headers"
    " --sections --symbols --syms --dyn-syms --notes --relocs --dynamic --version-info --wide --headers",
    check=_no_at_files,
)


_XXD_BARE: Final = names("-a -b -e -i -p -ps -plain -r -u")
_XXD_VALUED: Final = names("-c -g -l -s -cols -groupsize -len -seek")


def xxd(words: Sequence[Word], site: Site) -> None:
    """xxd matches its own flags by their first letters, and writes its second operand."""
    operands: list[Word] = []
    rest = list(words[1:])
    while rest:
        word = rest.pop(0)
        value = literal(word)
        if operands or not value.startswith("-") or value == "-":
            operands.append(word)
        elif value in _XXD_VALUED:
            if rest:
                literal(rest.pop(0))
        elif value not in _XXD_BARE and not (value[:2] in _XXD_VALUED and is_number(value[2:])):
            raise refuse(word, "flag.unknown", f"`{value}` of `xxd` is not known to be safe")
    if len(operands) > 1:
        raise refuse(operands[1], "operand", f"`xxd` writes to `{operands[1].text}`", Hazard.OVERWRITES)
    for operand in operands:
        if operand.value != "-":
            site.place.read(operand)


def printf(words: Sequence[Word], site: Site) -> None:
    """bash's printf sets a variable for `-v` and for `%n`: PATH, for one."""
    del site
    for word in words[1:]:
        value_of(word)
    template = words[1] if len(words) > 1 else None
    if template is not None and template.value == "--":
        template = words[2] if len(words) > 2 else None
    elif template is not None and (template.text.startswith("-") or template.glob is not None):
        raise refuse(template, "flag.unknown", f"`{template.text}` makes `printf` set a variable")
    if template is not None and (template.glob is not None or "n" in _conversions(template.text)):
        raise refuse(template, "printf.variable", "`%n` makes `printf` set a variable")


def _conversions(template: str) -> str:
    """Return the letters behind the `%` of a format, taking every letter that could be one."""
    letters: list[str] = []
    for piece in template.replace("%%", "").split("%")[1:]:
        flags = len(piece) - len(piece.lstrip("-+ #0'123456789.*hlLqjzt"))
        letters.append(piece[flags : flags + 1])
    return "".join(letters)


TABLE: Final[dict[str, Check]] = {
    "cat": Rule(
        "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank"
        " --show-tabs --show-nonprinting" + _HELP,
        tame=True,
    ),
    "head": Rule(
        "-# -n= -c= -q -v -z --lines= --bytes= --quiet --silent --verbose --zero-terminated" + _HELP,
        tame=True,
    ),
    "tail": Rule(
        "-# -n= -c= -f -F -q -v -z -s= --lines= --bytes= --follow? --retry --pid= --sleep-interval= --quiet"
        " --verbose --zero-terminated" + _HELP,
        tame=True,
    ),
    "wc": Rule("-c -m -l -L -w --bytes --chars --lines --words --max-line-length" + _HELP, tame=True),
    "nl": Rule(
        "-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --number-format=" + _HELP, tame=True
    ),
    "tac": Rule("-b -r -s= --before --regex --separator=" + _HELP, tame=True),
    "rev": Rule("", tame=True),
    "cut": Rule(
        "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited"
        " --output-delimiter= --zero-terminated" + _HELP,
        tame=True,
    ),
    "tr": Rule(
        "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1" + _HELP, TEXT, tame=True
    ),
    "sort": _SORT,
    "uniq": Rule(
        "-c -d -D -u -i -f= -s= -w= -z --count --repeated --unique --ignore-case --skip-fields= --skip-chars="
        " --check-chars= --all-repeated? --group? --zero-terminated" + _HELP,
        most=1,
        ordered=True,
    ),
    "column": Rule(
        "-t -s= -o= -n -c= -x -J -N= -H= -R= -e -L --table --separator= --output-separator= --json",
        tame=True,
    ),
    "paste": Rule("-d= -s -z --delimiters= --serial --zero-terminated" + _HELP, tame=True),
    "join": Rule(
        "-1= -2= -a= -e= -i -j= -o= -t= -v= -z --ignore-case --check-order --nocheck-order --header" + _HELP,
        tame=True,
    ),
    "comm": Rule(
        "-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter= --total" + _HELP, tame=True
    ),
    "fold": Rule("-b -s -w= --bytes --spaces --width=" + _HELP, tame=True),
    "fmt": Rule("-c -s -t -u -w= -g= --width=" + _HELP, tame=True),
    "expand": Rule("-i -t= --initial --tabs=" + _HELP, tame=True),
    "unexpand": Rule("-a -t= --all --tabs=" + _HELP, tame=True),
    "diff": _DIFF,
    "cmp": Rule(
        "-b -i= -l -n= -s --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent" + _HELP,
        tame=True,
    ),
    "md5sum": _SUM,
    "sha1sum": _SUM,
    "sha224sum": _SUM,
    "sha256sum": _SUM,
    "sha384sum": _SUM,
    "sha512sum": _SUM,
    "b2sum": _SUM,
    "cksum": Rule("", tame=True),
    "sum": Rule("-r -s", tame=True),
    "shasum": Rule("-a= -b -t"),
    "base64": _BASE,
    "base32": _BASE,
    "od": Rule(
        "-A= -j= -N= -S= -t= -v -w? -a -b -c -d -f -i -l -o -s -x --address-radix= --format= --read-bytes=",
        tame=True,
    ),
    "hexdump": Rule(
        "-b -c -C -d -o -x -v -n= -s= -e= --canonical --length= --skip= --no-squeezing", tame=True
    ),
    "hd": Rule("-v -n= -s="),
    "xxd": xxd,
    "strings": _STRINGS,
    "nm": _NM,
    "objdump": _OBJDUMP,
    "readelf": _READELF,
    "zcat": Rule(""),
    "bzcat": Rule(""),
    "xzcat": Rule(""),
    "echo": data,
    "printf": printf,
    "seq": data,
    "expr": data,
    "factor": data,
    "sleep": data,
}
