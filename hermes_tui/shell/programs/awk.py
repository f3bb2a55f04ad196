"""Reads an awk program and says what it would do besides printing. Must not know the command line around it.

Without `|`, `>`, `@` and the dangerous names anywhere, even in its strings, a program is harmless however it
is read. Otherwise it is split into tokens; where a slash could be a division or the start of a regular
expression, the program is not proven.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 5_000
_SUSPECT: Final = re.compile(r"[|>@]|system|getline|ARGV|ARGC")
_TOKEN: Final = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\n|\#[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<name>[A-Za-z_]\w*)
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
      | (?P<operator>\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*%^]=|[^\w\s"])
      | (?P<newline>\n)""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_SIMPLE_REGEX: Final = re.compile(r"/(?:[^/\\\n]|\\.)*/")
_REGEX: Final = re.compile(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?(?:\[:\w+:\]|[^]\n])*\])*/")
_NAMES: Final = {"system": "runs a program", "getline": "reads from elsewhere"}
_LEADS: Final = frozenset({"print", "printf", "return", "in", "case", "do", "else", "exit"})
"""Words behind which an operand begins, so that a slash opens a regular expression."""


def trouble_of(program: str) -> str:
    """Return why the program is not known to be harmless, in words that follow "the program"; else empty."""
    if _SUSPECT.search(program) is None:
        return ""
    if len(program) > _LONGEST:
        return "is too long to be read"
    return _Scan(program).run()


def may_read_more(program: str) -> bool:
    """Whether it may change which files are read."""
    return "ARGV" in program or "ARGC" in program


class _Scan:
    """Looks at the tokens from the left."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.before = "\n"
        self.printing = False
        """Behind `print` or `printf`, until the statement ends for certain."""
        self.depth = 0

    def run(self) -> str:
        at = 0
        while at < len(self.program):
            if self.program[at] == "/":
                end, trouble = self.slash(at)
            else:
                end, trouble = self.token(at)
            if trouble:
                return trouble
            at = end
        return ""

    def slash(self, at: int) -> tuple[int, str]:
        """A regular expression where an operand may begin, a division behind one."""
        if self.before in (")", "$", "++", "--"):
            return at, "has a slash that can be read in two ways"
        if self.before != "]" and (self.before in _LEADS or not re.match(r'[\w"]', self.before)):
            match, simple = _REGEX.match(self.program, at), _SIMPLE_REGEX.match(self.program, at)
            if match is None or simple is None or match.end() != simple.end():
                return at, "has a regular expression that can be read in two ways"
            self.before = '""'
            return match.end(), ""
        self.before = "+"
        return at + 1, ""

    def token(self, at: int) -> tuple[int, str]:
        match = _TOKEN.match(self.program, at)
        if match is None:
            return at, "is not understood"
        text = match[0]
        if match.lastgroup == "blank":
            return match.end(), ""
        trouble = self.name(text) if match.lastgroup == "name" else self.operator(text)
        self.before = '""' if match.lastgroup in ("string", "number") else text
        return match.end(), trouble

    def name(self, name: str) -> str:
        if name in ("print", "printf"):
            self.printing, self.depth = True, 0
        return _NAMES.get(name, "")

    def operator(self, text: str) -> str:
        if text in ("(", "["):
            self.depth += 1
        elif text in (")", "]"):
            self.depth -= 1
        elif text in (";", "}"):
            self.printing = False
        elif text == "@":
            return "calls what it names only when it runs"
        elif text in ("|", "&"):
            return "runs a program"
        elif text in (">", ">>") and self.printing and self.depth <= 0:
            return "writes a file"
        return ""
