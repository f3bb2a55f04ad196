"""The table of command lines: what the classifier says of each, and what bash does with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hermes_tui.shell.classify import classify
from tests.shell import lines_cases, lines_commands, lines_git, lines_shell, lines_tools, lines_words
from tests.shell.sandbox import Sandbox
from tests.shell.table import Unsafe

UNSAFE = (*lines_cases.LINES, *lines_words.LINES, *lines_commands.LINES, *lines_git.LINES)
SAFE = (*lines_shell.LINES, *lines_tools.LINES)
OPTIONAL = {"xxd", "unzip", "file", "perl", "python3", "mawk", "xz", "jq"}
SHARES = 4
"""The lines are run in this many tests, so that none of them takes long."""
READ_ONLY = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "diff.autoRefreshIndex",
    "GIT_CONFIG_VALUE_0": "false",
}
"""What whoever runs a read-only line has to add: without the last one `git diff` writes the index."""


def installed(line: str) -> bool:
    """Whether this machine has the programs of the line; only those that some systems lack are asked for."""
    names = {part.words[0] for part in classify(line, "/w", "/home/u").parts}
    return all(shutil.which(name) for name in names & OPTIONAL)


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("lines"))


def test_the_table_is_large_enough() -> None:
    assert len(UNSAFE) >= 250
    assert len(SAFE) >= 100
    assert len({row.line for row in UNSAFE} | set(SAFE)) > len(SAFE) + 250


@pytest.mark.parametrize("row", UNSAFE, ids=lambda row: row.line)
def test_a_line_that_may_do_more_than_read_is_not_read_only(row: Unsafe) -> None:
    """cases f/88 to f/109, appendix A."""
    verdict = classify(row.line, "/w", "/home/u")
    assert (verdict.read_only, verdict.rule) == (False, row.rule)
    assert verdict.reason


@pytest.mark.parametrize("line", SAFE)
def test_a_harmless_line_is_read_only(line: str) -> None:
    """cases f/89, f/92, f/94, f/110: over-blocking asks the user all the time."""
    verdict = classify(line, "/w", "/home/u")
    assert verdict.read_only, verdict.reason
    assert (verdict.rule, verdict.word, verdict.span, verdict.writes) == ("read-only", "", None, ())


@pytest.mark.parametrize("share", range(SHARES))
def test_every_line_that_is_said_to_have_an_effect_has_one_in_bash(sandbox: Sandbox, share: int) -> None:
    """So that the table is about bash and not about our beliefs."""
    without = []
    for row in [row for row in UNSAFE if row.effect and installed(row.line)][share::SHARES]:
        sandbox.run(row.line)
        if sandbox.changed(within=1.0):
            sandbox.reset()
        else:
            without.append(row.line)
    assert without == []


@pytest.mark.parametrize("share", range(SHARES))
def test_no_line_that_is_read_only_changes_anything_in_bash(sandbox: Sandbox, share: int) -> None:
    sandbox.reset()
    changing = []
    for line in SAFE[share::SHARES]:
        sandbox.run(line, **READ_ONLY)
        if sandbox.changed():
            changing.append(line)
            sandbox.reset()
    assert changing == []


def test_the_sandbox_holds_links_and_folders_as_they_were(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.reset()
    sandbox.run("ln -s a link")
    assert sandbox.changed()
    sandbox.reset()
    assert not sandbox.changed()
