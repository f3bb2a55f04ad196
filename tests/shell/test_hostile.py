"""Lines that were made to break a reader: every one gets an answer, and none of them a proof."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hermes_tui.shell.classify import classify

HOSTILE: dict[str, str] = {
    "100 kB of words": "a " * 50_000,
    "100 kB of one word": "ls " + "a" * 100_000,
    "10 000 nested parentheses": "(" * 10_000 + "ls" + ")" * 10_000,
    "200 nested parentheses": "( " * 200 + "ls" + " )" * 200,
    "nested substitutions": "$(" * 200 + "ls" + ")" * 200,
    "nested quoted substitutions": 'echo "$(' * 100 + "ls" + ')"' * 100,
    "nested braces": "{ " * 200 + "ls" + "; }" * 200,
    "nested loops": "while :; do " * 200 + "ls" + "; done" * 200,
    "nested functions": "a()" * 300,
    "nested coprocesses": "coproc " * 300 + "ls",
    "many commands": "ls;" * 3_000,
    "many pipes": "ls|" * 3_000 + "ls",
    "many turns": "for a in 1 2 3 4 5 6 7 8; do " * 8 + "ls" + "; done" * 8,
    "many here-documents": "cat <<A\n" * 1_000,
    "many backquotes": "`" * 16_000,
    "unclosed quotes": "'\"" * 8_000,
    "a shell in a shell": "sh -c 'sh -c \"sh -c ls\"' ; " * 200,
    "nothing but NUL": "\0" * 100,
    "a lone surrogate": "ls \udc80",
    "half a pair": "ls \ud83d",
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_line_is_answered_and_not_proven(line: str) -> None:
    verdict = classify(line, "/w", "/home/u")
    assert not verdict.read_only
    assert verdict.reason
    assert verdict.parts
    assert len(verdict.parts) < 400


def test_a_line_that_is_too_long_to_read_is_one_part_that_no_rule_settles() -> None:
    line = "rm -rf x " + "a" * 200_000
    (part,) = classify(line, "/w", "/home/u").parts
    assert (part.text, part.read_only, part.pattern) == (line, False, "")


@pytest.mark.parametrize("line", ["", " ", "\n\n", "# only a comment", "\t # x\n"])
def test_a_line_with_nothing_to_run_is_read_only(line: str) -> None:
    verdict = classify(line, "/w", "/home/u")
    assert (verdict.read_only, verdict.reads, verdict.parts) == (True, (), ())
    assert verdict.reason == "there is nothing to run"


def test_the_grammar_is_loaded_with_the_first_line_that_may_be_read_only() -> None:
    program = (
        "import sys; from hermes_tui.shell.classify import classify\n"
        "classify('make', '/w', '/h'); assert 'tree_sitter' not in sys.modules\n"
        "assert classify('ls', '/w', '/h').read_only and 'tree_sitter' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
