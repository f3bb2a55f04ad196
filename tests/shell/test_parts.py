"""What the question shows and the rules match: the parts of a line, their places and patterns."""

from __future__ import annotations

import pytest

from hermes_tui.engine.footprint import Hazard
from hermes_tui.shell.classify import Part, classify
from tests.shell.test_table import SAFE, UNSAFE


def parts(line: str) -> tuple[Part, ...]:
    return classify(line, "/w", "/home/u").parts


def test_each_simple_command_is_a_part_with_its_words_as_the_shell_builds_them() -> None:
    assert parts("git  commit -m 'a b' && l\"s\"") == (
        Part(
            words=("git", "commit", "-m", "a b"),
            text="git commit -m a b",
            span=(0, 20),
            read_only=False,
            hazard=Hazard.UNKNOWN,
            why="`git commit` changes the repository",
            pattern="git commit *",
        ),
        Part(("ls",), "ls", (24, 28), True, Hazard.NONE, "", "ls"),
    )


TEXTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ls; rm x", ("ls", "rm x")),
    ("if a; then b; else c; fi | d", ("a", "b", "c", "d")),
    ("echo $(rm x)", ("rm x", "echo $(rm x)")),
    ("echo `rm x`", ("rm x", "echo `rm x`")),
    ('echo "${a:-$(rm x)}"', ("rm x", 'echo "${a:-$(rm x)}"')),
    ('echo "${a:-`rm x`}"', ("rm x", 'echo "${a:-`rm x`}"')),
    ("cat <(rm x)", ("rm x", "cat <(rm x)")),
    ("cat <<E\n$(rm x)\nE", ("cat", "rm x", "<< E")),
    ("find . -exec rm {} +", ("find . -exec rm {} +", "rm {}")),
    ("ls | xargs -n1 rm -f", ("ls", "xargs -n1 rm -f", "rm -f")),
    ("timeout 5 rm x", ("timeout 5 rm x", "rm x")),
    ("env A=1 rm x", ("env A=1 rm x", "rm x")),
    ("sudo -n rm x", ("sudo -n rm x", "rm x")),
    ("sh -c 'rm x; ls'", ("sh -c rm x; ls", "rm x", "ls")),
    ("f() { rm x; }; f", ("rm x", "f")),
    ("rm x &", ("rm x",)),
    ("time rm x", ("rm x",)),
    ("ls > x", ("ls", "> x")),
    ("PATH=. ls", ("PATH=.", "ls")),
    ("for f in a b; do rm $f; done", ("rm a", "rm b")),
    ("[[ -f a ]] && rm a", ("[[ -f a ]]", "rm a")),
    ("rm x )", ("rm x )", "rm x")),
    ("a | | rm x", ("a | | rm x", "a", "rm x")),
)


@pytest.mark.parametrize(("line", "texts"), TEXTS, ids=[line for line, _ in TEXTS])
def test_no_command_hides_from_the_rules(line: str, texts: tuple[str, ...]) -> None:
    """cases f/104: a rule that denies `rm *` sees it wherever it stands."""
    assert tuple(part.text for part in parts(line)) == texts


HAZARDS: tuple[tuple[str, Hazard], ...] = (
    ("rm x", Hazard.DELETES),
    ("/bin/rm x", Hazard.DELETES),
    ("git clean -fd", Hazard.DELETES),
    ("git branch -D x", Hazard.DELETES),
    ("git stash drop", Hazard.DELETES),
    ("find . -delete", Hazard.DELETES),
    ("mv a b", Hazard.OVERWRITES),
    ("cp a b", Hazard.OVERWRITES),
    ("tee x", Hazard.OVERWRITES),
    ("sed -i p f", Hazard.OVERWRITES),
    ("sort -o f f", Hazard.OVERWRITES),
    ("git checkout a", Hazard.OVERWRITES),
    ("uniq a b", Hazard.OVERWRITES),
    ("curl x", Hazard.NETWORK),
    ("git fetch", Hazard.NETWORK),
    ("git remote show o", Hazard.NETWORK),
    ("git submodule update", Hazard.NETWORK),
    ("pip install x", Hazard.NETWORK),
    ("make", Hazard.UNKNOWN),
    ("python3 x.py", Hazard.UNKNOWN),
    ("ls", Hazard.NONE),
)


@pytest.mark.parametrize(("line", "hazard"), HAZARDS, ids=[line for line, _ in HAZARDS])
def test_the_hazard_of_a_command_says_why_a_person_is_asked(line: str, hazard: Hazard) -> None:
    assert parts(line)[0].hazard is hazard
    assert classify(line, "/w", "/home/u").network is (hazard is Hazard.NETWORK)


PATTERNS: tuple[tuple[str, str], ...] = (
    ("make test", "make test"),
    ("make test -j4", "make test *"),
    ("make", "make"),
    ("git commit -m x", "git commit *"),
    ("git push", "git push"),
    ("git clean -fd", "git clean -fd"),
    ("npm run build -- --watch", "npm run build *"),
    ("npm test", "npm test"),
    ("pytest tests -q", "pytest *"),
    ("rm -rf build", "rm -rf build"),
    ("rm *.pyc", ""),
    ("rm 'a*'", ""),
    ("python3 x.py", "python3 x.py"),
    ("$X a", ""),
    ("mv $X a", ""),
    ("git commit -m $X", "git commit *"),
    ("git $X a", ""),
    ("ec?o a", ""),
)


@pytest.mark.parametrize(("line", "pattern"), PATTERNS, ids=[line for line, _ in PATTERNS])
def test_always_offers_the_narrowest_useful_pattern(line: str, pattern: str) -> None:
    assert parts(line)[0].pattern == pattern


@pytest.mark.parametrize("line", [*SAFE, *(row.line for row in UNSAFE)])
def test_places_are_places_in_the_line_as_it_was_given(line: str) -> None:
    verdict = classify(line, "/w", "/home/u")
    spans = [part.span for part in verdict.parts] + ([verdict.span] if verdict.span else [])
    assert all(0 <= start <= end <= len(line) for start, end in spans)
    if verdict.span is not None:
        assert line[verdict.span[0] : verdict.span[1]] == verdict.word


WORDS: tuple[tuple[str, str], ...] = (
    ("ls && rm a", "rm"),
    ("ls | tee x", "tee"),
    ("git -C x branch new", "new"),
    ("sort -uo x f", "-uo"),
    ("echo é “ü” $(rm x)", "rm"),
    ("cat a > b", "> b"),
    ("echo ${a@P}", "${a@P}"),
    ("ls \\\n&& rm a", "rm"),
    ("l\\\ns; r\\\nm a", "r\\\nm"),
    ("/tmp/ls", "/tmp/ls"),
    ("A=1 ls", "A=1"),
)


@pytest.mark.parametrize(("line", "word"), WORDS, ids=[line for line, _ in WORDS])
def test_the_offending_word_is_marked(line: str, word: str) -> None:
    verdict = classify(line, "/w", "/home/u")
    assert verdict.word == word
    assert verdict.span is not None
    assert line[verdict.span[0] : verdict.span[1]] == word
