"""Words are built as bash builds them: our reader against bash itself."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_tui.shell.lexer import Operator, read_tokens
from hermes_tui.shell.source import read_source
from hermes_tui.shell.words import Scope, Word
from tests.shell.table import BUDGET

HOME = "/home/some one"
PIECES = (
    *("a", "-n", "=", ":", ",", ".", "/", "%", "+", "@", "#", "!", "^", "]", "}", "é", "0"),
    *(
        "'",
        '"',
        "\\",
        "$",
        "~",
        "{",
        "''",
        '""',
        "' '",
        '" "',
        "\\ ",
        "\\'",
        '\\"',
        "\\\\",
        "\\$",
        "\\`",
        "\\;",
    ),
    *(
        "'a b'",
        '"a b"',
        "'$x'",
        '"\\$x"',
        '"\\a"',
        '"\'"',
        "'\"'",
        "$'a\\tb'",
        "$'\\''",
        "$'a'",
        '"$"',
        "'\\'",
        "\\\n",
    ),
    *(
        "~/a",
        "{a",
        "a#b",
        "\\#",
        '"\\\\"',
        "'*'",
        '"?"',
        "\\*",
        "'|'",
        '"&&"',
        "\\>",
        "'\n'",
        '"\n"',
        "\\~",
        "'~'",
    ),
)


def words_of(text: str) -> list[Word] | None:
    """Return the words of a line that consists of nothing but words with known values; else None."""
    source, trouble = read_source(text)
    tokens, stopped = read_tokens(source.text, (0, len(source.text)), Scope(HOME))
    words = [token for token in tokens if isinstance(token, Word)]
    known = all(word.value is not None and word.glob is None for word in words)
    return words if trouble is None and stopped is None and known and len(words) == len(tokens) else None


def in_bash(lines: list[str]) -> list[list[str]]:
    """Return the words of each line as bash builds them."""
    script = "".join(f"printf '%s\\0' {line}\nprintf '\\1\\0'\n" for line in lines)
    result = subprocess.run(
        [shutil.which("bash") or "bash", "-c", script],
        env={"HOME": HOME, "PATH": "/nonexistent", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    groups = result.stdout.decode().split("\1\0")
    assert (result.stderr, groups.pop()) == (b"", "")
    return [group.split("\0")[:-1] for group in groups]


@settings(max_examples=40 * BUDGET, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.sampled_from((*PIECES, " ")), max_size=8).map("".join), min_size=20, max_size=60))
def test_words_are_what_bash_makes_of_them(lines: list[str]) -> None:
    """cases f/107: quotes, escapes, comments and continuations are read as bash reads them."""
    read = [(line, words) for line in lines if (words := words_of(line)) is not None]
    expected = [[word.value for word in words] or [""] for _, words in read]
    assert in_bash([line for line, _ in read]) == expected


UNKNOWN: tuple[tuple[str, str], ...] = (
    ("$x", "expansion.variable"),
    ('"a$x"', "expansion.variable"),
    ("${x}", "expansion.variable"),
    ("$1", "expansion.variable"),
    ("$@", "expansion.variable"),
    ("${x:-a}", "expansion.parameter"),
    ("${x@P}", "expansion.parameter"),
    ("${!x}", "expansion.parameter"),
    ("${x[0]}", "expansion.parameter"),
    ("$x$(a)", "expansion.command"),
    ("$(a)", "expansion.command"),
    ("`a`", "expansion.command"),
    ('"`a`"', "expansion.command"),
    ("<(a)", "expansion.process"),
    ("a>(b)", "expansion.process"),
    ("$((1))", "expansion.arithmetic"),
    ("$[1]", "expansion.arithmetic"),
    ("{a,b}", "expansion.brace"),
    ("x{1..3}", "expansion.brace"),
    ("~root", "expansion.tilde"),
    ("~+", "expansion.tilde"),
    ("a=~/b", "expansion.tilde"),
    ('$"a"', "expansion.locale"),
    ("$'\\x61'", "quote.ansi"),
)


@pytest.mark.parametrize(("text", "rule"), UNKNOWN, ids=[text for text, _ in UNKNOWN])
def test_a_word_only_known_when_the_line_runs_has_no_value(text: str, rule: str) -> None:
    (word,), _ = read_tokens(text, (0, len(text)), Scope(HOME))
    assert isinstance(word, Word)
    assert (word.value, word.text) == (None, text)
    assert word.trouble is not None
    assert word.trouble.rule == rule


def test_a_here_document_is_no_part_of_the_commands() -> None:
    text = "cat <<A <<-'B' x\nrm a\nA\n\trm b\n\tB\nls"
    tokens, stopped = read_tokens(text, (0, len(text)), Scope(HOME))
    assert stopped is None
    assert [token.source for token in tokens] == ["cat", "<<", "A", "<<-", "'B'", "x", "\n", "ls"]
    bodies = [token.body for token in tokens if isinstance(token, Operator) and token.body]
    assert [text[start:end] for start, end in bodies] == ["rm a\n", "\trm b\n"]
