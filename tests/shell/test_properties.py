"""What holds for every line: an answer, bounded, and nothing hides what stands behind it."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hermes_tui.shell.classify import classify
from hermes_tui.shell.lexer import read_tokens
from hermes_tui.shell.programs import awk, jq, sed
from hermes_tui.shell.words import Scope, Word
from tests.shell.table import BUDGET
from tests.shell.test_table import SAFE, UNSAFE

LINES = (*SAFE, *(row.line for row in UNSAFE))
BITS = (
    *(
        "ls",
        "cat",
        "rm",
        "cd",
        "git",
        "log",
        "find",
        "sed",
        "awk",
        "echo",
        "a",
        "-n",
        "-exec",
        "'",
        '"',
        "\\",
        "`",
    ),
    *(
        "$",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "[[",
        "]]",
        "<",
        ">",
        "<<",
        "<<E",
        "E",
        "|",
        "&",
        "&&",
        "||",
        ";",
        ";;",
    ),
    *(
        " ",
        "\n",
        "\t",
        "\r",
        "\0",
        "#",
        "!",
        "~",
        "*",
        "?",
        "=",
        "$(",
        "${",
        "$'",
        "$((",
        "<(",
        "2>",
        "/dev/null",
    ),
    *(
        "if",
        "then",
        "else",
        "fi",
        "for",
        "in",
        "do",
        "done",
        "while",
        "case",
        "esac",
        "function",
        "time",
        "coproc",
    ),
    *("\\\n", "é", "\u202e", "\udcff", "x=1", "A[0]=1", "f()"),
)
soup = st.lists(st.sampled_from(BITS), max_size=30).map("".join)
spaced = st.lists(st.sampled_from(BITS), max_size=30).map(" ".join)
spliced = st.builds(
    lambda one, cut, bit, other: one[:cut] + bit + other,
    st.sampled_from(LINES),
    st.integers(0, 40),
    st.sampled_from(BITS),
    st.sampled_from(LINES),
)
lines = st.one_of(soup, spaced, spliced, st.text(max_size=60))


@settings(max_examples=300 * BUDGET, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines)
def test_every_line_gets_an_answer(line: str) -> None:
    verdict = classify(line, "/w", "/home/u")
    assert verdict.reason
    assert "\n" not in verdict.reason
    assert verdict.read_only is (verdict.rule == "read-only") is (verdict.span is None)
    assert verdict.read_only <= all(part.read_only for part in verdict.parts)
    if verdict.span is not None:
        assert line[verdict.span[0] : verdict.span[1]] == verdict.word
    assert all(path == "*" or path.startswith("/") for path in (*verdict.reads, *verdict.writes))
    assert all(0 <= part.span[0] <= part.span[1] <= len(line) for part in verdict.parts)


@settings(max_examples=300 * BUDGET, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines.filter(lambda line: not line.endswith("\\")))
@example("echo a #'")
@example("cat <<E\nx\nE")
@example("echo 'a'\\'")
@example("ls # \\")
def test_nothing_hides_a_command_on_the_next_line(line: str) -> None:
    """cases f/106, f/107."""
    assert not classify(f"{line}\nrm x", "/w", "/home/u").read_only


@settings(max_examples=200 * BUDGET, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines)
def test_a_read_only_line_stays_so_in_a_subshell_and_no_other_becomes_so(line: str) -> None:
    inside = classify(f"(\n{line}\n)", "/w", "/home/u")
    alone = classify(line, "/w", "/home/u")
    if alone.read_only and alone.parts and not line.endswith("\\"):
        assert inside.read_only or inside.rule in ("line.continuation", "syntax.second", "line.long")
    if inside.read_only and not line.endswith("\\"):
        assert alone.read_only


SIMPLE = [
    line
    for line in SAFE
    if not set(line) & set("|&;()<>{}*?[$`~#!\n") and not line.startswith(("time", "if"))
]


@pytest.mark.parametrize("line", SIMPLE)
def test_quoting_every_word_changes_nothing(line: str) -> None:
    """cases f/110: words are judged as the shell builds them."""
    tokens, _ = read_tokens(line, (0, len(line)), Scope("/home/u"))
    quoted = " ".join(shlex.quote(token.text) + "''" for token in tokens if isinstance(token, Word))
    plain, same = classify(line, "/w", "/home/u"), classify(quoted, "/w", "/home/u")
    assert (same.read_only, same.reads) == (plain.read_only, plain.reads)


@settings(max_examples=300 * BUDGET, deadline=None)
@given(st.text(alphabet="sywerabc{}/|;:\\\n 01$!,[]'\"()<>@.=", max_size=40))
def test_every_program_gets_an_answer(text: str) -> None:
    assert isinstance(sed.Script(text).trouble, str)
    assert isinstance(awk.trouble_of(text), str)
    assert isinstance(jq.trouble_of(text), str)
