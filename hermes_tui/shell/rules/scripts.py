"""sed, awk and jq: their programs are judged by their text, and only when that stands on the line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.programs import awk, jq, sed
from hermes_tui.shell.rules.base import TEXT, Check, Rule, Site, literal, refuse, sort, value_of
from hermes_tui.shell.words import Word

_SED: Final = Rule(
    "-n -e= -E -r -s -u -z --quiet --silent --expression= --regexp-extended --separate --unbuffered"
    " --null-data --posix --debug --sandbox --help --version",
    TEXT,
    ordered=True,
    writes="-i --in-place -I -w",
    runs="-f --file",
)
_AWK: Final = Rule(
    "-F= -v= --field-separator= --assign=", TEXT, ordered=True, bundles=False, runs="-f --file -i -l -E"
)
_JQ: Final = Rule(
    "-a -c -C -e -j -M -n -r -R -s -S --ascii-output --color-output --compact-output --exit-status"
    " --indent= --join-output --monochrome-output --null-input --raw-input --raw-output --seq --slurp"
    " --sort-keys --stream --tab --version --help",
    TEXT,
    runs="-f --from-file -L",
)


def sed_rule(words: Sequence[Word], site: Site) -> None:
    """Judge a sed command whose script stands on the line."""
    arguments = sort(_SED, words)
    scripts = arguments.values("-e", "--expression")
    paths = arguments.operands
    if not scripts:
        scripts, paths = list(paths[:1]), paths[1:]
    script = sed.Script("\n".join(literal(script) for script in scripts))
    if script.trouble:
        hazard = Hazard.OVERWRITES if script.trouble == "writes a file" else Hazard.UNKNOWN
        raise refuse(scripts[0], "program.sed", f"the sed script {script.trouble}", hazard)
    for name in script.reads:
        site.place.read(Word(name, scripts[0].span, name))
    _read_all(paths, site)


def awk_rule(words: Sequence[Word], site: Site) -> None:
    """Judge an awk command whose program stands on the line."""
    arguments = sort(_AWK, words)
    if not arguments.operands:
        raise refuse(words[0], "program.awk", f"`{words[0].text}` has no program")
    program = arguments.operands[0]
    text = literal(program)
    trouble = awk.trouble_of(text)
    if trouble:
        hazard = Hazard.OVERWRITES if trouble == "writes a file" else Hazard.UNKNOWN
        raise refuse(program, "program.awk", f"the awk program {trouble}", hazard)
    if awk.may_read_more(text):
        site.place.read_anything()
    for path in arguments.operands[1:]:
        if path.text.startswith("/inet"):
            raise refuse(path, "network", f"`{path.text}` is a connection to awk", Hazard.NETWORK)
    _read_all(arguments.operands[1:], site)


def jq_rule(words: Sequence[Word], site: Site) -> None:
    """Judge a jq command whose filter stands on the line."""
    plain, files = _jq_pairs(words)
    arguments = sort(_JQ, plain)
    if arguments.operands:
        program = arguments.operands[0]
        trouble = jq.trouble_of(literal(program))
        if trouble:
            raise refuse(program, "program.jq", f"the jq filter {trouble}")
    _read_all([*files, *arguments.operands[1:]], site)


def _jq_pairs(words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Take out the flags that have a name and a value; return the rest, and the files among the values."""
    plain: list[Word] = []
    files: list[Word] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if value_of(word) not in ("--arg", "--argjson", "--slurpfile", "--rawfile"):
            plain.append(word)
            continue
        if len(rest) < 2:
            raise refuse(word, "flag.value", f"`{word.text}` lacks its values")
        literal(rest.pop(0))
        value = rest.pop(0)
        literal(value)
        if word.value in ("--slurpfile", "--rawfile"):
            files.append(value)
    return plain, files


def _read_all(paths: Sequence[Word], site: Site) -> None:
    for path in paths:
        if path.value != "-":
            site.place.read(path)


TABLE: Final[dict[str, Check]] = {
    "sed": sed_rule,
    "awk": awk_rule,
    "gawk": awk_rule,
    "mawk": awk_rule,
    "nawk": awk_rule,
    "jq": jq_rule,
}
